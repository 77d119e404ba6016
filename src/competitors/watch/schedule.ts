import { removeThings } from '../../knowledge/knowledge.ts';
import { deleteOld } from '../store/store-changes.ts';
import { selectDueDigests } from '../store/store-digest.ts';
import { selectDueProducts, selectPages } from '../store/store.ts';
import { checkPages } from './check.ts';
import type { Competitors } from './context.ts';

/** Between two fetches of one look: caches and counters of sites change with time, not with each request. */
const BETWEEN_MS = 15_000;

/** True if a page is due to be checked, or a digest to be sent. */
export async function hasDue({ db, now }: Competitors, what: 'pages' | 'digests'): Promise<boolean> {
  const due = what === 'pages' ? await selectDueProducts(db, now()) : await selectDueDigests(db, now());
  return due.length > 0;
}

/** Checks the pages of all products whose time has come. What a stop leaves undone is due still. */
export async function checkDuePages(competitors: Competitors, signal: AbortSignal): Promise<void> {
  const { db, now } = competitors;
  for (const tenant of await selectDueProducts(db, now())) {
    const due = (await selectPages(db, tenant)).filter(({ dueAt }) => dueAt <= now());
    await checkPages(competitors, tenant, due, { signal, betweenMs: BETWEEN_MS });
    signal.throwIfAborted();
  }
}

/** Deletes changes and texts that are older than their retention. The current text of a page stays. */
export async function forgetOld({ db, retentionMs, now }: Competitors): Promise<void> {
  const before = new Date(now().getTime() - retentionMs);
  await db.transaction().execute(async (tx) => {
    const gone = await deleteOld(tx, before);
    for (const changes of Map.groupBy(gone, ({ accountId, productId }) => `${accountId} ${productId}`).values()) {
      const [first] = changes;
      if (first === undefined) continue;
      const things = changes.map(({ id }) => ({ corpus: 'competitors' as const, id: `chg:${id}` }));
      await removeThings(tx, first, things);
    }
  });
}
