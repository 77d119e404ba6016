import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskTroubles, isFull } from './disk.ts';

const here = { name: 'the data folder', path: tmpdir() };

test('a disk with room is no trouble, one with less than is asked for is told with both figures', async () => {
  expect(await diskTroubles([here], 0)).toEqual([]);
  expect(await diskTroubles([here], Number.MAX_SAFE_INTEGER)).toEqual([
    expect.stringMatching(/^the data folder has \d+ MB left on its disk, less than 8589934591 MB$/),
  ]);
});

test('a folder that is not there cannot be written, and the others are still looked at', async () => {
  const gone = { name: 'the folder of the blobs', path: join(tmpdir(), 'svc-nowhere/blobs') };

  expect(await diskTroubles([gone, here], Number.MAX_SAFE_INTEGER)).toEqual([
    'the folder of the blobs cannot be written',
    expect.stringContaining('the data folder has'),
  ]);
});

test.runIf(process.platform === 'linux')('a full disk is seen, also below a folder that is not made yet', () => {
  // This file system has no blocks at all.
  expect(isFull('/proc/1/svc/data')).toBe(true);
  expect(isFull(join(tmpdir(), 'svc-nowhere/data'))).toBe(false);
});
