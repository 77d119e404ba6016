import type { Tenant } from '../kernel/tenant.ts';
import { type ProductRequest, recordAudit } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { isUuid } from '../kernel/ids.ts';
import { removeEntries } from '../knowledge/knowledge.ts';
import type { Signals } from './context.ts';
import { deleteSignal, selectSignal, selectSignalsById, type SignalRow } from './store.ts';
import { selectHasSignals } from './store-themes.ts';

export type { Signals } from './context.ts';
export { forgetDeletions } from './change-signals.ts';
export { describeTheme } from './describe-theme.ts';
export { gatherThemes } from './gather-themes.ts';
export { linkThemes } from './link-themes.ts';
export { type GivenSignal, saveSignals } from './save-signals.ts';
export { selectSignals, type SignalFilter } from './store.ts';
export { listThemes, placeSignal, type Theme } from './themes.ts';

/**
 * The signal with this id or handle (`sig:…`).
 *
 * @throws ServiceError `unknown_id` when the product has none.
 */
export async function findSignal({ db }: Pick<Signals, 'db'>, tenant: Tenant, reference: string): Promise<SignalRow> {
  const id = reference.replace(/^sig:/, '');
  const row = isUuid(id) ? await selectSignal(db, tenant, id) : undefined;
  if (row !== undefined) return row;
  throw new ServiceError('unknown_id', `There is no signal "${reference.slice(0, 80)}".`, {
    fix: 'Use an id from a search or from the list of signals.',
  });
}

/** True if a product has a signal, or themes that are about ones that are gone. */
export function hasSignals({ db }: Pick<Signals, 'db'>, tenant: Tenant): Promise<boolean> {
  return selectHasSignals(db, tenant);
}

/** The signals with these handles, as far as there are such. */
export async function findSignals(
  { db }: Pick<Signals, 'db'>,
  tenant: Tenant,
  handles: readonly string[],
): Promise<SignalRow[]> {
  const ids = handles.map((handle) => handle.replace(/^sig:/, ''));
  return ids.length === 0 ? [] : selectSignalsById(db, tenant, ids);
}

/** Deletes a signal. @throws ServiceError `unknown_id` when it is not there. */
export async function removeSignal(signals: Signals, tenant: ProductRequest, reference: string): Promise<void> {
  const { id, source, externalId } = await findSignal(signals, tenant, reference);
  await signals.db.transaction().execute(async (tx) => {
    if (!(await deleteSignal(tx, tenant, id))) return;
    await removeEntries(tx, tenant, { corpus: 'signals', id: `sig:${id}` });
    const { accountId, actor } = tenant;
    const detail = { source, external_id: externalId };
    await recordAudit(tx, { accountId, actor, action: 'signal.delete', target: id, at: signals.now(), detail });
  });
}
