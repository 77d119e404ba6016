import { readdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listProductKeys } from '../accounts/accounts.ts';
import { DAY_MS } from '../kernel/time.ts';
import type { Db } from '../platform/db.ts';
import { deleteIndexFile } from './index-file.ts';
import { deleteMarks } from './store.ts';

/** An index that was not used for so long is deleted; the next search makes it again. */
const UNUSED_MS = 30 * DAY_MS;
/** An index file that lives has read a change that was the last one less long ago. */
const MARK_MS = UNUSED_MS + 7 * DAY_MS;

const END = '.db';

/** Deletes the indexes of products that are gone, and those that were not used for a month, but for those that are written. */
export async function sweepIndexFiles(db: Db, folder: string, writing: ReadonlySet<string>): Promise<number> {
  await deleteMarks(db, new Date(Date.now() - MARK_MS));
  // Files first: one that appears later belongs to a product that the second look sees.
  const accounts = await readdir(folder).catch(() => []);
  const names = await Promise.all(accounts.map((account) => readdir(join(folder, account)).catch(() => [])));
  if (accounts.length === 0) return 0;
  const products = await listProductKeys(db);
  let deleted = 0;
  for (const [at, account] of accounts.entries()) {
    for (const name of names[at] ?? []) {
      const path = join(folder, account, name);
      if (!name.endsWith(END) || writing.has(path)) continue;
      const used = await stat(path).catch(() => undefined);
      const isUnused = used !== undefined && Date.now() - used.mtimeMs > UNUSED_MS;
      if (products.has(`${account}/${name.slice(0, -END.length)}`) && !isUnused) continue;
      deleteIndexFile(path);
      deleted += 1;
    }
    // Only an empty one can be removed so.
    await rmdir(join(folder, account)).catch(() => undefined);
  }
  return deleted;
}
