import { ServiceError } from '../../kernel/errors.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import { selectOutdatedPlans, selectPlan, updateReader } from '../store/store.ts';
import { selectItems, takeNumbers, upsertItem } from '../store/store-items.ts';
import { mergeItems } from '../store/work-items.ts';
import type { ItemDraft } from '../text/work-item-text.ts';
import type { Plans } from './context.ts';

/** To be raised when the reader of plans reads more of a text, or other work items. */
const READER = 1;

/** Saves the work items that a text of a plan has, as part of the caller's transaction: they keep their ids and what people edited. */
export async function saveItems(
  tx: Db,
  tenant: Tenant,
  { planId, drafts, at }: { planId: string; drafts: readonly ItemDraft[]; at: Date },
): Promise<void> {
  const items = mergeItems(planId, await selectItems(tx, tenant, [planId]), drafts, at);
  const added = items.filter(({ number }) => number === undefined).length;
  let number = added === 0 ? 0 : (await takeNumbers(tx, tenant, added)) - added;
  for (const item of items) await upsertItem(tx, tenant, { ...item, number: item.number ?? ++number });
  await updateReader(tx, tenant, { id: planId, reader: READER });
}

/** Reads the texts of plans again whose work items are from an older reader. One query of the database when there are none. */
export async function refreshItems(
  { db, texts, now }: Pick<Plans, 'db' | 'texts' | 'now'>,
  tenant: Tenant,
  ids: readonly string[],
): Promise<void> {
  for (const row of await selectOutdatedPlans(db, tenant, { ids, reader: READER })) {
    const items = await readItems(texts, row.text);
    await db.transaction().execute(async (tx) => {
      const locked = await selectPlan(tx, tenant, row.id, { lock: true });
      // Who saved it meanwhile has saved its items too.
      if (locked?.version !== row.version) return;
      if (items === undefined) await updateReader(tx, tenant, { id: row.id, reader: READER });
      else await saveItems(tx, tenant, { planId: row.id, drafts: items, at: now() });
    });
  }
}

/** Undefined for a text that cannot be read any more: its items stay as they are. */
async function readItems(texts: Plans['texts'], text: string): Promise<ItemDraft[] | undefined> {
  try {
    return (await texts.plan(text)).items;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
