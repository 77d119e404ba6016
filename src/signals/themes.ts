import type { Tenant } from '../kernel/tenant.ts';
import { type AuditedChange, type ProductRequest, recordAudit } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { isUuid, uuidv7 } from '../kernel/ids.ts';
import { WEEK_MS } from '../kernel/time.ts';
import type { Db } from '../platform/db.ts';
import type { Signals } from './context.ts';
import {
  type CountedSignal,
  ensureTheme,
  pinSignal,
  renameTheme,
  selectCounted,
  selectThemes,
  type ThemeRow,
} from './store-themes.ts';
import { type LinkRow, selectLinks } from './links/store-links.ts';
import { deleteMerge, mergeTheme } from './store-merges.ts';
import { selectLiveSubjects, type SubjectRow } from './store-subjects.ts';
import { type Trend, TREND_WEEKS, trendOf } from './trend.ts';

const SAMPLES = 3;
export const LABEL_CHARACTERS = 120;

/** A theme with what is counted of it. */
export interface Theme {
  id: string;
  label: string;
  /** A person has named or pinned it. */
  labelled: boolean;
  /** What it is about and what answers it: code, plans, decisions and changes of competitors, the surest first. */
  links: LinkRow[];
  signals: number;
  /** Of them, those that are near to it without being one of it. */
  loose: number;
  /** Different ones; signals without a customer do not count. */
  customers: number;
  /** Value of these customers together, in the unit of the signals; undefined when no signal has one. */
  value: number | undefined;
  trend: Trend;
  /** Subjects of its signals in detail, largest first; none when they are all of one. */
  parts: { label: string; signals: number }[];
  /** Handle of the signal that says best what all say. */
  quoteId: string | undefined;
  newest: Date;
  /** Handles of the newest signals. */
  sampleIds: string[];
  /** The same of those that sound discontent, and content, with how many there are. */
  negative: Sounding;
  positive: Sounding;
}

/** Signals of a theme that sound alike. */
interface Sounding {
  signals: number;
  sampleIds: string[];
}

/**
 * Themes of a product with their counts, most signals first. `only` holds handles of the signals that count; all without
 * it. Trends are of all signals in any case: the last fourteen days against a year before.
 */
export async function listThemes(
  { db, now }: Pick<Signals, 'db' | 'now'>,
  tenant: Tenant,
  only?: ReadonlySet<string>,
): Promise<Theme[]> {
  const [rows, counted, subjects, allLinks] = await Promise.all([
    selectThemes(db, tenant),
    selectCounted(db, tenant),
    selectLiveSubjects(db, tenant),
    selectLinks(db, tenant),
  ]);
  const mergedInto = new Map(rows.map(({ id, mergedInto: into }) => [id, into]));
  const byTheme = new Map<string, CountedSignal[]>();
  for (const signal of counted) {
    const list = byTheme.get(signal.themeId);
    if (list === undefined) byTheme.set(signal.themeId, [signal]);
    else list.push(signal);
  }
  const filled = rows.flatMap((row) => {
    const all = byTheme.get(row.id);
    return all === undefined ? [] : [{ row, all }];
  });
  const weeks = weeksSince(counted.findLast(({ dateGiven }) => dateGiven)?.date, now());
  const newest = counted.find(({ dateGiven }) => dateGiven)?.date;
  const isPast = newest !== undefined && newest.getTime() < now().getTime() - 2 * WEEK_MS;
  const emerging = new Map(subjects.map((subject) => [mergedInto.get(subject.themeId) ?? subject.themeId, subject]));
  const links = Map.groupBy(allLinks, ({ themeId }) => themeId);
  return filled
    .flatMap(({ row, all }) => {
      const some = only === undefined ? all : all.filter(({ id }) => only.has(`sig:${id}`));
      if (some.length === 0) return [];
      const counts = trendOf(weeklyVoices(all, now()), weeks);
      const trend = withSubject(isPast ? { ...counts, direction: 'past' } : counts, emerging.get(row.id));
      return [{ ...themeOf(row, some, trend), links: links.get(row.id) ?? [] }];
    })
    .toSorted((a, b) => b.signals - a.signals || (`${a.label} ${a.id}` < `${b.label} ${b.id}` ? -1 : 1));
}

