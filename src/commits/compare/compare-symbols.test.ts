import { expect, test } from 'vitest';
import { type PastSymbol, readPastFiles } from '../../code-index/past-symbols/past-symbols.ts';
import { compareSymbols, joinMoves, type SymbolChange } from './compare-symbols.ts';

const { signal } = new AbortController();

/** Returns the changes of the symbols of one file, from its texts. */
async function changes(path: string, before: string, after: string): Promise<string[]> {
  const [was, is] = await readPastFiles(
    [
      { path, text: before },
      { path, text: after },
    ],
    signal,
  );
  return describeChanges(compareSymbols({ before: was?.symbols ?? [], after: is?.symbols ?? [] }));
}
const describeChanges = (all: readonly SymbolChange[]): string[] =>
  all.map(({ change, symbol }) => `${change} ${symbol.qualified}`);

test('what is declared in another way has changed; comments, layout, bodies and values have not', async () => {
  const before =
    'export type Box = { a: string }\nexport function send(\n  to: string, // who\n) {\n  return 1;\n}\nexport const limit = 3;\n';
  const after =
    'export class Box {\n  a = "";\n}\nexport function send(to: string /* whom */) {\n  function inner() {}\n  return inner;\n}\nexport const limit = 4;\n';

  expect(await changes('a.ts', before, after)).toEqual(['changed Box', 'changed Box/a']);
  expect(
    await changes('a.py', 'def send(to,  # who\n    copy):\n  pass\n', 'def send(to, copy):\n  return 1\n'),
  ).toEqual([]);
  expect(
    await changes('a.go', 'package a\n\nfunc Send(to string) {}\n', 'package a\n\nfunc Send(to []string) {}\n'),
  ).toEqual(['changed Send']);
});

test('an alias that is written anew stands for its members', async () => {
  expect(
    await changes(
      'a.ts',
      'export type Box = { a: string; b: string }\n',
      'export type Box = { a: number; c: string }\n',
    ),
  ).toEqual(['changed Box']);
});

const symbol = (qualified: string, signature: string): PastSymbol => ({
  qualified,
  signature,
  kind: 'function',
  line: 1,
  exported: true,
});

test('overloads are compared as a group', () => {
  const [first, second, third] = ['(a)', '(a, b)', '(a, b, c)'].map((head) => symbol('send', head));
  if (first === undefined || second === undefined || third === undefined) throw new Error('three were made');

  expect(describeChanges(compareSymbols({ before: [first, second], after: [second, first] }))).toEqual([]);
  expect(describeChanges(compareSymbols({ before: [first, second], after: [second, third] }))).toEqual([
    'changed send',
  ]);
  expect(describeChanges(compareSymbols({ before: [first], after: [first, second] }))).toEqual(['added send']);
  expect(describeChanges(compareSymbols({ before: [first, second, third], after: [second] }))).toEqual([
    'removed send',
    'removed send',
  ]);
});

test('what one file lost and one gained as it was has moved; what two gained is new', () => {
  const removed: SymbolChange = { change: 'removed', symbol: symbol('send', '(a)') };
  const added: SymbolChange = { change: 'added', symbol: symbol('send', '(a)') };

  expect(joinMoves([[removed], [added]]).map(describeChanges)).toEqual([[], ['moved send']]);
  expect(joinMoves([[removed], [added], [added]]).map(describeChanges)).toEqual([
    ['removed send'],
    ['added send'],
    ['added send'],
  ]);
});
