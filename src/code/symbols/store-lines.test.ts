import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ShardDatabase, openShard } from '../../indexes/shards/shards.ts';
import { shardInput, withShard } from '../../testing/code-shard.ts';
import { testFolder } from '../../testing/git.ts';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { writeCodeShard } from '../../code-index/shard/shard-writer.ts';
import { fileLines, fileSizes, symbolsOnLines } from './store-lines.ts';

const folder = testFolder();
let db: ShardDatabase;

beforeAll(async () => {
  const input = shardInput([
    {
      path: 'a.ts',
      text: 'one\n'.repeat(20),
      symbols: [
        { qualified: 'List', kind: 'class', line: 2, end: 12 },
        { qualified: 'List/sort', kind: 'method', line: 4, end: 6 },
        { qualified: 'List/page', kind: 'method', line: 8, end: 10 },
      ],
    },
    { path: 'notes.txt', text: 'words\n' },
  ]);
  await writeCodeShard(join(folder, 'code'), { repository: 'shop', commit: 'abc' }, input);
  db = openShard(join(folder, 'code'), CODE_FORMAT);
});

afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

test.each([
  [[[5, 5]], ['List/sort']],
  [[[3, 3]], ['List']],
  [[[5, 9]], ['List', 'List/sort', 'List/page']],
  [
    [
      [9, 9],
      [4, 4],
    ],
    ['List/sort', 'List/page'],
  ],
  [[[15, 16]], []],
] as [[number, number][], string[]][])('the innermost symbols of lines %j are %j', (lines, expected) => {
  const symbols = symbolsOnLines(db, { files: [{ path: 'a.ts', lines }], limit: 10 });

  expect(symbols.map(({ qualified }) => qualified)).toEqual(expected);
});

test('no more symbols than asked for, and none of files that are not there', () => {
  expect(symbolsOnLines(db, { files: [{ path: 'a.ts', lines: [[1, 20]] }], limit: 2 })).toHaveLength(2);
  expect(symbolsOnLines(db, { files: [{ path: 'b.ts', lines: [[1, 20]] }], limit: 2 })).toEqual([]);
});

test('files that define something have a size', () => {
  expect(fileSizes(db, {})).toEqual([{ path: 'a.ts', lines: 20, test: false, complexity: 0 }]);
});

test('data and documents have no lines of code, but where a repository has nothing else', async () => {
  const others = [
    { path: 'de.ts', text: 'a\nb\n', content: 'data' as const, symbols: [] },
    { path: 'README.md', text: 'a\n', language: 'Markdown' },
  ];

  const mixed = await withShard(shardInput([{ path: 'a.ts', text: 'x\n' }, ...others]), (shard) =>
    fileLines(shard, {}),
  );
  const docs = await withShard(shardInput(others), (shard) => fileLines(shard, {}));

  expect(mixed).toEqual({ files: [{ path: 'a.ts', lines: 1 }], omitted: { data: 1, generated: 0, prose: 1 } });
  expect(docs).toEqual({
    files: [
      { path: 'README.md', lines: 1 },
      { path: 'de.ts', lines: 2 },
    ],
    omitted: { data: 0, generated: 0, prose: 0 },
  });
});