/**
 * Gives a theme a name, or pins it with the one that it has: a pinned theme keeps it, whatever signals come. Undone with
 * `pinned: false`.
 *
 * @throws ServiceError `unknown_id` when the product has no such theme, `bad_argument` for an empty or long name.
 */
export async function nameTheme(
  signals: Signals,
  tenant: ProductRequest,
  { id, label, pinned = true }: { id: string; label?: string | undefined; pinned?: boolean | undefined },
): Promise<void> {
  const name = label?.trim();
  if (name !== undefined && (name === '' || name.length > LABEL_CHARACTERS)) {
    throw new ServiceError('bad_argument', `A theme cannot have a name of ${name.length} characters.`, {
      fix: `Use 1 to ${LABEL_CHARACTERS} characters.`,
    });
  }
  await signals.db.transaction().execute(async (tx) => {
    const written = isUuid(id) ? await renameTheme(tx, tenant, { id, label: name, labelled: pinned }) : undefined;
    if (written === undefined) throw unknownTheme(id);
    await record(signals, tx, tenant, { action: 'theme.rename', target: id, detail: { label: written, pinned } });
  });
}

/**
 * Joins a theme with another one: what would go to the first goes to the second. Gives the id under which it can be undone.
 *
 * @throws ServiceError `unknown_id` when one of them is not there, `bad_argument` when they are the same.
 */
export async function joinThemes(
  signals: Signals,
  tenant: ProductRequest,
  { id, into }: { id: string; into: string },
): Promise<string> {
  const mergedAt = signals.now();
  const merge = uuidv7(mergedAt);
  await signals.db.transaction().execute(async (tx) => {
    const themes = new Map((await selectThemes(tx, tenant)).map((theme) => [theme.id, theme]));
    if (!themes.has(id)) throw unknownTheme(id);
    const target = themes.get(into);
    if (target === undefined) throw unknownTheme(into);
    const last = target.mergedInto ?? target.id;
    if (last === id) {
      throw new ServiceError('bad_argument', 'A theme cannot be merged with itself.', { fix: 'Choose another theme.' });
    }
    await mergeTheme(tx, tenant, { id: merge, themeId: id, intoId: last, mergedAt });
    await record(signals, tx, tenant, { action: 'theme.merge', target: id, detail: { into: last } });
  });
  return merge;
}

/**
 * Takes a merge back: the signals that moved and are still there go back, and so does what was merged into it before.
 * Gives the theme that is there again.
 *
 * @throws ServiceError `unknown_id` when it was undone already, or its theme was merged on since.
 */
export async function undoMerge(signals: Signals, tenant: ProductRequest, id: string): Promise<string> {
  return signals.db.transaction().execute(async (tx) => {
    const undone = isUuid(id) ? await deleteMerge(tx, tenant, id) : undefined;
    if (undone === undefined) {
      throw new ServiceError('unknown_id', `There is no merge "${id.slice(0, 80)}" that can be undone.`, {
        fix: 'Undo later merges of the same themes first; a merge can be undone once.',
      });
    }
    const { themeId, intoId } = undone;
    await record(signals, tx, tenant, { action: 'theme.unmerge', target: themeId, detail: { from: intoId } });
    return themeId;
  });
}

/**
 * The id of a theme that exists, or of the one with this name, which is made when there is none; for one that was merged,
 * the one that it is part of.
 *
 * @throws ServiceError `unknown_id` when the product has no theme with this id, `bad_argument` when neither is given.
 */
export async function themeNamed(
  { now }: Signals,
  tx: Db,
  tenant: ProductRequest,
  { theme, label }: { theme?: string | undefined; label?: string | undefined },
): Promise<string> {
  const existing = (await selectThemes(tx, tenant)).find((themeRow) => themeRow.id === theme);
  if (theme !== undefined && existing === undefined) throw unknownTheme(theme);
  const name = (label ?? '').trim().slice(0, LABEL_CHARACTERS);
  if (existing === undefined && name === '') {
    throw new ServiceError('bad_argument', 'The request does not name a theme.', {
      fix: 'Send "theme" or a "label".',
    });
  }
  const createdAt = now();
  const made = { id: uuidv7(createdAt), key: `person:${name.toLowerCase()}`, label: name, labelled: true, createdAt };
  const row = existing ?? (await ensureTheme(tx, tenant, made));
  return row.mergedInto ?? row.id;
}

