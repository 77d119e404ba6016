import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { FileFacts } from '../facts/facts.ts';
import { GO } from '../go/go.ts';
import { JAVA } from '../java/java.ts';
import { LARGEST_FILE_BYTES } from '../languages.ts';
import { PYTHON } from '../python/python.ts';
import { RUST } from '../rust/rust.ts';
import { BASH } from '../bash/bash.ts';
import { PHP } from '../php/php.ts';
import { RUBY } from '../ruby/ruby.ts';
import { SCALA } from '../scala/scala.ts';
import { SWIFT } from '../swift/swift.ts';
import { ParseLimitError, ParserHost } from './trees.ts';

const LANGUAGES = [
  { name: 'python', extract: PYTHON.extract, kinds: PYTHON.kinds, start: 'x = ', end: '\ndef last(): pass\n' },
  { name: 'go', extract: GO.extract, kinds: GO.kinds, start: 'package p\nvar x = ', end: '\nfunc last() {}\n' },
  { name: 'java', extract: JAVA.extract, kinds: JAVA.kinds, start: 'class C { int x = ', end: '; void last() {} }' },
  { name: 'rust', extract: RUST.extract, kinds: RUST.kinds, start: 'static X: i32 = ', end: ';\nfn last() {}\n' },
  { name: 'ruby', ...RUBY, start: 'x = ', end: '\ndef last; end\n' },
  { name: 'php', ...PHP, start: '<?php $x = ', end: ';\nfunction last() {}\n' },
  { name: 'swift', ...SWIFT, start: 'let x = ', end: '\nfunc last() {}\n' },
] as const;

const GRAMMARS = new URL('../../../grammars/', import.meta.url);

const host = await ParserHost.open();
for (const { name, kinds } of LANGUAGES) await host.load(name, kinds);

const names = (facts: FileFacts): string[] =>
  Array.from({ length: facts.definitions.count }, (_, row) => facts.strings[facts.definitions.name(row)] ?? '');

test('the manifest lists every grammar with its size and checksum', () => {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', GRAMMARS), 'utf8')) as {
    language: string;
    sha256: string;
    sizeBytes: number;
  }[];
  const files = manifest.map(({ language }) => {
    const bytes = readFileSync(new URL(`${language}.wasm`, GRAMMARS));
    return { language, sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length };
  });

  expect(files).toEqual(manifest.map(({ language, sha256, sizeBytes }) => ({ language, sha256, sizeBytes })));
  expect(readdirSync(GRAMMARS).toSorted()).toEqual(
    [...manifest.flatMap(({ language }) => [`${language}.LICENSE`, `${language}.wasm`]), 'manifest.json'].toSorted(),
  );
});

test('a node type that the grammar does not have is refused when the grammar is loaded', async () => {
  const fresh = await ParserHost.open();

  await expect(fresh.load('go', { source_file: 1, gopher: 2 })).rejects.toThrow('the grammar has no node type gopher');
  fresh.close();
});

test('a grammar must be loaded before it is used', async () => {
  const fresh = await ParserHost.open();

  expect(() => fresh.parse('go', 'package p')).toThrow('the go grammar is not loaded');
  fresh.close();
});

test('a parse that passes its deadline is given up, and the next one is not harmed', () => {
  const long = `x = [${'1, '.repeat(200_000)}]\n`;

  expect(() => host.parse('python', long, { deadlineMs: 0 })).toThrow(ParseLimitError);
  expect(names(PYTHON.extract(host, 'def after(): pass\n'))).toEqual(['after']);
});

/** More levels than the stack of a recursive reader has room for, several times over. */
const MANY = 25_000;

