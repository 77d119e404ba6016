import { expect, test } from 'vitest';
import { type FileSketch, shardInput, withShard } from '../../testing/code-shard.ts';
import type { Grade, Use } from '../../code-index/format/rows.ts';
import { usages } from './store-usages.ts';

const PAGE = { limit: 20, offset: 0 };

/** A use of the method `go` of a class in `a.ts`. */
function goAt(line: number, holder: string, grade: Grade, use: Use): FileSketch['uses'] {
  return [{ line, name: 'go(', target: `${holder}/go@a.ts`, grade, use }];
}

/** Two methods that are called at the same two positions. */
const GO: FileSketch = {
  path: 'a.ts',
  text: 'export class A {\n  go() {}\n}\nexport class B {\n  go() {}\n}\nnew A().go();\nnew B().go();\n',
  symbols: [
    { qualified: 'A', kind: 'class', line: 1, end: 3 },
    { qualified: 'A/go', kind: 'method', line: 2 },
    { qualified: 'B', kind: 'class', line: 4, end: 6 },
    { qualified: 'B/go', kind: 'method', line: 5 },
  ],
  uses: [
    ...(goAt(7, 'A', 'exact', 'read') ?? []),
    ...(goAt(7, 'B', 'resolved', 'call') ?? []),
    ...(goAt(8, 'A', 'resolved', 'read') ?? []),
    ...(goAt(8, 'B', 'exact', 'call') ?? []),
  ],
};

test('of one position that lists share, the best grade stays, then the lowest use', () =>
  withShard(shardInput([GO]), (db) => {
    const both = usages(db, { symbols: [1, 3], ...PAGE });

    expect(both.rows.map(({ line, use, grade }) => [line, use, grade])).toEqual([
      [7, 'read', 'exact'],
      [8, 'call', 'exact'],
    ]);
    expect(both).toMatchObject({ total: 2, isCut: false, byUse: { call: 1, read: 1 }, symbols: 2 });
    expect(usages(db, { symbols: [1], limit: 1, offset: 1 }).rows).toMatchObject([{ line: 8, grade: 'resolved' }]);
    expect(usages(db, { symbols: [1, 3], ...PAGE }, 1)).toMatchObject({ total: 1, isCut: true, rows: [{ line: 7 }] });
  }));

test('a position that a method shares with its override family is its own alone', () =>
  withShard(shardInput([GO], [['A/go@a.ts', 'B/go@a.ts']]), (db) => {
    const { rows } = usages(db, { symbols: [1], ...PAGE });

    expect(rows.map(({ line, use, family = false }) => [line, use, family])).toEqual([
      [7, 'read', false],
      [8, 'read', false],
      [5, 'implements', true],
    ]);
  }));

/** A Rust file whose tests are inside of it, and a file of tests. */
const WITH_TESTS_INSIDE: readonly FileSketch[] = [
  {
    path: 'mail.rs',
    language: 'Rust',
    text: 'fn post() {}\nfn send() { post(); }\nmod tests {\n  fn sends() { post(); }\n}\n',
    symbols: [
      { qualified: 'post', kind: 'function', line: 1 },
      { qualified: 'send', kind: 'function', line: 2 },
      { qualified: 'tests', kind: 'module', line: 3, end: 5 },
      { qualified: 'tests/sends', kind: 'function', line: 4 },
    ],
    uses: [
      { line: 2, name: 'post', use: 'call', target: 'post@mail.rs', enclosing: 'send' },
      { line: 4, name: 'post', use: 'test', target: 'post@mail.rs', enclosing: 'tests/sends' },
    ],
  },
  {
    path: 'tests/mail.rs',
    language: 'Rust',
    test: true,
    text: 'fn posts() { post(); }\n',
    symbols: [{ qualified: 'posts', kind: 'function', line: 1 }],
    uses: [{ line: 1, name: 'post', use: 'call', target: 'post@mail.rs', enclosing: 'posts' }],
  },
];

test('of a file with tests inside, uses are of tests or not by where they are', () =>
  withShard(shardInput(WITH_TESTS_INSIDE), (db) => {
    const users = (tests: 'include' | 'only' | 'exclude'): string[] =>
      usages(db, { symbols: [0], tests, ...PAGE }).rows.map(({ enclosing }) => enclosing);

    expect(users('include')).toEqual(['send', 'tests/sends', 'posts']);
    expect(users('only')).toEqual(['tests/sends', 'posts']);
    expect(users('exclude')).toEqual(['send']);
  }));
