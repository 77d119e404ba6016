import { type ProductRequest, recordAudit } from '../accounts/accounts.ts';
import type { Repositories } from './context.ts';
import { deletePause, insertPause, selectPending } from './store-pause.ts';

/** Lets no repository of the product be fetched or indexed until `resumeIndexing`; runs that go on end. Safe twice. */
export async function pauseIndexing({ db, now }: Repositories, tenant: ProductRequest): Promise<void> {
  const { accountId, productId: target, actor } = tenant;
  const at = now();
  await db.transaction().execute(async (tx) => {
    if (!(await insertPause(tx, tenant, { since: at, pausedBy: actor }))) return;
    await recordAudit(tx, { accountId, actor, action: 'repository.pause', target, at, detail: {} });
  });
}

/** Ends a pause. Returns the repositories that wait for a run since. */
export async function resumeIndexing({ db, now }: Repositories, tenant: ProductRequest): Promise<string[]> {
  const { accountId, productId: target, actor } = tenant;
  return db.transaction().execute(async (tx) => {
    if (!(await deletePause(tx, tenant))) return [];
    await recordAudit(tx, { accountId, actor, action: 'repository.resume', target, at: now(), detail: {} });
    return selectPending(tx, tenant);
  });
}