/** Texts that break recursive readers, or are no source at all. `isRecovered`: the last function must be found. */
const HOSTILE: readonly { what: string; text: (start: string, end: string) => string; isRecovered: boolean }[] = [
  {
    what: '25,000 nested parentheses',
    isRecovered: false,
    text: (s, e) => `${s}${'('.repeat(MANY)}1${')'.repeat(MANY)}${e}`,
  },
  { what: '2,000 nested calls', isRecovered: true, text: (s, e) => `${s}${'f('.repeat(2000)}1${')'.repeat(2000)}${e}` },
  { what: '20,000 chained calls', isRecovered: true, text: (s, e) => `${s}f()${'.g()'.repeat(20_000)}${e}` },
  { what: 'a sum of 25,000 terms', isRecovered: true, text: (s, e) => `${s}1${' + a'.repeat(MANY)}${e}` },
  { what: '50,000 open braces', isRecovered: false, text: (s) => s + '{'.repeat(2 * MANY) },
  { what: 'an unterminated string', isRecovered: false, text: (s, e) => `${s}"never closed${e}` },
  { what: 'a string of 1 MB', isRecovered: true, text: (s, e) => `${s}"${'z'.repeat(1e6)}"${e}` },
  { what: 'NUL bytes', isRecovered: false, text: (s, e) => `${s}\0\0\0${e}` },
  { what: 'random bytes', isRecovered: false, text: () => noise(5000) },
  {
    what: 'conflict markers',
    isRecovered: false,
    text: (s, e) => `<<<<<<< ours\n${s}1${e}=======\n${s}2${e}>>>>>>> theirs\n`,
  },
  { what: 'lone surrogates', isRecovered: true, text: (s, e) => `${s}"\uD800 \uDFFF"${e}` },
  { what: 'nothing', isRecovered: false, text: () => '' },
];

/** Bytes without a pattern, the same each time. */
function noise(length: number): string {
  let state = 42;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return String.fromCharCode((state >> 8) % 256);
  }).join('');
}

test.each(HOSTILE.flatMap((hostile) => LANGUAGES.map((language) => ({ ...hostile, ...language }))))(
  '$name survives $what',
  ({ text, extract, isRecovered, start, end }) => {
    const facts = extract(host, text(start, end));

    expect(names(facts).includes('last') || !isRecovered).toBe(true);
    expect(names(extract(host, `${start}1${end}`))).toContain('last');
  },
);

test.each(LANGUAGES)('$name counts what it had to leave out as errors', ({ extract, start, end }) => {
  const deep = `${start}${'f('.repeat(2000)}1${')'.repeat(2000)}${end}`;

  expect(extract(host, `${start}1${end}`).errors).toBe(0);
  expect(extract(host, deep).errors).toBeGreaterThan(0);
});

/** Depth to which constructs nest in a text: more than any stack allows. */
const LEVELS = 5000;
const nest = (open: string, close: string, inside: string): string =>
  open.repeat(LEVELS) + inside + close.repeat(LEVELS);

/** Ways to nest, by what recurses in the walkers: expressions, types, patterns, blocks, functions, paths. */
const DEEP = {
  python: [
    `x = ${nest('[', ']', '1')}`,
    `x = ${nest('f(a=', ')', '1')}`,
    `x = ${nest('lambda: ', '', '1')}`,
    `x = ${nest('[a for a in ', ']', 'b')}`,
    `x = ${nest('f"{', '}"', '1')}`,
    `x: ${nest('List[', ']', 'int')}`,
    `x = a${'.b'.repeat(LEVELS)}`,
    `x = 1${' and 1'.repeat(LEVELS)}`,
    `${nest('[', ']', 'a')} = 1`,
  ],
  go: [
    `package p\nvar x = ${nest('f(', ')', '1')}`,
    `package p\nvar x = ${nest('func() { return ', ' }', '1')}`,
    `package p\nvar x = T{${nest('{', '}', '1')}}`,
    `package p\nvar x ${nest('struct { a ', '}', 'int')}`,
    `package p\nvar x ${nest('map[string]', '', 'int')}`,
    `package p\nfunc f() ${nest('{ if x ', '}', '{}')}`,
  ],
  java: [
    `class A { int x = ${nest('f(', ')', '1')}; }`,
    `class A { int x = ${nest('() -> ', '', '1')}; }`,
    `class A { int x = ${nest('new A() { int y = ', '; }', '1')}; }`,
    `class A { ${nest('List<', '>', 'A')} x; }`,
    `class A { void f() ${nest('{ if (x) ', '}', ';')} }`,
    `class A { int x = ${nest('a ? b : ', '', '1')}; }`,
    nest('class A { ', '}', ''),
  ],
  rust: [
    `static X: i32 = ${nest('f(', ')', '1')};`,
    `static X: i32 = ${nest('|| ', '', '1')};`,
    `static X: ${nest('Vec<', '>', 'i32')} = 1;`,
    `static X: i32 = ${'a::'.repeat(LEVELS)}b;`,
    `use ${nest('a::{', '}', 'b')};`,
    `fn f() { let ${nest('Some(', ')', 'x')} = y; }`,
    `fn f() ${nest('{ match x { A => ', '}}', '1')}`,
    `fn f() { m!(${nest('(', ')', 'x')}) }`,
    nest('mod a { ', '}', ''),
  ],
  ruby: [
    `x = ${nest('[', ']', '1')}`,
    `x = ${nest('f(', ')', '1')}`,
    `x = ${nest('->(a) { ', ' }', '1')}`,
    nest('if a\n', '\nend', 'b'),
    nest('module A\n', '\nend', 'b'),
    `x = a${'.b'.repeat(LEVELS)}`,
  ],
  php: [
    `<?php $x = ${nest('f(', ')', '1')};`,
    `<?php $x = ${nest('function () { return ', '; }', '1')};`,
    `<?php ${nest('if ($a) { ', '}', '')}`,
    `<?php $x = $a${'->b'.repeat(LEVELS)};`,
    `<?php $x = ${nest('[', ']', '1')};`,
  ],
  swift: [
    `let x = ${nest('f(', ')', '1')}`,
    nest('struct A { ', '}', ''),
    `let x: ${nest('[', ']', 'Int')} = y`,
    `let x = a${'.b'.repeat(LEVELS)}`,
  ],
} as const;

