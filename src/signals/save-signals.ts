import { storableText } from '../kernel/storable-text.ts';
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type ProductRequest, recordAudit } from '../accounts/accounts.ts';
import { uuidv7 } from '../kernel/ids.ts';
import { putThings } from '../knowledge/knowledge.ts';
import type { Signals } from './context.ts';
import { customersOf } from './customers/customers.ts';
import { writtenLanguage } from '../text/function-words.ts';
import { declaredJudgement } from './polarity.ts';
import { type NewSignal, upsertSignals } from './store.ts';

/** Longest text that is kept of a signal. */
export const TEXT_CHARACTERS = 20_000;

/** Signals of one transaction, some 10 ms: the embedded database has one connection, so every question waits that long. */
const BATCH = 50;

/** A signal as it comes in; what is not known is left out. */
export interface GivenSignal {
  text: string;
  externalId?: string | undefined;
  source?: string | undefined;
  customer?: string | undefined;
  segment?: string | undefined;
  value?: number | undefined;
  /** Stars, 1 to 5: they decide the polarity. */
  rating?: number | undefined;
  version?: string | undefined;
  language?: string | undefined;
  /** Now when absent. */
  date?: Date | undefined;
  tags?: readonly string[] | undefined;
  link?: string | undefined;
}

/** Outcome of each signal, in the order in which they came. */
interface SavedSignals {
  ids: string[];
  added: number;
  /** Those that were there with other fields, which are now what was sent last. */
  updated: number;
  /** Those that were there as they were sent. */
  unchanged: number;
}

/**
 * Keeps signals. The same source and external id again is the same signal; without an external id the source, customer
 * and text say which one it is, so sending a batch twice adds nothing. Found by every search that begins afterwards. The
 * audit log has one entry for up to 50 of them.
 */
export async function saveSignals(
  { db, now }: Pick<Signals, 'db' | 'now'>,
  tenant: ProductRequest,
  given: readonly GivenSignal[],
): Promise<SavedSignals> {
  const at = now();
  const saved: SavedSignals = { ids: [], added: 0, updated: 0, unchanged: 0 };
  for (let from = 0; from < given.length; from += BATCH) {
    const rows = given.slice(from, from + BATCH).map((signal) => rowOf(signal, at));
    // Reading what they say takes the thread that answers questions.
    await setImmediate();
    // The last of several with one name is what counts.
    const distinct = new Map(rows.map((row) => [keyOf(row), row]));
    const rowsByKey = await db.transaction().execute(async (tx) => {
      const customers = await customersOf(
        tx,
        tenant,
        rows.map(({ customerWritten }) => customerWritten),
      );
      for (const row of distinct.values()) row.customer = customers.get(row.customerWritten) ?? '';
      const storedRows = await upsertSignals(tx, tenant, [...distinct.values()]);
      const ids = new Map(storedRows.map((row) => [keyOf(row), row]));
      const things = [...distinct].map(([key, row]) => thingOf({ ...row, id: ids.get(key)?.id ?? row.id }));
      await putThings(tx, tenant, things);
      const { accountId, productId, actor } = tenant;
      const { added, updated } = countOf(storedRows);
      const detail = { added, updated, sources: [...new Set(rows.map(({ source }) => source))] };
      await recordAudit(tx, { accountId, actor, action: 'signal.save', target: productId, at, detail });
      return ids;
    });
    saved.ids.push(...rows.map((row) => `sig:${rowsByKey.get(keyOf(row))?.id ?? row.id}`));
    const { added, updated, unchanged } = countOf([...rowsByKey.values()]);
    saved.added += added;
    saved.updated += updated;
    saved.unchanged += unchanged;
  }
  return saved;
}

function countOf(rows: readonly { added: boolean; changed: boolean }[]): Omit<SavedSignals, 'ids'> {
  const added = rows.filter((row) => row.added).length;
  const updated = rows.filter((row) => !row.added && row.changed).length;
  return { added, updated, unchanged: rows.length - added - updated };
}

/** The entries by which a signal is found. */
export function thingOf(row: NewSignal) {
  const { id, text, date, tags, customer, segment, source } = row;
  const entry = { part: '', kind: 'signal', title: '', section: '', text, date, tags, customer, segment, source };
  return { corpus: 'signals' as const, id: `sig:${id}`, entries: [entry] };
}

function rowOf(given: GivenSignal, now: Date): NewSignal {
  const text = clean(given.text).slice(0, TEXT_CHARACTERS);
  const source = clean(given.source ?? '') || 'import';
  const customerWritten = clean(given.customer ?? '');
  const tags = [...new Set((given.tags ?? []).map(clean).filter((tag) => tag !== ''))];
  const rating = given.rating ?? null;
  const { polarity, words, intent } = declaredJudgement({ text, tags, rating });
  const content = createHash('sha256')
    .update(JSON.stringify([source, customerWritten, text]))
    .digest('hex');
  return {
    id: uuidv7(now),
    externalId: clean(given.externalId ?? '') || `sha256:${content.slice(0, 32)}`,
    source,
    // Until the names of the batch are known.
    customer: customerWritten,
    customerWritten,
    segment: clean(given.segment ?? ''),
    value: given.value ?? null,
    date: given.date ?? now,
    dateGiven: given.date !== undefined,
    text,
    tags,
    link: clean(given.link ?? ''),
    rating,
    version: clean(given.version ?? '') || null,
    language: clean(given.language ?? '') || (writtenLanguage(text) ?? null),
    polarity: polarity ?? null,
    polarityWords: words,
    intent,
    createdAt: now,
  };
}

/** Without zero characters and halves of characters, which a database does not take. */
function clean(text: string): string {
  return storableText(text).trim();
}

function keyOf({ source, externalId }: Pick<NewSignal, 'source' | 'externalId'>): string {
  return JSON.stringify([source, externalId]);
}
