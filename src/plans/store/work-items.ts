import type { AnchorRow } from '../../anchors/store/store.ts';
import { keepIds } from '../text/stable-ids.ts';
import type { ItemRow } from './store-items.ts';
import type { ItemDraft, ItemFields } from '../text/work-item-text.ts';

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
 * Merges the items of a saved text into those of the plan: each keeps its key (see `keepIds`), those that the text names no
 * more are marked as removed. Edits of people stay, until the text itself says something new about that field.
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
  const items = drafts.map((draft, position): ItemChange => {
    const key = keys[position] ?? '';
    const written = { ...fieldsOf(draft), depends: dependenciesOf(position, drafts, keys) };
    const old = before.find((row) => row.key === key);
    const edited = old === undefined ? {} : stillEdited(old, written);
    return { planId, key, number: old?.number, position, written, edited, removedAt: null, updatedAt: now };
  });
  const gone = before
    .filter((row) => row.removedAt === null && !keys.includes(row.key))
    .map((row) => ({ ...row, removedAt: now, updatedAt: now }));
  return [...items, ...gone];
}

/**
 * Items as they are now, of all rows of their plans: what the text says, and what was changed on top. Those that the text
 * names no more are left out, and so is what depends on them: it would never be done.
 */
export function itemsNow(rows: readonly ItemRow[]): WorkItem[] {
  const present = rows.filter(({ removedAt }) => removedAt === null);
  const keys = new Set(present.map(({ planId, key }) => `${planId} ${key}`));
  return present.map(({ planId, key, number, written, edited, updatedAt }) => {
    const item = { planId, key, number, updatedAt, ...written, ...edited };
    return { ...item, depends: item.depends.filter((name) => keys.has(`${planId} ${name}`)) };
  });
}

/**
 * Anchors of a plan that an item of it names. A name that stands beside another file than it first did has an anchor of its own
 * only where it is another thing.
 */
export function anchorsOfItem({ names }: Pick<WorkItem, 'names'>, anchors: readonly AnchorRow[]): AnchorRow[] {
  const byName = new Map(anchors.map((anchor) => [anchor.written, anchor]));
  const own = names.flatMap((name) => byName.get(name) ?? byName.get(name.replace(/@.*$/, '')) ?? []);
  return [...new Set(own)];
}

/** Keys of the items that come before each item of a plan: what it depends on, and the open ones of the phase before its own. */
export function keysBefore(items: readonly WorkItem[]): Map<string, string[]> {
  const phases = [...new Set(items.filter(isOpen).map(({ phase }) => phase))].toSorted((a, b) => b - a);
  const ofPhase = Map.groupBy(items.filter(isOpen), ({ phase }) => phase);
  return new Map(
    items.map(({ key, phase, depends }) => {
      const last = phase === 0 ? undefined : phases.find((other) => other > 0 && other < phase);
      const earlier = (last === undefined ? [] : (ofPhase.get(last) ?? [])).map((item) => item.key);
      return [key, [...new Set([...depends, ...earlier])]];
    }),
  );
}

/** True if the item has work left to do. */
export function isOpen({ status }: Pick<WorkItem, 'status'>): boolean {
  return status === 'todo' || status === 'doing';
}

/** Keys of the items that one waits for: those that it names, by key or label, and those that say they come before it. */
function dependenciesOf(position: number, drafts: readonly ItemDraft[], keys: readonly string[]): string[] {
  const draft = drafts[position];
  const own = keys[position] ?? '';
  const keyOf = (name: string): string => {
    const index = drafts.findIndex(({ label }) => label !== '' && (label === name || `T${label}` === name));
    return keys.includes(name) && drafts.some(({ key }) => key === name) ? name : (keys[index] ?? name);
  };
  const later = drafts.flatMap(({ before = [] }, index) =>
    before.some((name) => keyOf(name) === own) ? [keys[index] ?? ''] : [],
  );
  const phases = (draft?.after ?? []).flatMap((index) => keys[index] ?? []);
  return [...new Set([...(draft?.depends ?? []).map(keyOf), ...later, ...phases])].filter((key) => key !== own);
}

/** Returns the stored fields of a draft. */
function fieldsOf({
  key: _key,
  before: _before,
  after: _after,
  headings: _headings,
  spans: _spans,
  isRow: _isRow,
  ...fields
}: ItemDraft): ItemFields {
  return fields;
}

function stillEdited({ written, edited }: ItemRow, next: ItemFields): Partial<ItemFields> {
  const fields = Object.entries(edited) as [keyof ItemFields, never][];
  const unchanged = fields.filter(([field]) => JSON.stringify(written[field]) === JSON.stringify(next[field]));
  return Object.fromEntries(unchanged);
}