test.each(LANGUAGES)('$name walks to the deepest level of whatever nests', ({ name, extract }) => {
  for (const text of DEEP[name]) expect(extract(host, text).errors).toBeGreaterThan(0);
});

test('grammars that are slow on hostile text end at the deadline or at the deepest level', async () => {
  await host.load('scala', SCALA.kinds);
  await host.load('bash', BASH.kinds);

  expect(() => host.parse('scala', `val x = 1${' + a'.repeat(20_000)}`, { deadlineMs: 50 })).toThrow(ParseLimitError);
  expect(SCALA.extract(host, `object A { val x = ${'f('.repeat(800) + ')'.repeat(800)} }`).errors).toBeGreaterThan(0);
  expect(BASH.extract(host, `f() ${'{ if a; then '.repeat(800) + 'fi; }; '.repeat(800)}`).errors).toBeGreaterThan(0);
  expect(BASH.extract(host, `x=$((${'('.repeat(2000)}`).errors).toBeGreaterThan(0);
  expect(names(BASH.extract(host, `${noise(2000)}\n`)).length).toBeGreaterThanOrEqual(0);
  expect(names(SCALA.extract(host, 'object A { def last = 1 }'))).toEqual(['A', 'last']);
});

test('the largest file that is read, in one line, is read within the deadline', () => {
  const facts = PYTHON.extract(host, `x = [${'"abc", '.repeat(LARGEST_FILE_BYTES / '"abc", '.length)}]\n`);

  expect(names(facts)).toEqual(['x']);
});

test.each([
  { what: 'CRLF line ends', text: 'def one():\r\n    pass\r\n\r\ndef two():\r\n    pass\r\n', starts: [4, 28] },
  { what: 'a byte order mark', text: '\uFEFFdef one(): pass\ndef two(): pass\n', starts: [5, 21] },
  { what: 'text beyond the basic plane', text: 'def one(): "😀é"\ndef two(): pass\n', starts: [4, 21] },
  { what: 'tabs and form feeds', text: 'def one():\n\tpass\n\f\ndef two():\n\tpass\n', starts: [4, 23] },
])('offsets are UTF-16 positions with $what', ({ text, starts }) => {
  const facts = PYTHON.extract(host, text);

  expect(names(facts)).toEqual(['one', 'two']);
  expect([0, 1].map((row) => facts.definitions.nameStart(row))).toEqual(starts);
  expect(starts.map((start) => text.slice(start, start + 3))).toEqual(['one', 'two']);
});

test('a parse that takes too much memory is given up, and the next one is none the worse', () => {
  const long = `x = [${'1, '.repeat(200_000)}]\n`;

  // Earlier texts have made room enough for this one.
  expect(() => host.parse('python', long, { mostBytes: -1 })).toThrow('takes too much memory to parse');
  expect(host.parse('python', 'x = [1]').errors).toBe(0);
});
