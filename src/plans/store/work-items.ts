import { keepIds } from '../text/stable-ids.ts';
import type { ItemRow } from './store-items.ts';
import { BLANK_ITEM, type ItemDraft, type ItemFields } from '../text/work-item-text.ts';

/** A work item as it is now. */
export interface WorkItem extends ItemFields {
  planId: string;
  /** `T1`, within its plan. */
  key: string;
  /** As in the handle `wi:12`, within its product. */
  number: number;
  updatedAt: Date;
}

/** An item to be stored; `number` is undefined for one that has none yet. */
type ItemChange = Omit<ItemRow, 'number'> & { number: number | undefined };

/**
 * What becomes of the items of a plan when its text is saved: each keeps its key (see `keepIds`), those that the text names no more are
 * marked as removed. What people edited stays, until the text itself says something new about that field.
 */
export function mergeItems(
  planId: string,
  before: readonly ItemRow[],
  drafts: readonly ItemDraft[],
  now: Date,
): ItemChange[] {
  const keys = keepIds(
    'T',
    before.map(({ key, written }) => ({ id: key, text: written.title })),
    drafts.map(({ key, title }) => ({ id: key, text: title })),
  );
  const kept = drafts.map((draft, position): ItemChange => {
    const { key: _written, label: _label, before: _before, ...fields } = draft;
    const key = keys[position] ?? '';
    const written = { ...fields, depends: dependenciesOf(position, drafts, keys) };
    const old = before.find((row) => row.key === key);
    const edited = old === undefined ? {} : stillEdited(old, written);
    return { planId, key, number: old?.number, position, written, edited, removedAt: null, updatedAt: now };
  });
  const gone = before
    .filter((row) => row.removedAt === null && !keys.includes(row.key))
    .map((row) => ({ ...row, removedAt: now, updatedAt: now }));
  return [...kept, ...gone];
}

/**
 * Items as they are now, of all rows of their plans: what the text says, and what was changed on top. Those that the text
 * names no more are left out, and so is what depends on them: it would never be done.
 */
export function itemsNow(rows: readonly ItemRow[]): WorkItem[] {
  const present = rows.filter(({ removedAt }) => removedAt === null);
  const keys = new Set(present.map(({ planId, key }) => `${planId} ${key}`));
  return present.map(({ planId, key, number, written, edited, updatedAt }) => {
    // What was stored before a field came has none of it.
    const item = { planId, key, number, updatedAt, ...BLANK_ITEM, ...written, ...edited };
    return { ...item, depends: item.depends.filter((name) => keys.has(`${planId} ${name}`)) };
  });
}

/** Keys of the items that one waits for: those that it names, by key or label, and those that say they come before it. */
function dependenciesOf(position: number, drafts: readonly ItemDraft[], keys: readonly string[]): string[] {
  const draft = drafts[position];
  const own = keys[position] ?? '';
  const keyOf = (name: string): string => {
    const index = drafts.findIndex(({ label }) => label !== undefined && (label === name || `T${label}` === name));
    return keys.includes(name) && drafts.some(({ key }) => key === name) ? name : (keys[index] ?? name);
  };
  const later = drafts.flatMap(({ before = [] }, index) =>
    before.some((name) => keyOf(name) === own) ? [keys[index] ?? ''] : [],
  );
  return [...new Set([...(draft?.depends ?? []).map(keyOf), ...later])].filter((key) => key !== own);
}

function stillEdited({ written, edited }: ItemRow, next: ItemFields): Partial<ItemFields> {
  const fields = Object.entries(edited) as [keyof ItemFields, never][];
  const kept = fields.filter(([field]) => JSON.stringify(written[field]) === JSON.stringify(next[field]));
  return Object.fromEntries(kept);
}
