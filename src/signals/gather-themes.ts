import type { Tenant } from '../kernel/tenant.ts';
import { encodingProgress } from '../knowledge/vectors/vectors.ts';
import type { Signals } from './context.ts';
import type { Profiles } from './grouping/group-profiles.ts';
import { matchThemes } from './match-themes.ts';
import { settleCustomers } from './settle-customers.ts';
import { withVectors } from './signal-vectors.ts';
import { insertMoves } from './store-moves.ts';
import { selectLiveSubjects, touchLook } from './store-subjects.ts';
import {
  countPlaceable,
  insertTheme,
  pagesOfPlaceable,
  personalThemes,
  type PlaceableSignal,
  type PlaceableText,
  type Placement,
  selectMembers,
  selectProfiles,
  selectThemes,
  type ThemeRow,
  updateGroups,
  updatePlacements,
  upsertProfiles,
} from './store-themes.ts';
import type { GroupedSignals } from './theme-tasks.ts';
import { ThemeTexts } from './theme-texts.ts';

/** Signals that one statement places, some 10 ms: questions to the embedded database wait that long. */
const PLACE_BATCH = 100;
/** All are grouped anew when there are this much more or fewer of them than the last time. */
const GROWTH = 0.2;
/** All are grouped anew when so large a share of the vectors that were pending then is there. */
const ARRIVED = 0.5;
/** So few are grouped anew each time: it takes a second. */
const FEW = 300;
/** Signals of a theme that a new one is compared with, to be folded. */
const FOLD_MEMBERS = 200;

/**
 * Gives all signals of a product that have none a theme, by what they say. A few new ones join the themes that there are,
 * at a cost that does not grow with the product; when a fifth has been added, or vectors that were pending are there, all are
 * grouped anew, and themes keep their ids, names and what people made of them. A signal that is like no others has no theme.
 * Near-duplicates are folded and go where the oldest one is. Safe twice and after a crash. Grouping 3,000 signals takes some
 * seconds of a process.
 *
 * @throws the signal's reason when it stops.
 */
export async function gatherThemes(signals: Signals, tenant: Tenant, signal: AbortSignal): Promise<void> {
  await settleCustomers(signals, tenant, signal);
  const { all, waiting } = await countPlaceable(signals.db, tenant);
  const stored = await selectProfiles(signals.db, tenant);
  if (stored === undefined && all === 0) return;
  if (stored === undefined || (waiting > 0 && all <= FEW) || (await isOutdated(signals, tenant, { stored, all })))
    await groupAll(signals, tenant, { last: stored?.profiles, signal });
  else if (waiting > 0) await placeNew(signals, tenant, { profiles: stored.profiles, signal });
}

/** True if the last grouping says little about the signals that there are now. */
async function isOutdated(
  { db, encoder }: Signals,
  tenant: Tenant,
  { stored, all }: { stored: { signals: number; profiles: Profiles }; all: number },
): Promise<boolean> {
  const { model, pending } = stored.profiles;
  if (Math.abs(all - stored.signals) > GROWTH * stored.signals || model !== (encoder?.model ?? null)) return true;
  if (pending === 0) return false;
  const progress = await encodingProgress({ db, encoder }, tenant);
  return progress !== undefined && progress.pending <= (1 - ARRIVED) * pending;
}

/** Lets each signal that waits join the theme that it is nearest to; one without its vector waits on where it is now. */
async function placeNew(
  signals: Signals,
  tenant: Tenant,
  { profiles, signal }: { profiles: Profiles; signal: AbortSignal },
): Promise<void> {
  const { db, themeWatch: watch, encoder } = signals;
  await using texts = new ThemeTexts({ signal, watch, encoder });
  const rows = await sendTexts(signals, tenant, { texts, waiting: true });
  const merged = mergedThemes(await selectThemes(db, tenant));
  const placed = await texts.place(
    rows.map(({ id }) => id),
    profiles,
  );
  const placements = rows.map(({ id, isPending }): Placement => {
    const place = placed.get(id);
    const themeId = place === undefined ? null : (merged.get(place.group) ?? place.group);
    const placedBy = isPending ? 'nobody' : place?.isLoose === true ? 'loosely' : 'words';
    return { id, duplicateOf: null, themeId, placedBy };
  });
  for (const [theme, own] of Map.groupBy(placements, ({ themeId }) => themeId)) {
    if (theme === null) continue;
    const members = await selectMembers(db, tenant, { theme, limit: FOLD_MEMBERS });
    const isNew = new Set(own.map(({ id }) => id));
    const older = members.filter(({ id }) => !isNew.has(id));
    const newer = rows.flatMap(({ id }) => (isNew.has(id) ? [id] : []));
    const originals = await texts.fold(newer, older);
    for (const placement of own) placement.duplicateOf = originals.get(placement.id) ?? null;
  }
  await write(db, tenant, placements, signal);
}

/** True if most texts were compared otherwise than they are now: by another encoder, or by words while vectors were pending. */
function isOfOtherVectors({ model, pending, texts }: Profiles, { encoder }: Signals): boolean {
  return model !== (encoder?.model ?? null) || 2 * pending > texts;
}

