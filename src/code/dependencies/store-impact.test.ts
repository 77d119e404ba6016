import { expect, test } from 'vitest';
import { type FileSketch, shardInput, withShard } from '../../testing/code-shard.ts';
import { impact } from './store-impact.ts';

const PAGE = { limit: 9, offset: 0 };

/** A function that so many others call. */
function calledBy(count: number): FileSketch {
  const names = Array.from({ length: count }, (_, at) => `user${at}`);
  return {
    path: 'a.ts',
    text: `function core() {}\n${names.map((name) => `function ${name}() { core(); }\n`).join('')}`,
    symbols: ['core', ...names].map((qualified, at) => ({ qualified, kind: 'function' as const, line: at + 1 })),
    uses: names.map((enclosing, at) => ({ line: at + 2, name: 'core', use: 'call', target: 'core@a.ts', enclosing })),
  };
}

test('a question ends beyond the places that it may reach, and says so', () =>
  withShard(shardInput([calledBy(9)]), (db) => {
    const search = { root: { symbols: [0] }, depth: 2, ...PAGE };

    expect(impact(db, search, 9)).toMatchObject({ total: 9, reached: 9, isCut: false, goesOn: false });
    expect(impact(db, search, 8)).toMatchObject({ isCut: true, goesOn: false });
  }));

/** `first` calls `core`, `second` calls `first` and so on; `alone` calls `second`, and the step from there is certain. */
const CHAIN: FileSketch = {
  path: 'chain.ts',
  text: [
    'function core() {}',
    'function first() { core(); }',
    'function second() { first(); }',
    'function alone() { second(); }',
    'function again() { core(); second(); again(); }',
  ].join('\n'),
  symbols: ['core', 'first', 'second', 'alone', 'again'].map((qualified, at) => ({
    qualified,
    kind: 'function',
    line: at + 1,
  })),
  uses: [
    { line: 2, name: 'core', use: 'call', target: 'core@chain.ts', enclosing: 'first', grade: 'exact' },
    { line: 3, name: 'first', use: 'call', target: 'first@chain.ts', enclosing: 'second' },
    { line: 4, name: 'second', use: 'call', target: 'second@chain.ts', enclosing: 'alone', grade: 'exact' },
    { line: 5, name: 'core', use: 'call', target: 'core@chain.ts', enclosing: 'again', grade: 'exact' },
    { line: 5, name: 'second', use: 'call', target: 'second@chain.ts', enclosing: 'again' },
    { line: 5, name: 'again', use: 'call', target: 'again@chain.ts', enclosing: 'again' },
  ],
};

test('each place is reached by the shortest path, with the weakest grade on it, up to the depth', () =>
  withShard(shardInput([CHAIN]), (db) => {
    const at = (depth: number, more = {}): unknown[] => {
      const { rows, byHop, goesOn } = impact(db, { root: { symbols: [0] }, depth, ...PAGE, ...more });
      return [...rows.map(({ symbol, hop, grade }) => `${symbol} ${hop} ${grade}`), byHop, goesOn];
    };

    expect(at(1)).toEqual(['first 1 exact', 'again 1 exact', [2], true]);
    expect(at(2)).toEqual(['first 1 exact', 'again 1 exact', 'second 2 resolved', [2, 1], true]);
    expect(at(4)).toEqual([
      'first 1 exact',
      'again 1 exact',
      'second 2 resolved',
      'alone 3 resolved',
      [2, 1, 1, 0],
      false,
    ]);
    expect(at(4, { limit: 2, offset: 1 }).slice(0, 2)).toEqual(['again 1 exact', 'second 2 resolved']);
  }));
