import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/git.ts';
import { keepShard, findPreviousShard } from './previous-shard.ts';

function shard(folder: string, content: string): { file: string; hash: string } {
  const file = join(folder, 'source');
  rmSync(file, { force: true });
  writeFileSync(file, content);
  return { file, hash: createHash('sha256').update(content).digest('hex') };
}

test('the last shard that was kept is given, and takes the place of the one before', async () => {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(await findPreviousShard(folder)).toEqual({});

  for (const content of ['first', 'second', 'second']) {
    const { file, hash } = shard(folder, content);
    await keepShard(folder, file, hash);
    expect(await findPreviousShard(folder)).toEqual({ previousFile: join(folder, `code-${hash}.db`) });
  }

  expect(readdirSync(folder).filter((name) => name.startsWith('code-'))).toHaveLength(1);
});

test('a shard that was altered is not given', async () => {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { file, hash } = shard(folder, 'first');
  await keepShard(folder, file, hash);

  appendFileSync(join(folder, `code-${hash}.db`), 'x');

  expect(await findPreviousShard(folder)).toEqual({});
});
