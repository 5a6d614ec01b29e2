'use strict';
/* Many checks: one row each, sorted and filtered. */
const data = JSON.parse(document.getElementById('data').textContent);
const ORDER = ['FAULT', 'INVALID', 'COLLISION', 'UNDECIDED', 'FREE'];
const COLOURS = {FREE: '#1b7f3b', COLLISION: '#c62828', UNDECIDED: '#b25c00', INVALID: '#6a1b9a', FAULT: '#37474f'};
const SHOWN = 500;

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  Object.entries(attributes || {}).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

const pairOf = row => row.a === null ? '' : row.a + (row.b ? ' – ' + row.b : '');
/* Certified: never more than it is. */
const lengthOf = metres => metres === null ? '' : (Math.floor(1e6 * metres + 1e-7) / 1e3).toFixed(3) + ' mm';

const state = {sort: 'given', down: false, verdict: null};

function value(row) {
  if (state.sort === 'verdict') { return ORDER.indexOf(row.verdict); }
  if (state.sort === 'pair') { return pairOf(row); }
  if (state.sort === 'name') { return row.name; }
  const number = row[state.sort];
  return number === null || number === undefined ? Infinity : number;
}

/* Thumbnails are pictures of this program: paths without scripts. They are parsed, and only shapes are kept. */
function thumbnail(text) {
  if (!text) { return null; }
  const svg = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  svg.querySelectorAll('*').forEach(one => { if (!['g', 'path', 'svg'].includes(one.localName)) { one.remove(); } });
  return svg.localName === 'svg' ? document.importNode(svg, true) : null;
}

function makeRow(row) {
  const lines = row.text.split('\n').filter(line => line.trim() !== '');
  const name = row.link ? element('a', {href: row.link.split('/').map(encodeURIComponent).join('/')}, row.name || '(no name)') : row.name || '(no name)';
  const first = (lines[0] || '').replace(/^(FREE|COLLISION|UNDECIDED)\s+/, '');
  return element('tr', {},
    element('td', {class: 'thumb'}, thumbnail(row.thumbnail)),
    element('td', {}, element('span', {class: 'verdict ' + row.verdict}, row.verdict)),
    element('td', {}, element('span', {class: 'name'}, name), element('div', {class: 'note'}, first)),
    element('td', {}, pairOf(row)),
    element('td', {class: 'number'}, row.verdict === 'COLLISION' && row.distance === null ? 'contact' : row.distance === null ? '' : '≥ ' + lengthOf(row.distance)),
    element('td', {class: 'number'}, row.time === null ? '' : row.time.toFixed(3)));
}

function draw() {
  const word = document.getElementById('find').value.trim().toLowerCase();
  const rows = data.rows.map((row, index) => ({row, index})).filter(({row}) =>
    (state.verdict === null || row.verdict === state.verdict) &&
    [row.name, row.robot || '', pairOf(row), row.text].some(text => text.toLowerCase().includes(word)));
  if (state.sort !== 'given') {
    rows.sort((p, q) => {
      const a = value(p.row), b = value(q.row);
      return (a < b ? -1 : a > b ? 1 : p.index - q.index) * (state.down ? -1 : 1);
    });
  }
  document.querySelector('#rows tbody').replaceChildren(...rows.slice(0, SHOWN).map(one => makeRow(one.row)));
  document.getElementById('more').textContent = rows.length > SHOWN ?
    `${rows.length - SHOWN} more rows: narrow them down above.` : rows.length === 0 ? 'No row is like that.' : '';
  document.querySelectorAll('#rows th[data-sort]').forEach(th => {
    if (th.dataset.sort === state.sort) {
      th.setAttribute('aria-sort', state.down ? 'descending' : 'ascending');
    } else {
      th.removeAttribute('aria-sort');
    }
  });
}

document.getElementById('title').textContent = data.title;
document.getElementById('total').textContent = `${data.rows.length} checks, vouch ${data.vouch}`;
const chips = document.getElementById('verdicts');
[null, ...ORDER.slice().reverse()].forEach(verdict => {
  const count = data.rows.filter(row => verdict === null || row.verdict === verdict).length;
  if (verdict !== null && count === 0) { return; }
  const chip = element('button', {type: 'button', 'aria-pressed': verdict === null}, `${verdict || 'all'} ${count}`);
  chip.addEventListener('click', () => {
    state.verdict = verdict;
    chips.querySelectorAll('button').forEach(one => one.setAttribute('aria-pressed', one === chip));
    draw();
  });
  chips.append(chip);
  if (verdict !== null) {
    document.getElementById('bar').append(element('i', {style: `flex:${count};background:${COLOURS[verdict]}`, title: `${verdict} ${count}`}));
  }
});
document.querySelectorAll('#rows th[data-sort]').forEach(th => th.addEventListener('click', () => {
  state.down = state.sort === th.dataset.sort ? !state.down : false;
  state.sort = th.dataset.sort;
  draw();
}));
document.getElementById('find').addEventListener('input', draw);
draw();
document.documentElement.dataset.ready = 'yes';
