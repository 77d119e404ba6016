import { expect, test } from 'vitest';
import { codeWords, countCalls, namedByPath, namesInStrings, runsAtLoad, templateWords } from './text.ts';

test('paths are names with dots and a colon, or alone in quotes or on a line', () => {
  const text = 'a = celery.worker:default\nx = "com.shop.Guard"\ncom.shop.other.Guard\n.of.here:it\nb.c';

  expect([...namedByPath(text)]).toEqual([
    'celery/worker#default',
    'com/shop#Guard',
    'com/shop/other#Guard',
    'of/here#it',
  ]);
});

test.each([['a word with many dots', 'a.'.repeat(500_000)]])('%s are read in one go', (_, text) => {
  // Each beginning tried up to the end would outlast the test.
  expect([...namedByPath(text)]).toEqual([]);
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
  expect([...templateWords(true, text)].length).toBeGreaterThanOrEqual(0);
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
  expect([...templateWords(true, "import { One } from 'two'\n\nSome size. <Part of={size} />\n")].join(' ')).toBe(
    'import One from two Part of size',
  );
  expect([...templateWords(true, '<p id="a">Some text {b}</p><script>run()</script> more')].join(' ')).toBe(
    'p id a b p script run script',
  );
});

test.each([
  ['a call, one with a space or a new line before its parenthesis', 'run(); run (); run\n()', 'run', 3],
  ['no part of a longer name', 'rerun(); $run(); _run(); runs(); run1()', 'run', 0],
  ['no name without a parenthesis, whatever follows', 'run; run = (1); run.call()', 'run', 0],
  ['a name with signs of patterns', '$a(); b$a(); this.#a(); a.b(); a+b()', '$a', 1],
  ['a name that begins anew within itself', '###(', '##', 1],
  ['a member and a name at the beginning', 'run() || shop.run()', 'run', 2],
  ['nothing without a name', '( (', '', 0],
])('calls are counted by name: %s', (_, text, name, count) => {
  expect(countCalls(text, name)).toBe(count);
});
