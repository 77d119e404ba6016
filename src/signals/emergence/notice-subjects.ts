import { uuidv7 } from '../../kernel/ids.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/time.ts';
import type { Signals } from '../context.ts';
import { listThemes } from '../signals.ts';
import { insertMoves } from '../store-moves.ts';
import {
  countSince,
  endSubjects,
  selectDueProducts,
  selectLiveSubjects,
  selectLook,
  type SubjectRow,
  touchLook,
  upsertSubject,
} from '../store-subjects.ts';
import {
  insertTheme,
  personalThemes,
  selectProfiles,
  selectThemes,
  updateGroups,
  updatePlacements,
  upsertProfiles,
} from '../store-themes.ts';
import type { EmergingSignals } from '../theme-tasks.ts';
import type { ThemeTexts } from '../theme-texts.ts';
import { findEmergence, LEAST_ENCODED, readDated } from './dated-signals.ts';
import type { DatedSignal } from './store-dated.ts';

const RECENT_MS = 14 * DAY_MS;
/** Fewer new signals wait for the next hour: nothing emerges by them alone. */
const FEW = 4;
/** Share that a theme and a subject, or a subject before and now, have in common to be the same. */
const SAME_SHARE = 0.5;

/** Products in which a subject may have emerged, or ended, since it was looked for. */
export function findDueProducts({ db, now }: Pick<Signals, 'db' | 'now'>): Promise<Tenant[]> {
  const at = now().getTime();
  return selectDueProducts(db, { recent: new Date(at - RECENT_MS), dayAgo: new Date(at - DAY_MS) });
}

/**
 * Notices what emerged among the signals of the last fourteen days. A subject that is no theme yet becomes one; what is no
 * longer more than usual ends. Signals and themes that a person placed or named stay. Looks again within an hour only when
 * several signals came. Waits for vectors that are on their way, because words alone make other subjects: grouping, which
 * this follows, follows the encoder. Safe twice and after a crash.
 *
 * @throws the signal's reason when it stops.
 */
export async function noticeSubjects(signals: Signals, tenant: Tenant, signal: AbortSignal): Promise<void> {
  const { db, now } = signals;
  const at = now();
  const look = await selectLook(db, tenant);
  if (look === undefined) return;
  const isRecent = look.lookedAt !== null && at.getTime() - look.lookedAt.getTime() < HOUR_MS;
  if (isRecent && (await countSince(db, tenant, look.lookedAt ?? at)) < FEW) return;
  const period = { since: new Date(at.getTime() - RECENT_MS), until: at, leastEncoded: LEAST_ENCODED };
  const dated = await readDated(signals, tenant, period);
  const expected = dated.pending.filter(({ createdAt }) => at.getTime() - createdAt.getTime() < DAY_MS);
  const isEncoding = expected.length > 0 && expected.length === dated.pending.length;
  if (isEncoding && !dated.isByMeaning) return;
  await findEmergence(signals, dated, signal, async (emerging, texts) =>
    storeSubjects(signals, tenant, { emerging, recent: dated.recent, texts, at }),
  );
  // Those that were left out are looked at once they have their vectors.
  const omitted = dated.isByMeaning ? expected : [];
  const until = Math.min(at.getTime(), ...omitted.map(({ createdAt }) => createdAt.getTime() - 1));
  await touchLook(db, tenant, new Date(until));
}

/** Writes what emerges now, and ends what does not any more. */
async function storeSubjects(
  signals: Signals,
  tenant: Tenant,
  {
    emerging: subjects,
    recent,
    texts,
    at,
  }: { emerging: readonly EmergingSignals[]; recent: readonly DatedSignal[]; texts: ThemeTexts; at: Date },
): Promise<void> {
  const { db } = signals;
  const live = await selectLiveSubjects(db, tenant);
  const targets = await targetsOf(signals, tenant, { subjects, recent, live });
  const stored = new Set<string>();
  for (const { emerging, themeId } of targets) {
    const theme = themeId ?? (await insertTheme(db, tenant, at));
    if (themeId === undefined) await describeSubject(signals, tenant, { emerging, theme, texts });
    const former = live.find((row) => row.themeId === theme && !stored.has(row.id));
    const subject = subjectOf(emerging, { theme, recent, at, former });
    stored.add(subject.id);
    await upsertSubject(db, tenant, subject);
    await moveSignals(signals, tenant, { emerging, theme, recent, at });
  }
  const ended = live.filter(({ id }) => !stored.has(id));
  await endSubjects(
    db,
    tenant,
    ended.map(({ id }) => id),
    at,
  );
}

interface Target {
  emerging: EmergingSignals;
  /** Undefined for one that becomes a theme now. */
  themeId: string | undefined;
}