/**
 * Puts a signal to a theme, for ever: one that is there, or a new one with a name.
 *
 * @throws ServiceError `unknown_id` when the signal or theme is not there.
 */
export async function placeSignal(
  signals: Signals,
  tenant: ProductRequest,
  { id, theme, label }: { id: string; theme?: string; label?: string },
): Promise<string> {
  const { db } = signals;
  const signalId = id.replace(/^sig:/, '');
  return db.transaction().execute(async (tx) => {
    const themeId = await themeNamed(signals, tx, tenant, { theme, label });
    const isThere = isUuid(signalId) && (await pinSignal(tx, tenant, { id: signalId, themeId }));
    if (!isThere) {
      throw new ServiceError('unknown_id', `There is no signal "${id.slice(0, 80)}".`, {
        fix: 'Use an id from a search or from the list of signals.',
      });
    }
    await record(signals, tx, tenant, { action: 'signal.place', target: signalId, detail: { theme: themeId } });
    return themeId;
  });
}

function record(
  { now }: Signals,
  tx: Db,
  { accountId, actor }: ProductRequest,
  change: { action: AuditedChange; target: string; detail: Record<string, unknown> },
): Promise<void> {
  return recordAudit(tx, { accountId, actor, at: now(), ...change });
}

/** Voices of each of the last weeks, oldest first; signals without a date of their own do not count. */
export function weeklyVoices(signals: readonly CountedSignal[], until: Date, weeks = TREND_WEEKS): number[] {
  const heard = Array.from({ length: weeks }, () => new Set<string>());
  for (const { id, customer, date, dateGiven } of signals) {
    const ago = Math.floor((until.getTime() - date.getTime()) / WEEK_MS);
    if (dateGiven && ago >= 0) heard[weeks - 1 - ago]?.add(customer === '' ? id : customer);
  }
  return heard.map(({ size }) => size);
}

/** Weeks since the oldest signal of a product that has a theme and a date; 0 where there is none. */
export function weeksSince(oldest: Date | undefined, now: Date): number {
  return oldest === undefined ? 0 : Math.ceil((now.getTime() - oldest.getTime()) / WEEK_MS);
}

/** A trend with what the signals of an emerging subject say, which counts more than the weekly counts of its theme. */
function withSubject(trend: Trend, subject: SubjectRow | undefined): Trend {
  if (subject === undefined) return trend;
  return { ...trend, chance: Math.min(trend.chance, Number(subject.chance.toPrecision(3))), direction: subject.kind };
}

/** `signals` are newest first, at least one. */
function themeOf(row: ThemeRow, signals: readonly CountedSignal[], trend: Trend): Omit<Theme, 'links'> {
  const { id, label, labelled, parts, quoteId } = row;
  const customers = new Map<string, number>();
  for (const { customer, value } of signals)
    if (customer !== '') customers.set(customer, Math.max(customers.get(customer) ?? 0, value ?? 0));
  const isValued = signals.some(({ customer, value }) => customer !== '' && value !== null);
  return {
    id,
    label,
    labelled,
    signals: signals.length,
    loose: signals.filter(({ placedBy }) => placedBy === 'loosely').length,
    customers: customers.size,
    value: isValued ? [...customers.values()].reduce((sum, value) => sum + value, 0) : undefined,
    trend,
    parts,
    quoteId: quoteId === null ? undefined : `sig:${quoteId}`,
    newest: signals[0]?.date ?? new Date(0),
    sampleIds: samplesOf(signals),
    negative: soundingOf(signals.filter(({ polarity }) => (polarity ?? 0) < 0)),
    positive: soundingOf(signals.filter(({ polarity }) => (polarity ?? 0) > 0)),
  };
}

function soundingOf(signals: readonly CountedSignal[]): Sounding {
  return { signals: signals.length, sampleIds: samplesOf(signals) };
}

function samplesOf(signals: readonly CountedSignal[]): string[] {
  return signals.slice(0, SAMPLES).map(({ id }) => `sig:${id}`);
}

export function unknownTheme(id: string): ServiceError {
  return new ServiceError('unknown_id', `There is no theme "${id.slice(0, 80)}".`, {
    fix: 'Use an id from the list of themes.',
  });
}
