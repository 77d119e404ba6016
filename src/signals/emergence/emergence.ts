import { findSurprising, poissonTail } from '../../kernel/poisson.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import { DAY_MS } from '../../kernel/time.ts';
import type { Signals } from '../context.ts';
import { type DatedSignal, selectDated } from './store-dated.ts';
import { ThemeTexts } from '../theme-texts.ts';

/** Signals that are grouped: the newest, and as many of those before, evenly, without which all that is recent would look alike. */
const MOST_RECENT = 1_000;
/** Signals before that are compared with the groups. */
const MOST_BEFORE = 10_000;
/** Signals of fewer customers may be chance, however rare the subject was. */
const LEAST_VOICES = 4;
const SAMPLES = 3;

/** A subject that appeared lately. */
export interface NewSubject {
  /** In the words of its signals. */
  subject: string;
  /** When its first signal of the period came. */
  since: Date;
  signals: number;
  customers: number;
  /** Signals about it in all the time before that was compared. */
  before: number;
  /** What the most typical of its signals says. */
  quote: { id: string; text: string };
  /** Handles of the newest signals. */
  sampleIds: string[];
  /** The label of the theme that most of its signals have. */
  theme: string | undefined;
}

/** New subjects with what they were looked for in. */
interface NewSubjects {
  subjects: NewSubject[];
  recent: number;
  before: number;
}

/**
 * Subjects of a period that hardly anybody had before it: the signals of the period are grouped with no more of those before, so
 * that a large past cannot hide a few of them, and all those before are compared with the groups. A subject is new when so many voices are no accident
 * (Poisson, among all groups of the period), whatever their number. Takes a process, a second for 5,000 signals.
 */
export async function findNewSubjects(
  { db, themeWatch: watch }: Pick<Signals, 'db' | 'themeWatch'>,
  tenant: Tenant,
  { since, until, signal }: { since: Date; until: Date; signal: AbortSignal },
): Promise<NewSubjects> {
  const recent = await selectDated(db, tenant, { since, until, limit: MOST_RECENT });
  const before = await selectDated(db, tenant, { until: since, limit: MOST_BEFORE });
  const looked = { recent: recent.length, before: before.length };
  const [oldest] = before;
  // Without a time before nothing is newer than anything else.
  if (recent.length < LEAST_VOICES || oldest === undefined) return { subjects: [], ...looked };
  await using texts = new ThemeTexts({ signal, watch });
  await texts.add([...before, ...recent]);
  const share = (until.getTime() - since.getTime()) / Math.max(DAY_MS, since.getTime() - oldest.date.getTime());
  const groups = await groupRecent(texts, recent, before);
  const isNew = findSurprising(
    groups.map(({ own, earlier }) => {
      const voices = voicesOf(own);
      return voices >= LEAST_VOICES ? poissonTail(voices, (voicesOf(earlier) + 0.5) * share) : 1;
    }),
  );
  const fresh = groups.filter((_, at) => isNew[at] === true);
  const labels = await texts.label(new Map(fresh.map(({ own, typical }) => [typical.id, own.map(({ id }) => id)])));
  const subjects = fresh.map((group) => subjectOf(group, labels.get(group.typical.id) ?? ''));
  return {
    subjects: subjects.toSorted((a, b) => b.signals - a.signals || (a.subject < b.subject ? -1 : 1)),
    ...looked,
  };
}

interface RecentGroup {
  /** Members of the period, oldest first. */
  own: DatedSignal[];
  /** Of these the one that is most like the group. */
  typical: DatedSignal;
  earlier: DatedSignal[];
}

/** Groups with recent members, each with all signals before that belong to it. */
async function groupRecent(
  texts: ThemeTexts,
  recent: readonly DatedSignal[],
  before: readonly DatedSignal[],
): Promise<RecentGroup[]> {
  const sample = takeEvenly(before, MOST_RECENT);
  const grouped = await texts.group(idsOf([...sample, ...recent]), new Set());
  const sampled = new Set(idsOf(sample));
  const others = idsOf(before).filter((id) => !sampled.has(id));
  const groupOf = new Map([
    ...grouped.groups.flatMap(({ members }, at) => members.map((id) => [id, String(at)] as const)),
    ...(await texts.place(others, grouped.profiles)),
  ]);
  const inGroup = (rows: readonly DatedSignal[]): Map<string | undefined, DatedSignal[]> =>
    Map.groupBy(rows, ({ id }) => groupOf.get(id));
  const [own, earlier] = [inGroup(recent), inGroup(before)];
  return grouped.groups.flatMap(({ centre }, at): RecentGroup[] => {
    const members = own.get(String(at)) ?? [];
    const typical = members.find(({ id }) => id === centre) ?? members[0];
    return typical === undefined ? [] : [{ own: members, typical, earlier: earlier.get(String(at)) ?? [] }];
  });
}

function subjectOf({ own, typical, earlier }: RecentGroup, subject: string): NewSubject {
  return {
    subject,
    since: own[0]?.date ?? typical.date,
    signals: own.length,
    customers: new Set(own.flatMap(({ customer }) => (customer === '' ? [] : [customer]))).size,
    before: earlier.length,
    quote: { id: `sig:${typical.id}`, text: typical.text },
    sampleIds: idsOf(own.slice(-SAMPLES).toReversed()).map((id) => `sig:${id}`),
    theme: mostOf(own),
  };
}

function idsOf(signals: readonly DatedSignal[]): string[] {
  return signals.map(({ id }) => id);
}

function takeEvenly<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(all.length, most) }, (_, at) => all[Math.floor(at * step)]).filter(
    (item) => item !== undefined,
  );
}

/** Customers, and signals without one. */
function voicesOf(signals: readonly DatedSignal[]): number {
  return new Set(signals.map(({ id, customer }) => (customer === '' ? id : customer))).size;
}

/** The label that more than half of the signals have. */
function mostOf(signals: readonly DatedSignal[]): string | undefined {
  const groups = [...Map.groupBy(signals, ({ theme }) => theme)];
  const [most] = groups.toSorted(([, a], [, b]) => b.length - a.length);
  const [label, members = []] = most ?? [];
  return label !== undefined && label !== '' && 2 * members.length > signals.length ? label : undefined;
}
