import type { Tenant } from '../kernel/tenant.ts';
import { type ProductRequest, recordAudit } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { putThings } from '../knowledge/knowledge.ts';
import type { Db } from '../platform/db.ts';
import type { Signals } from './context.ts';
import {
  customersOf,
  foldName,
  moveSignals,
  selectWritten,
  selectWrittenNames,
  upsertNames,
} from './customers/customers.ts';
import { thingOf } from './save-signals.ts';
import { selectSignalsById } from './store.ts';

/** Names, and signals, of one transaction: some 20 ms. */
const BATCH = 100;
/** Most characters of the name of a customer. */
export const NAME_CHARACTERS = 400;

/**
 * Folds the names of customers that no rule has seen, and lets signals count for the customer of their name where that changed.
 * Safe twice and after a crash; nothing to do costs a query for each hundred names.
 *
 * @throws the signal's reason when it stops.
 */
export async function settleCustomers(
  { db }: Pick<Signals, 'db'>,
  tenant: Tenant,
  signal?: AbortSignal,
): Promise<void> {
  for (let after = ''; ;) {
    signal?.throwIfAborted();
    const names = await selectWrittenNames(db, tenant, { after, limit: BATCH });
    const last = names.at(-1);
    if (last === undefined) return;
    const unknown = names.flatMap(({ written, isKnown }) => (isKnown ? [] : [written]));
    if (unknown.length > 0) await db.transaction().execute((tx) => customersOf(tx, tenant, unknown));
    const moved = names.flatMap(({ written, isKnown, isMoved }) => (isMoved || !isKnown ? [written] : []));
    await settleNames(db, tenant, moved, signal);
    after = last.written;
  }
}

/** Lets the signals with these names count for the customers of the names, and gives how many counted for others. */
async function settleNames(db: Db, tenant: Tenant, names: readonly string[], signal?: AbortSignal): Promise<number> {
  let moved = 0;
  for (const written of names)
    for (;;) {
      signal?.throwIfAborted();
      const count = await db.transaction().execute(async (tx) => {
        const ids = await moveSignals(tx, tenant, { written, limit: BATCH });
        await putThings(tx, tenant, (await selectSignalsById(tx, tenant, ids)).map(thingOf));
        return ids.length;
      });
      moved += count;
      if (count < BATCH) break;
    }
  return moved;
}

/**
 * Lets names that sources write count as a customer, whatever the rule says: another one to merge, one of its own to split. What comes
 * later under a name that folds to the same follows. Gives how many signals count for another customer now.
 *
 * @throws ServiceError `bad_argument` for an empty or long name, `unknown_id` when no signal has one of the names.
 */
export async function assignCustomer(
  signals: Pick<Signals, 'db' | 'now'>,
  tenant: ProductRequest,
  { names, customer }: { names: readonly string[]; customer: string },
): Promise<{ customer: string; moved: number }> {
  const name = customer.trim();
  if (name === '' || name.length > NAME_CHARACTERS)
    throw new ServiceError('bad_argument', 'A customer needs a name.', {
      fix: `Use 1 to ${NAME_CHARACTERS} characters.`,
    });
  const { db, now } = signals;
  await db.transaction().execute(async (tx) => {
    const writtenNames = new Set(await selectWritten(tx, tenant, names));
    const unknown = names.find((written) => !writtenNames.has(written));
    if (unknown !== undefined)
      throw new ServiceError('unknown_id', `No signal is of "${unknown.slice(0, 80)}".`, {
        fix: 'Use names as GET /v1/customers lists them.',
      });
    const rows = [...writtenNames].map((written) => ({
      written,
      folded: foldName(written).folded,
      customer: name,
      isFixed: true,
    }));
    await upsertNames(tx, tenant, rows);
    const { accountId, productId, actor } = tenant;
    const detail = { names: [...writtenNames].slice(0, BATCH), name };
    await recordAudit(tx, { accountId, actor, action: 'customer.name', target: productId, at: now(), detail });
  });
  return { customer: name, moved: await settleNames(db, tenant, [...new Set(names)]) };
}
