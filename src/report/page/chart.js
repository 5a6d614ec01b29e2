'use strict';
/* Clearance over time: thin lines were measured, filled steps are certified for every time in them. */

function element(name, attributes, ...children) {
  const svg = ['svg', 'path', 'line', 'rect', 'text'].includes(name);
  const made = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  Object.entries(attributes || {}).forEach(([key, value]) => {
    if (value !== null && value !== undefined && value !== false) { made.setAttribute(key, value); }
  });
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

/* Lengths as an engineer says them; `way` -1: never more than the value, 1: never less. */
function length(metres, way) {
  if (metres === null || metres === undefined) { return '–'; }
  const round = (value, digits) => {
    const step = 10 ** -digits, scaled = value / step;
    const whole = way < 0 ? Math.floor(scaled + 1e-7) : way > 0 ? Math.ceil(scaled - 1e-7) : Math.round(scaled);
    return (whole * step).toFixed(digits);
  };
  const mm = 1000 * metres;
  if (metres !== 0 && metres < 1e-6) { return (1e9 * metres).toPrecision(3) + ' nm'; }
  if (metres >= 1) { return round(metres, 3) + ' m'; }
  return round(mm, mm >= 100 ? 1 : mm >= 10 ? 2 : 3) + ' mm';
}

/* For a column that says what it counts. */
function brief(time) {
  return data.hasTime ? moment(time) : time.toFixed(2);
}

function moment(time) {
  if (time === null || time === undefined) { return '–'; }
  return data.hasTime ? time.toFixed(3) + ' s' : 'segment ' + time.toFixed(2);
}

function nameOf(body) { return body === null ? 'obstacles' : data.bodies[body].name; }
function pairName(pair) { return nameOf(pair.a) + ' – ' + nameOf(pair.b); }

const chart = (() => {
  const svg = document.getElementById('curve'), tip = document.getElementById('tip');
  const left = 52, right = 8, top = 6, bottom = 20;   // as the slider is inset
  const keys = document.getElementById('keys');
  const pairKey = element('span', {}, element('i', {style: 'background:var(--chosen-line)'}), 'chosen pair, measured');
  let width = 600, height = 172, high = 1, low = 1e-4, logarithmic = false, cursor = null;
  const sides = ['world', 'self'].filter(side => data.spans.some(span => span[side].found !== undefined || span[side].certified !== null));

  const values = [];
  data.spans.forEach(span => sides.forEach(side => {
    if (span[side].found !== undefined) { values.push(span[side].found); }
  }));
  if (values.length > 0) {
    high = Math.max(1e-3, ...values) * 1.06;
    const least = Math.min(...values.filter(value => value > 0), high);
    low = Math.max(2e-5, 0.6 * least);
    logarithmic = high / Math.max(least, 1e-4) > 30;
  }

  const span = film.end - film.begin || 1;
  const x = time => left + (width - left - right) * (time - film.begin) / span;
  const y = value => {
    const f = logarithmic ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : value / high;
    return height - bottom - (height - bottom - top) * Math.min(1, Math.max(0, f));
  };

  function ticks() {
    const out = [];
    if (logarithmic) {
      for (let power = Math.floor(Math.log10(low)); power <= 1; power++) {
        for (const digit of high / low < 60 ? [1, 2, 5] : [1]) {
          const value = digit * 10 ** power;
          if (value > low && value < high) { out.push(value); }
        }
      }
    } else {
      let step = 10 ** Math.floor(Math.log10(high / 2));
      if (high / step > 6) { step *= 2; }
      if (high / step > 6) { step *= 2.5; }
      for (let value = 0; value < high; value += step) { out.push(value); }
    }
    return out;
  }

  function timeTicks() {
    const wanted = Math.max(2, Math.min(10, width / 110));
    let step = 10 ** Math.floor(Math.log10(span / wanted));
    for (const factor of [2, 2.5, 2]) { if (span / step > wanted) { step *= factor; } }
    const out = [];
    for (let k = Math.ceil(film.begin / step - 1e-9); k * step <= film.end + 1e-9; k++) { out.push(k * step); }
    return out;
  }

  function union(intervals) {
    const out = [];
    intervals.slice().sort((a, b) => a.begin - b.begin).forEach(one => {
      const last = out[out.length - 1];
      if (last && one.begin <= last.end) {
        last.end = Math.max(last.end, one.end);
      } else {
        out.push({begin: one.begin, end: one.end});
      }
    });
    return out;
  }

  /* Runs of spans that are certified, as areas. */
  function areas(side) {
    let area = '', edge = '', open = false, from = 0;
    data.spans.forEach(one => {
      const sure = one[side].certified;
      if (sure === null) {
        if (open) { area += `V${y(0)}H${from}Z`; }
        open = false;
        return;
      }
      if (!open) {
        from = x(one.begin);
        area += `M${from},${y(sure)}`;
        edge += `M${from},${y(sure)}`;
        open = true;
      } else {
        area += `V${y(sure)}`;
        edge += `V${y(sure)}`;
      }
      area += `H${x(one.end)}`;
      edge += `H${x(one.end)}`;
    });
    if (open) { area += `V${y(0)}H${from}Z`; }
    return {area, edge};
  }

  function found(side) {
    return data.spans.filter(one => one[side].found !== undefined)
      .map(one => [one[side].at, one[side].found]).sort((a, b) => a[0] - b[0])
      .map(([time, value], i) => `${i ? 'L' : 'M'}${x(time).toFixed(1)},${y(value).toFixed(1)}`).join('');
  }

  function draw() {
    width = svg.clientWidth || 600;
    height = svg.clientHeight || 172;
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const parts = [];
    ticks().forEach(value => {
      parts.push(element('line', {class: 'grid', x1: left, x2: width - right, y1: y(value), y2: y(value)}));
      parts.push(element('text', {x: left - 6, y: y(value) + 4, 'text-anchor': 'end'},
        value >= 1 ? value + ' m' : +(1000 * value).toPrecision(3) + (value ? ' mm' : '')));
    });
    timeTicks().forEach(time => {
      parts.push(element('line', {class: 'grid', x1: x(time), x2: x(time), y1: height - bottom, y2: height - bottom + 4}));
      parts.push(element('text', {x: x(time), y: height - 4, 'text-anchor': time === film.begin ? 'start' : time > film.end - 0.01 * span ? 'end' : 'middle'},
        +time.toPrecision(4) + (data.hasTime ? ' s' : '')));
    });
    union(data.open).forEach(one => {
      parts.push(element('rect', {class: 'open', x: x(one.begin), y: top, width: Math.max(1.5, x(one.end) - x(one.begin)), height: height - top - bottom}));
    });
    sides.forEach(side => {
      const {area, edge} = areas(side);
      parts.push(element('path', {class: `sure ${side}`, d: area}), element('path', {class: `edge ${side}`, d: edge}),
        element('path', {class: `found ${side}`, d: found(side)}));
    });
    const chosen = state.pair === null ? null : data.pairs[state.pair];
    if (chosen && chosen.curve) {   // measured where spans begin
      let pen = 'M';
      const way = chosen.curve.map((value, i) => {
        const step = value === null ? '' : `${pen}${x(data.spans[i].begin).toFixed(1)},${y(value).toFixed(1)}`;
        pen = value === null ? 'M' : 'L';
        return step;
      }).join('');
      parts.push(element('path', {class: 'chosen', d: way}));
    }
    pairKey.hidden = !(chosen && chosen.curve);
    if (data.margin > 0) {
      parts.push(element('line', {class: 'margin', x1: left, x2: width - right, y1: y(data.margin), y2: y(data.margin)}));
    }
    if (data.contact) {
      parts.push(element('line', {class: 'hit', x1: x(data.contact.time), x2: x(data.contact.time), y1: top, y2: height - bottom}));
    }
    if (values.length === 0) {
      parts.push(element('text', {x: (left + width) / 2, y: height / 2, 'text-anchor': 'middle'}, 'There is no pair whose distance could be measured.'));
    }
    cursor = element('line', {class: 'cursor', y1: top - 4, y2: height - bottom, x1: 0, x2: 0});
    svg.replaceChildren(...parts, cursor);
    setTime(state.time);
  }

  function setTime(time) {
    if (cursor) {
      cursor.setAttribute('x1', x(time));
      cursor.setAttribute('x2', x(time));
    }
  }

  function timeOf(event) {
    const box = svg.getBoundingClientRect();
    const f = (event.clientX - box.left - left) / (box.width - left - right);
    return film.begin + span * Math.min(1, Math.max(0, f));
  }

  function spanAt(time) {
    return data.spans.find(one => time >= one.begin && time <= one.end);
  }

  function show(event) {
    const time = timeOf(event), one = spanAt(time);
    if (!one) { return; }
    const rows = sides.map(side => {
      const pair = one[side].pair === undefined ? null : data.pairs[one[side].pair];
      return element('tr', {}, element('td', {}, side), element('td', {},
        one[side].certified === null ? 'not certified' : '≥ ' + length(one[side].certified, -1)),
        element('td', {}, one[side].found === undefined ? '' : `${length(one[side].found)}, ${pairName(pair)}`));
    });
    tip.replaceChildren(element('b', {}, moment(time)), element('table', {}, ...rows));
    tip.hidden = false;
    const box = svg.getBoundingClientRect(), at = event.clientX - box.left;
    tip.style.left = Math.max(4, Math.min(at + 16, box.width - tip.offsetWidth - 4)) + 'px';
    tip.style.bottom = '176px';
  }

  let dragging = false;
  svg.addEventListener('pointerdown', event => {
    dragging = true;
    svg.setPointerCapture(event.pointerId);
    state.set(timeOf(event));
  });
  svg.addEventListener('pointermove', event => {
    if (dragging) { state.set(timeOf(event)); }
    show(event);
  });
  svg.addEventListener('pointerup', () => { dragging = false; });
  svg.addEventListener('pointerleave', () => { tip.hidden = true; });
  const scale = document.getElementById('scale');
  const mark = () => { scale.textContent = logarithmic ? 'logarithmic scale' : 'linear scale'; };
  scale.addEventListener('click', () => { logarithmic = !logarithmic; mark(); draw(); });
  mark();

  sides.forEach(side => {
    keys.append(element('span', {}, element('i', {style: `background:var(--${side})`}),
      side === 'world' ? 'robot to world' : 'robot to itself'));
  });
  keys.append(pairKey);
  if (sides.length > 0) { keys.append(element('span', {}, 'filled: certified, at every time'), element('span', {}, 'line: measured')); }
  if (data.margin > 0) { keys.append(element('span', {}, element('i', {style: 'background:var(--collision);height:2px;vertical-align:3px'}), 'margin')); }
  return {draw, setTime, spanAt};
})();
