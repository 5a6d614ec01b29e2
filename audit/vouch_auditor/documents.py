# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Texts: XML by expat, JSON, and the part of YAML in which messages are written.

A document is made of dicts, lists and texts; a text that stood without quotes is a Plain.
"""

import hashlib
import json
import re
from xml.parsers import expat


class Refused(Exception):
    """A file cannot be read, or says what this reader does not know."""


class Plain(str):
    """A scalar without quotes: a number, a truth value, null or a text."""


class Files:
    """Reads files, and remembers what was read."""

    def __init__(self):
        self.read = {}   # role and path: SHA-256

    def bytes(self, role, path):
        try:
            with open(path, 'rb') as file:
                data = file.read()
        except OSError as error:
            raise Refused(f'{path}: {error.strerror}') from error
        self.read[role, str(path)] = hashlib.sha256(data).hexdigest()
        return data

    def text(self, role, path):
        try:
            return self.bytes(role, path).decode('utf-8-sig')
        except UnicodeDecodeError as error:
            raise Refused(f'{path}: not UTF-8') from error


# ---- XML ----

class Element:
    """Names keep their prefixes: many URDFs do not declare them."""

    def __init__(self, name, attributes, line):
        self.name, self.attributes, self.line = name, attributes, line
        self.children, self.text = [], ''

    def all(self, name):
        return [child for child in self.children if child.name == name]

    def one(self, name):
        found = self.all(name)
        if len(found) > 1:
            raise Refused(f'line {found[1].line}: a second <{name}> in <{self.name}>')
        return found[0] if found else None

    def need(self, name):
        if name not in self.attributes:
            raise Refused(f'line {self.line}: <{self.name}> has no {name}')
        return self.attributes[name]

    def numbers(self, name, count, default=None):
        if name not in self.attributes and default is not None:
            return default
        words = self.need(name).split()
        if len(words) != count:
            raise Refused(f'line {self.line}: {name} of <{self.name}> is not {count} numbers')
        return tuple(number(Plain(word)) for word in words)


def xml(data, path):
    parser = expat.ParserCreate()
    stack = [Element('', {}, 0)]

    def begin(name, attributes):
        stack.append(Element(name, attributes, parser.CurrentLineNumber))
        stack[-2].children.append(stack[-1])

    def text(data):
        stack[-1].text += data
    parser.buffer_text = True
    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda name: stack.pop()
    parser.CharacterDataHandler = text
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise Refused(f'{path}: {error}') from error
    return stack[0].children[0]


# ---- values ----

NUMBER = re.compile(r'[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\Z')
TRUE, FALSE = ('true', 'True', 'TRUE'), ('false', 'False', 'FALSE')


def number(value):
    if not isinstance(value, Plain) or not NUMBER.match(value):
        raise Refused(f'{str(value)[:40]!r} is not a number')
    return float(value)


def truth(value):
    if isinstance(value, Plain) and value in TRUE + FALSE:
        return value in TRUE
    raise Refused(f'{str(value)[:40]!r} is neither true nor false')


def is_null(value):
    return value is None or (
        isinstance(value, Plain) and value in ('', '~', 'null', 'Null', 'NULL'))


def items(value):
    if is_null(value):
        return []
    if not isinstance(value, list):
        raise Refused(f'{str(value)[:40]!r} is not a list')
    return value


def numbers(value):
    return [number(item) for item in items(value)]


def texts(value):
    return [text(item) for item in items(value)]


def text(value):
    if value is None:
        return ''
    if not isinstance(value, str):
        raise Refused(f'{str(value)[:40]!r} is not a text')
    return str(value)


def member(value, key):
    """What a map has under a key; None where there is no map, no key, or null."""
    if is_null(value):
        return None
    if not isinstance(value, dict):
        raise Refused(f'{str(value)[:40]!r} is not a map')
    return None if is_null(value.get(key)) else value[key]


def known(value, keys):
    """Refuses what this reader would pass over."""
    for key in value if isinstance(value, dict) else ():
        if key not in keys.split():
            raise Refused(f'the key {key!r} is not known here')
    return value


def once(pairs):
    result = {}
    for key, value in pairs:
        if key in result:
            raise Refused(f'the key {key!r} is there twice')
        result[key] = value
    return result


# ---- YAML ----

SCALAR = re.compile(r'(?:[^\s,\[\]{}:#]|:(?=[^\s,\[\]{}])|(?<=\S)\#|[ \t]+(?=[^\s,\[\]{}:#]))+')
BRACKET = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'|[\[\]{}]')
QUOTED = re.compile(r'"((?:\\.|[^"\\])*)"|\'((?:[^\']|\'\')*)\'')
COMMENT = re.compile(r'(?:^|[ \t])#')


class Yaml:
    def __init__(self, text, path):
        self.path, self.lines, self.at = path, [], 0
        for count, line in enumerate(text.split('\n'), 1):
            line = self.strip(line.rstrip('\r'))
            body = line.lstrip(' ')
            if body in ('', '---', '...') or (body.startswith('%') and not self.lines):
                if body == '---' and self.lines:
                    raise Refused(f'{path}:{count}: a second document')
                continue
            if body.startswith('\t'):
                raise Refused(f'{path}:{count}: a tab')
            body = body[4:] if line.startswith('--- ') else body
            self.lines.append((len(line) - len(body), body.rstrip(), count))

    @staticmethod
    def strip(line):
        """Without its comment."""
        if '#' in line:
            bare = QUOTED.sub(lambda quoted: '_' * len(quoted.group()), line)
            comment = COMMENT.search(bare)
            return line[:comment.start()] if comment else line
        return line

    def fail(self, what):
        line = self.lines[min(self.at, len(self.lines) - 1)][2]
        raise Refused(f'{self.path}:{line}: {what}')

    def here(self, indent):
        return self.at < len(self.lines) and self.lines[self.at][0] == indent

    @staticmethod
    def key(body):
        """Key and rest of a line, or None."""
        quoted = QUOTED.match(body)
        if quoted:
            rest = body[quoted.end():].lstrip()
            return (Yaml.unquote(quoted), rest[1:].strip()) if rest.startswith(':') else None
        if body[0] in '[{':
            return None
        at = body.find(': ')
        at = len(body) - 1 if at < 0 and body.endswith(':') else at
        return None if at < 0 else (body[:at].strip(), body[at + 1:].strip())

    @staticmethod
    def unquote(quoted):
        try:
            return (json.loads(quoted.group()) if quoted.group(1) is not None else
                    quoted.group(2).replace("''", "'"))
        except ValueError as error:
            raise Refused(f'cannot read {quoted.group()[:40]}') from error

    def block(self, indent):
        body = self.lines[self.at][1]
        if body == '-' or body.startswith('- '):
            return self.sequence(indent)
        if self.key(body):
            return self.mapping(indent)
        return self.value(body, indent)

    def below(self, indent, least):
        """What stands on the next lines, more indented, or null."""
        if self.at < len(self.lines) and self.lines[self.at][0] >= least:
            return self.block(self.lines[self.at][0])
        return Plain('')

    def sequence(self, indent):
        found = []
        while self.here(indent) and re.match(r'-( |\Z)', self.lines[self.at][1]):
            _, body, count = self.lines[self.at]
            rest = body[1:].lstrip(' ')
            if rest == '':
                self.at += 1
                found.append(self.below(indent, indent + 1))
            else:
                self.lines[self.at] = (indent + len(body) - len(rest), rest, count)
                found.append(self.block(self.lines[self.at][0]))
        return found

    def mapping(self, indent):
        found = []
        while self.here(indent):
            body = self.lines[self.at][1]
            pair = self.key(body)
            if pair is None:
                if re.match(r'-( |\Z)', body):
                    break
                self.fail('a key is expected')
            if pair[1] == '':
                self.at += 1
                item = self.here(indent) and re.match(r'-( |\Z)', self.lines[self.at][1])
                found.append((pair[0], self.below(indent, indent if item else indent + 1)))
            else:
                found.append((pair[0], self.value(pair[1], indent)))
        if self.at < len(self.lines) and self.lines[self.at][0] > indent:
            self.fail('this line is indented more than the one above allows')
        return once(found)

    def value(self, body, indent):
        """A scalar or flow collection that begins on this line."""
        self.at += 1
        if body[0] in '[{':
            whole, depth = [], 0
            while True:
                whole.append(body)
                depth += sum(1 if c.group() in '[{' else -1 if c.group() in ']}' else 0
                             for c in BRACKET.finditer(body))
                if depth <= 0 or self.at >= len(self.lines):
                    break
                body = self.lines[self.at][1]
                self.at += 1
            joined = ' '.join(whole)
            found, at = self.flow(joined, 0)
            if joined[at:].strip():
                self.fail(f'{joined[at:at + 40]!r} is left over')
            return found
        quoted = QUOTED.match(body)
        if quoted and quoted.end() == len(body):
            return self.unquote(quoted)
        if body[0] in '&*!|>%@`"\'' or (
                self.at < len(self.lines) and self.lines[self.at][0] > indent):
            self.fail('anchors, tags and texts of several lines are not read')
        return Plain(body)

    def flow(self, body, at):
        at = re.compile(r'\s*').match(body, at).end()
        if body[at:at + 1] in ('[', '{'):
            return self.collection(body, at)
        quoted = QUOTED.match(body, at)
        if quoted:
            return self.unquote(quoted), quoted.end()
        plain = SCALAR.match(body, at)
        if plain is None or plain.group()[0] in '&*!|>%@`"\'':
            self.fail(f'{body[at:at + 40]!r} is not read')
        return Plain(plain.group().strip()), plain.end()

    def collection(self, body, at):
        is_map, close = body[at] == '{', '}' if body[at] == '{' else ']'
        found, at, blank = [], at + 1, re.compile(r'\s*')
        while True:
            at = blank.match(body, at).end()
            if body[at:at + 1] == close:
                return once(found) if is_map else found, at + 1
            value, at = self.flow(body, at)
            if is_map:
                at = blank.match(body, at).end()
                if body[at:at + 1] != ':':
                    self.fail('a key of a map has no value')
                key, at = str(value), blank.match(body, at + 1).end()
                value, at = (Plain(''), at) if body[at:at + 1] in (',', close) else \
                    self.flow(body, at)
                value = (key, value)
            found.append(value)
            at = blank.match(body, at).end()
            if body[at:at + 1] == ',':
                at += 1
            elif body[at:at + 1] != close:
                self.fail('a list or map does not end')


def document(text, path):
    """A YAML or JSON text."""
    if text.lstrip()[:1] in ('{', '['):
        try:
            def plain(value):
                return Plain(json.dumps(value)) if value is None or value is True or \
                    value is False else value

            def tidy(value):
                if isinstance(value, list):
                    return [tidy(item) for item in value]
                return plain(value)
            found = json.loads(
                text, parse_float=Plain, parse_int=Plain, parse_constant=Plain,
                object_pairs_hook=lambda pairs: once((k, tidy(v)) for k, v in pairs))
            return tidy(found)
        except ValueError:
            pass   # flow collections of YAML begin like that too
    reader = Yaml(text, path)
    if not reader.lines:
        raise Refused(f'{path}: it says nothing')
    found = reader.block(reader.lines[0][0])
    if reader.at < len(reader.lines):
        reader.fail('this line belongs to nothing')
    return found
