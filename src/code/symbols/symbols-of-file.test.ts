import { expect, test } from 'vitest';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { shardInput, withShard } from '../../testing/code-shard.ts';
import { queryPlansOf } from '../../testing/query-plans.ts';
import { definedIn } from './store-file-references.ts';
import { symbolsOnLines } from './store-lines.ts';
import { findDefinitions, outline } from './store-symbols.ts';

/** So many that it would pay to ask by ids: of a small table SQLite reads all. */
const PATHS = Array.from({ length: 200 }, (_, at) => `${at}.ts`);
const nameIn = (path: string): string => `send_${path.replace('.ts', '')}`;
const FILES = [...PATHS, 'b.ts'].map((path) => ({
  path,
  text: `function ${nameIn(path)}() {\n  return 1;\n}\n${nameIn(path)}();\n`,
  symbols: [{ qualified: nameIn(path), kind: 'function' as const, line: 1, end: 3 }],
  uses: [{ line: 4, name: nameIn(path), use: 'call' as const, target: `${nameIn(path)}@${path}` }],
}));

const QUESTIONS: readonly (readonly [
  string,
  (db: ShardDatabase) => { rows?: readonly object[] } | readonly object[],
])[] = [
  ['the symbol at a handle', (db) => findDefinitions(db, { query: 'sym:send_b@b.ts', limit: 9 })],
  ['the symbol at a position', (db) => findDefinitions(db, { query: 'b.ts:2', limit: 9 })],
  ['a name seen from a file', (db) => findDefinitions(db, { query: 'send_b', limit: 9, seenFrom: 'b.ts' })],
  ['the outline of a file', (db) => outline(db, { path: 'b.ts', limit: 9, offset: 0 })],
  ['what is defined in a file', (db) => definedIn(db, { path: 'b.ts', limit: 9 })],
  ['what lies on lines', (db) => symbolsOnLines(db, { files: [{ path: 'b.ts', lines: [[2, 2]] }], limit: 9 })],
];

test.each(QUESTIONS)('a question about one file does not read the symbols of all: %s', async (_, ask) => {
  await withShard(shardInput(FILES), (db) => {
    const answer = ask(db);
    const plans = queryPlansOf(db, () => ask(db));

    expect('rows' in answer ? answer.rows : answer).not.toEqual([]);
    expect(plans).not.toContainEqual(expect.stringMatching(/^SCAN (?:s|symbol)$/));
  });
});
