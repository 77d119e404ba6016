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
  const wanted = [...new Set(names)]
    .filter((name) => name !== '')
    .map((written) => ({ written, ...foldName(written) }));
  const ask = { written: wanted.map(({ written }) => written), folded: wanted.map(({ folded }) => folded) };
  if (wanted.length === 0) return new Map();
  const known = namesBy(await selectNames(tx, tenant, ask));
  if (wanted.every(({ written }) => known.byName.has(written))) return known.byName;
  await lockNames(tx, tenant);
  const { byName, byFolded } = namesBy(await selectNames(tx, tenant, ask));
  const added: CustomerName[] = [];
  for (const { written, folded, shown } of wanted) {
    if (byName.has(written)) continue;
    const customer = byFolded.get(folded) ?? shown;
    byName.set(written, customer);
    byFolded.set(folded, customer);
    added.push({ written, folded, customer, isFixed: false });
  }
  await upsertNames(tx, tenant, added);
  return byName;
}

function namesBy(rows: readonly CustomerName[]): { byName: Map<string, string>; byFolded: Map<string, string> } {
  const byFolded = new Map<string, string>();
  // What a rule placed decides before what a person set apart.
  for (const { folded, customer } of rows) if (!byFolded.has(folded)) byFolded.set(folded, customer);
  return { byName: new Map(rows.map(({ written, customer }) => [written, customer])), byFolded };
}
