import { copyFile, link, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOfFile } from '../platform/blobs.ts';

/** The name says what the content was when it was kept. */
const NAME = /^code-([0-9a-f]{64})\.db$/;

/**
 * The code shard that the next index of a repository may go on from, from its folder; not one that was altered, which
 * would be passed on for ever. It may be deleted at any time.
 */
export async function findPreviousShard(folder: string): Promise<{ previousFile?: string }> {
  for (const name of await readdir(folder)) {
    const hash = NAME.exec(name)?.[1];
    if (hash !== undefined && (await hashOfFile(join(folder, name))) === hash)
      return { previousFile: join(folder, name) };
  }
  return {};
}

/**
 * Keeps a shard of this content for the next index, in the place of the one before. The shard that is served is replaced
 * by what compilers know of the same commit, which the next index cannot go on from. Takes no room while it is served.
 */
export async function keepShard(folder: string, file: string, hash: string): Promise<void> {
  const target = join(folder, `code-${hash}.db`);
  const partial = `${target}.partial`;
  await rm(partial, { force: true });
  // The store may lie on another disk.
  await link(file, partial).catch(() => copyFile(file, partial));
  await rename(partial, target);
  const older = (await readdir(folder)).filter((name) => name.startsWith('code-') && name !== `code-${hash}.db`);
  for (const name of older) await rm(join(folder, name), { force: true });
}