async function groupAll(
  signals: Signals,
  tenant: Tenant,
  { last, signal }: { last: Profiles | undefined; signal: AbortSignal },
): Promise<void> {
  const { db, now, themeWatch: watch, encoder } = signals;
  await using texts = new ThemeTexts({ signal, watch, encoder });
  const rows = await sendTexts(signals, tenant, { texts, waiting: false });
  const originals = await texts.fold(rows.map(({ id }) => id));
  const themes = await selectThemes(db, tenant);
  // Subjects of other vectors hold nothing together, and are looked for again.
  const isRenewed = last !== undefined && isOfOtherVectors(last, signals);
  const live = isRenewed ? [] : await selectLiveSubjects(db, tenant);
  if (isRenewed) await touchLook(db, tenant, null);
  const subjects = new Set(live.map(({ themeId }) => themeId));
  const grouped = await texts.group({
    ids: rows.flatMap(({ id }) => (originals.has(id) ? [] : [id])),
    repeated: new Set(originals.values()),
    fixed: fixedGroups(rows, personalThemes(themes), subjects),
  });
  const themeOf = await themesOfGroups(grouped, { rows, themes, add: () => insertTheme(db, tenant, now()) });
  // First the names: a theme is seen as soon as it has a signal.
  await describe(signals, tenant, { grouped, themeOf, texts });
  const placements = placementsOf(rows, { grouped, themeOf, originals, themes });
  await write(db, tenant, placements, signal);
  await insertMoves(db, tenant, { moves: movesOf(rows, placements), reason: 'grouped', movedAt: now() });
  const named = grouped.profiles.groups.map(([at, profile]): (typeof grouped.profiles.groups)[number] => [
    themeOf[Number(at)] ?? '',
    profile,
  ]);
  await upsertProfiles(db, tenant, { signals: rows.length, profiles: { ...grouped.profiles, groups: named } });
}

interface SentSignal extends PlaceableSignal {
  /** An encoder is there, and its vector is not yet. */
  isPending: boolean;
}

/** Sends the texts of signals to the process that compares them, a page at a time, and gives what remains of the signals. */
async function sendTexts(
  signals: Signals,
  tenant: Tenant,
  { texts, waiting }: { texts: ThemeTexts; waiting: boolean },
): Promise<SentSignal[]> {
  const { db, encoder } = signals;
  const sent: SentSignal[] = [];
  for await (const page of pagesOfPlaceable(db, tenant, { waiting })) {
    const read = await withVectors<PlaceableText>(signals, tenant, page);
    await texts.add(read);
    for (const { id, duplicateOf, themeId, placedBy, vector } of read)
      sent.push({ id, duplicateOf, themeId, placedBy, isPending: encoder !== undefined && vector === undefined });
  }
  return sent;
}

/** Groups that stay together: themes that a person formed, and subjects that emerge, which become one with no other group. */
function fixedGroups(
  rows: readonly PlaceableSignal[],
  personal: ReadonlySet<string>,
  subjects: ReadonlySet<string>,
): { members: string[]; isOpen: boolean }[] {
  // That a person moved one signal says nothing about those that are like it.
  const placed = rows.flatMap(({ id, themeId, placedBy }) =>
    themeId !== null && placedBy !== 'person' && (personal.has(themeId) || subjects.has(themeId))
      ? [{ id, themeId }]
      : [],
  );
  return Array.from(
    Map.groupBy(placed, ({ themeId }) => themeId),
    ([theme, own]) => ({ members: own.map(({ id }) => id), isOpen: !subjects.has(theme) }),
  );
}

/** The theme of each group, added where a group is none of those that there were. */
async function themesOfGroups(
  { groups }: GroupedSignals,
  { rows, themes, add }: { rows: readonly PlaceableSignal[]; themes: readonly ThemeRow[]; add: () => Promise<string> },
): Promise<string[]> {
  const before = themesBefore(groups, rows);
  const personal = personalThemes(themes);
  const candidates = themes
    .filter(({ mergedInto }) => mergedInto === null)
    .map(({ id }) => ({ id, isPersonal: personal.has(id) }));
  const matched = matchThemes(
    groups.map(({ members }) => members),
    before,
    candidates,
  );
  const ids: string[] = [];
  for (const id of matched) ids.push(id ?? (await add()));
  return ids;
}

/**
 * The theme that each signal was in. That a person moved one signal says nothing about those that are like it, unless
 * nothing else is known of them.
 */
function themesBefore(groups: GroupedSignals['groups'], rows: readonly PlaceableSignal[]): Map<string, string> {
  const placed = rows.flatMap(({ id, themeId, placedBy }) => (themeId === null ? [] : [{ id, themeId, placedBy }]));
  const before = new Map(placed.filter(({ placedBy }) => placedBy !== 'person').map((row) => [row.id, row.themeId]));
  const pinned = new Map(placed.map((row) => [row.id, row.themeId]));
  for (const { members } of groups) {
    if (members.some((id) => before.has(id))) continue;
    for (const id of members) {
      const theme = pinned.get(id);
      if (theme !== undefined) before.set(id, theme);
    }
  }
  return before;
}