/**
 * Returns the theme of each subject: that of the subject that it was before, else the one that holds most of its signals, when
 * these are half of it or a person formed it. A rise inside of a theme that rises as a whole is reported by that theme.
 */
async function targetsOf(
  signals: Signals,
  tenant: Tenant,
  {
    subjects,
    recent,
    live,
  }: { subjects: readonly EmergingSignals[]; recent: readonly DatedSignal[]; live: readonly SubjectRow[] },
): Promise<Target[]> {
  if (subjects.length === 0) return [];
  const rows = await selectThemes(signals.db, tenant);
  const personal = personalThemes(rows);
  const mergedInto = new Map(rows.map(({ id, mergedInto: into }) => [id, into ?? id]));
  const themes = new Map((await listThemes(signals, tenant)).map((theme) => [theme.id, theme]));
  const themeOf = new Map(recent.map(({ id, themeId }) => [id, themeId]));
  return subjects.flatMap((one): Target[] => {
    const before = live.find(({ signalIds }) => shareOf(one.members, new Set(signalIds)) >= SAME_SHARE);
    if (before !== undefined) return [{ emerging: one, themeId: mergedInto.get(before.themeId) }];
    const votes = [...Map.groupBy(one.members, (id) => themeOf.get(id) ?? '')];
    const [[most, own] = ['', [] as string[]]] = votes.toSorted(([, a], [, b]) => b.length - a.length);
    const theme = themes.get(most);
    const isMost = own.length >= SAME_SHARE * one.members.length;
    if (theme !== undefined && isMost && (personal.has(most) || own.length >= SAME_SHARE * theme.signals))
      return [{ emerging: one, themeId: most }];
    if (one.kind === 'rising' && theme?.trend.direction === 'rising') return [];
    return [{ emerging: one, themeId: undefined }];
  });
}

function shareOf(ids: readonly string[], members: ReadonlySet<string>): number {
  return ids.filter((id) => members.has(id)).length / Math.max(1, ids.length);
}

function subjectOf(
  { kind, members, voices, before, chance }: EmergingSignals,
  {
    theme,
    recent,
    at,
    former,
  }: { theme: string; recent: readonly DatedSignal[]; at: Date; former: SubjectRow | undefined },
): SubjectRow {
  const own = new Set(members);
  const since = recent.find(({ id }) => own.has(id))?.date ?? at;
  const counted = { kind, voices, before, chance, signalIds: members, themeId: theme, endedAt: null };
  return {
    id: former?.id ?? uuidv7(at),
    since: former?.since ?? since,
    noticedAt: former?.noticedAt ?? at,
    ...counted,
  };
}

/** Names the theme of a subject, and lets later signals join it. */
async function describeSubject(
  { db }: Signals,
  tenant: Tenant,
  { emerging, theme, texts }: { emerging: EmergingSignals; theme: string; texts: ThemeTexts },
): Promise<void> {
  const { members, medoid, profile, frequency } = emerging;
  const others = (await selectThemes(db, tenant)).filter(({ id }) => id !== theme);
  const taken = others.map(({ label: name }) => name.toLowerCase());
  const label = (await texts.label([new Map([[theme, members]])], { taken })).get(theme) ?? '';
  await updateGroups(db, tenant, [{ id: theme, label, quoteId: medoid, parts: [] }]);
  const storedProfiles = await selectProfiles(db, tenant);
  if (storedProfiles === undefined) return;
  const { profiles } = storedProfiles;
  const counts = new Map([...frequency, ...profiles.frequency]);
  const groups = [...profiles.groups, [theme, profile] as (typeof profiles.groups)[number]];
  await upsertProfiles(db, tenant, { ...storedProfiles, profiles: { ...profiles, frequency: [...counts], groups } });
}

/** Puts the signals of a subject to its theme, except those that a person placed, or that are in a theme of a person. */
async function moveSignals(
  { db }: Signals,
  tenant: Tenant,
  {
    emerging,
    theme,
    recent,
    at,
  }: { emerging: EmergingSignals; theme: string; recent: readonly DatedSignal[]; at: Date },
): Promise<void> {
  const personal = personalThemes(await selectThemes(db, tenant));
  const own = new Set(emerging.members);
  const moved = recent.filter(
    ({ id, themeId, placedBy }) =>
      own.has(id) && themeId !== theme && placedBy !== 'person' && (themeId === null || !personal.has(themeId)),
  );
  await updatePlacements(
    db,
    tenant,
    moved.map(({ id, duplicateOf }) => ({ id, duplicateOf, themeId: theme, placedBy: 'words' })),
  );
  const moves = moved.flatMap(({ themeId }: DatedSignal) =>
    themeId === null ? [] : [{ fromId: themeId, intoId: theme }],
  );
  await insertMoves(db, tenant, { moves, reason: 'emerged', movedAt: at });
}
