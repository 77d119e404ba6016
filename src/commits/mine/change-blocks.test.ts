import { expect, test } from 'vitest';
import { VarintWriter } from '../../kernel/varints.ts';
import { type BlockCommit, readBlock, writeBlockCommit } from './change-blocks.ts';

test('what is written to a block is read again, blocks that were joined included', () => {
  const commits: Omit<BlockCommit, 'id'>[] = [
    {
      time: 1_700_000_000,
      author: 3,
      type: 'unclassified',
      breaking: true,
      merge: false,
      bot: true,
      changes: [
        { path: 1, status: 'A', oldPath: undefined },
        { path: 200_000, status: 'R', oldPath: 7 },
        { path: 2, status: 'D', oldPath: undefined },
        { path: 3, status: 'T', oldPath: undefined },
      ],
    },
    { time: 0, author: 1, type: 'feat', breaking: false, merge: true, bot: false, changes: [] },
  ];
  const [first, second] = commits.map((commit) => {
    const out = new VarintWriter();
    writeBlockCommit(out, commit);
    return out.bytes().slice();
  });

  const read = readBlock(41, Buffer.concat([first ?? new Uint8Array(), second ?? new Uint8Array()]));

  expect(read).toEqual(commits.map((commit, at) => ({ ...commit, id: 41 + at })));
});

test('a clock that was wrong gives the nearest moment that can be kept', () => {
  const out = new VarintWriter();
  const commit = { author: 1, type: 'fix' as const, breaking: false, merge: false, bot: false, changes: [] };

  writeBlockCommit(out, { ...commit, time: -5 });
  writeBlockCommit(out, { ...commit, time: 9_000_000_000 });

  expect(readBlock(1, out.bytes()).map(({ time }) => time)).toEqual([0, 2_147_483_647]);
});