/**
 * Placements to be written: only those that change. Signals that a person placed stay, and those in a theme that a person
 * formed.
 */
function placementsOf(
  rows: readonly SentSignal[],
  {
    grouped: { groups },
    themeOf,
    originals,
    themes,
  }: {
    grouped: GroupedSignals;
    themeOf: readonly string[];
    originals: ReadonlyMap<string, string>;
    themes: readonly ThemeRow[];
  },
): Placement[] {
  const personal = personalThemes(themes);
  const groupOf = new Map<string, Pick<Placement, 'themeId' | 'placedBy'>>();
  for (const [at, { members, loose }] of groups.entries()) {
    const themeId = themeOf[at] ?? null;
    for (const id of members) groupOf.set(id, { themeId, placedBy: 'words' });
    for (const id of loose) groupOf.set(id, { themeId, placedBy: 'loosely' });
  }
  const resolved = new Map<string, Placement>();
  for (const row of rows) {
    if (originals.has(row.id)) continue;
    const { id, themeId, placedBy } = row;
    const stays = placedBy === 'person' || (themeId !== null && personal.has(themeId));
    const place = stays
      ? { themeId, placedBy: placedBy === 'nobody' ? ('words' as const) : placedBy }
      : groupOf.get(id);
    resolved.set(id, { id, duplicateOf: null, ...(place ?? { themeId: null, placedBy: 'words' }) });
  }
  const targets = rows.map((row): Placement => {
    const original = resolved.get(originals.get(row.id) ?? '');
    if (original === undefined) return resolved.get(row.id) ?? row;
    const { themeId, placedBy } = row.placedBy === 'person' ? row : { ...original, placedBy: 'words' as const };
    return { id: row.id, duplicateOf: original.id, themeId, placedBy };
  });
  return targets
    .filter(({ duplicateOf, themeId, placedBy }, at) => {
      const row = rows[at];
      return row?.duplicateOf !== duplicateOf || row.themeId !== themeId || row.placedBy !== placedBy;
    })
    .map(({ id, duplicateOf, themeId, placedBy }) => ({ id, duplicateOf, themeId, placedBy }));
}

/** Signals that go from one theme to another. */
function movesOf(
  rows: readonly PlaceableSignal[],
  placements: readonly Placement[],
): { fromId: string; intoId: string }[] {
  const before = new Map(rows.map(({ id, themeId }) => [id, themeId]));
  return placements.flatMap(({ id, themeId: intoId }) => {
    const fromId = before.get(id) ?? null;
    return fromId === null || intoId === null || fromId === intoId ? [] : [{ fromId, intoId }];
  });
}

async function write(db: Signals['db'], tenant: Tenant, placements: readonly Placement[], signal: AbortSignal) {
  signal.throwIfAborted();
  for (let at = 0; at < placements.length; at += PLACE_BATCH)
    await updatePlacements(db, tenant, placements.slice(at, at + PLACE_BATCH));
}

/** Names themes that no person has named, and says what their parts are and which signal speaks for them. */
async function describe(
  { db }: Signals,
  tenant: Tenant,
  {
    grouped: { groups, profiles },
    themeOf,
    texts,
  }: { grouped: GroupedSignals; themeOf: readonly string[]; texts: ThemeTexts },
): Promise<void> {
  const byTheme = Map.groupBy(groups.entries(), ([at]) => themeOf[at] ?? '');
  const themes = Array.from(byTheme, ([id, own]) => ({ id, groups: own.map(([, group]) => group) }));
  const parts = themes.flatMap(({ id, groups: own }) =>
    own.flatMap((group) => group.parts).map((ids, at) => ({ id: `${id} ${at}`, theme: id, ids })),
  );
  const members = themes.map(({ id, groups: own }) => [id, own.flatMap((group) => group.members)] as const);
  const levels = [new Map(members), new Map(parts.map(({ id, ids }) => [id, ids] as const))];
  // All are grouped, and named, again when the vectors are there.
  const labels = await texts.label(levels, { byMeaning: profiles.pending === 0 });
  const partsOf = Map.groupBy(parts, ({ theme }) => theme);
  const described = themes.map(({ id, groups: own }) => {
    const [largest] = own.toSorted((a, b) => b.members.length - a.members.length);
    const named = (partsOf.get(id) ?? [])
      .map((part) => ({ label: labels.get(part.id) ?? '', signals: part.ids.length }))
      .filter(({ label }) => label !== '')
      .toSorted((a, b) => b.signals - a.signals);
    return { id, label: labels.get(id) ?? '', quoteId: largest?.medoid ?? null, parts: named };
  });
  await updateGroups(db, tenant, described);
}

function mergedThemes(themes: readonly ThemeRow[]): Map<string, string> {
  return new Map(themes.flatMap(({ id, mergedInto }) => (mergedInto === null ? [] : [[id, mergedInto] as const])));
}
