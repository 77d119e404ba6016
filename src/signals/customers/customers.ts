import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import { foldName } from './fold-name.ts';
import { type CustomerName, lockNames, selectNames, upsertNames } from './store-customers.ts';

export { foldName } from './fold-name.ts';
export {
  type CustomerRow,
  moveSignals,
  selectCustomers,
  selectWritten,
  selectWrittenNames,
  upsertNames,
} from './store-customers.ts';

/**
 * The customers that names of sources count as, by name. A name that is new counts as the customer of those that fold to the
 * same, else as one of its own. Part of the caller's transaction.
 */
export async function customersOf(tx: Db, tenant: Tenant, names: readonly string[]): Promise<Map<string, string>> {
  const variants = [...new Set(names)]
    .filter((name) => name !== '')
    .map((written) => ({ written, ...foldName(written) }));
  const ask = { written: variants.map(({ written }) => written), folded: variants.map(({ folded }) => folded) };
  if (variants.length === 0) return new Map();
  const existing = namesBy(await selectNames(tx, tenant, ask));
  if (variants.every(({ written }) => existing.byName.has(written))) return existing.byName;
  await lockNames(tx, tenant);
  const { byName, byNormalized } = namesBy(await selectNames(tx, tenant, ask));
  const added: CustomerName[] = [];
  for (const { written, folded, shown } of variants) {
    if (byName.has(written)) continue;
    const customer = byNormalized.get(folded) ?? shown;
    byName.set(written, customer);
    byNormalized.set(folded, customer);
    added.push({ written, folded, customer, isFixed: false });
  }
  await upsertNames(tx, tenant, added);
  return byName;
}

function namesBy(rows: readonly CustomerName[]): { byName: Map<string, string>; byNormalized: Map<string, string> } {
  const byNormalized = new Map<string, string>();
  // What a rule placed decides before what a person set apart.
  for (const { folded, customer } of rows) if (!byNormalized.has(folded)) byNormalized.set(folded, customer);
  return { byName: new Map(rows.map(({ written, customer }) => [written, customer])), byNormalized };
}
