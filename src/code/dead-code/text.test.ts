import { expect, test } from 'vitest';
import { codeWords, looseNames, namedByPath, namesInStrings, runsAtLoad, templateWords } from './text.ts';

test('imports of Rust name what they import, on one line or on several', () => {
  const text =
    'use crate::one::Two;\n\n    use super::{\n        three,\n        four as five,\n    };\nlet user = 1;\n';

  const names = [...looseNames('Rust', text)].join(' ');

  expect(names).toBe('use crate one Two use super three four as five');
});

test('a long text of empty lines is read in one go', () => {
  // Seconds per 100,000 lines when each line is tried for all lines after it, which would outlast the test.
  expect([...looseNames('Rust', '\n'.repeat(900_000))]).toEqual([]);
});

test('macros of Rust name what their bodies hold', () => {
  const text =
    'macro_rules! made {\n    ($a:ident) => { one() };\n}\nfn two() {}\nmacro_rules! more(\n  three\n)\nfour\n';

  expect([...looseNames('Rust', text)].filter((name) => name.length > 2)).toEqual(['ident', 'one', 'three']);
});

test('paths are names with dots and a colon, or alone in quotes or on a line', () => {
  const text = 'a = celery.worker:default\nx = "com.shop.Guard"\ncom.shop.other.Guard\n.of.here:it\nb.c';

  expect([...namedByPath(text)]).toEqual([
    'celery/worker#default',
    'com/shop#Guard',
    'com/shop/other#Guard',
    'of/here#it',
  ]);
});

test.each([
  ['macros without an end', 'macro_rules! m ( '.repeat(100_000)],
  ['a word with many dots', 'a.'.repeat(500_000)],
])('%s are read in one go', (_, text) => {
  // Each beginning tried up to the end would outlast the test.
  expect([...looseNames('Rust', text), ...namedByPath(text)]).toEqual([]);
});

test.each([
  ['one = register(two)', true],
  ['one: Kind = register<Two>(\n  { name: 1 },\n)', true],
  ['one = new Two()', true],
  ['one = css`color: red`', true],
  ['one = (() => two())()', true],
  ['one = (size: number): number => two(size)', false],
  ['one: (size: number) => void = async (size) => two(size)', false],
  ['one = <T,>(size: T) => two(size)', false],
  ['one = function () { return two(); }', false],
  ["one = { name: 'two(3)' }", false],
  ['one = 60 * 1000', false],
])('the value of %s runs something when it is made: %s', (declaration, runs) => {
  expect(runsAtLoad(declaration)).toBe(runs);
});

test.each([
  ['a quote without an end', '`' + ' a('.repeat(400_000)],
  ['a long word in a string', `"( ${'a'.repeat(1_000_000)}"`],
  ['scripts and comments without an end', '<script <!-- { '.repeat(100_000)],
])('%s is read in one go', (_, text) => {
  // Each beginning tried up to the end would outlast the test.
  expect([...namesInStrings(text), ...codeWords(text)]).toEqual([]);
  expect([...templateWords('HTML', text)].length).toBeGreaterThanOrEqual(0);
});

test('prose keeps nothing alive: names are taken from code in documents and from what looks like code in strings', () => {
  expect([...codeWords('A size of `maxSize`.\n\n```\nopen()\n```\n.. autofunction:: shop.sell\n')]).toEqual([
    'maxSize',
    'open',
    'autofunction',
    'shop',
    'sell',
  ]);
  expect([...namesInStrings('say("the size of openMenu, send_mail and _vars is wrong")')]).toEqual([
    'openMenu',
    'send_mail',
    '_vars',
  ]);
  expect([...templateWords('MDX', "import { One } from 'two'\n\nSome size. <Part of={size} />\n")].join(' ')).toBe(
    'import One from two Part of size',
  );
  expect([...templateWords('HTML', '<p id="a">Some text {b}</p><script>run()</script> more')].join(' ')).toBe(
    'p id a b p script run script',
  );
});
