import type { Tenant } from '../kernel/tenant.ts';
import type { Signals } from './context.ts';
import type { Profiles } from './grouping/group-profiles.ts';
import { matchThemes } from './match-themes.ts';
import { placeThemes } from './place-themes.ts';
import {
  countPlaceable,
  insertTheme,
  pagesOfPlaceable,
  type PlaceableSignal,
  type Placement,
  selectMembers,
  selectProfiles,
  selectThemes,
  type ThemeRow,
  updateGroups,
  updatePlacements,
  upsertProfiles,
} from './store-themes.ts';
import type { GroupedSignals } from './theme-process.ts';
import { settleCustomers } from './settle-customers.ts';
import { ThemeTexts } from './theme-texts.ts';

/** Signals that one statement places, some 10 ms: questions to the embedded database wait that long. */
const PLACE_BATCH = 100;
/** All are grouped anew when there are this much more or fewer of them than the last time. */
const GROWTH = 0.2;
/** So few are grouped anew each time: it takes a second. */
const FEW = 300;
/** Signals of a theme that a new one is compared with, to be folded. */
const FOLD_MEMBERS = 200;

/**
 * Gives all signals of a product that have none a theme, by what they say. A few new ones join the themes that there are,
 * at a cost that does not grow with the product; when a fifth has been added, all are grouped anew, and themes keep their
 * ids, names and what people made of them. A signal that is like no others has no theme. Near-duplicates are folded and go
 * where the oldest one is. Safe twice and after a crash. Grouping 2,000 signals takes some 4 s of a thread.
 *
 * @throws the signal's reason when it stops.
 */
export async function gatherThemes(signals: Signals, tenant: Tenant, signal: AbortSignal): Promise<void> {
  const { db } = signals;
  await settleCustomers(signals, tenant, signal);
  const { all, waiting } = await countPlaceable(db, tenant);
  const known = await selectProfiles(db, tenant);
  const isGrown = known === undefined || Math.abs(all - known.signals) > GROWTH * known.signals;
  if (waiting > 0 || isGrown) {
    if (known === undefined || isGrown || all <= FEW) await groupAll(signals, tenant, signal);
    else await placeNew(signals, tenant, { profiles: known.profiles, signal });
  }
  signal.throwIfAborted();
  await placeThemes(signals, tenant, signal);
}

/** Lets each signal that waits join the theme that it is nearest to. */
async function placeNew(
  { db, themeWatch: watch }: Signals,
  tenant: Tenant,
  { profiles, signal }: { profiles: Profiles; signal: AbortSignal },
): Promise<void> {
  await using texts = new ThemeTexts({ signal, watch });
  const rows = await sendTexts(texts, pagesOfPlaceable(db, tenant, { waiting: true }));
  const merged = mergedThemes(await selectThemes(db, tenant));
  const placed = await texts.place(
    rows.map(({ id }) => id),
    profiles,
  );
  const placements = rows.map(({ id }): Placement => {
    const theme = placed.get(id);
    const themeId = theme === undefined ? null : (merged.get(theme) ?? theme);
    return { id, duplicateOf: null, themeId, placedBy: 'words' };
  });
  for (const [theme, own] of Map.groupBy(placements, ({ themeId }) => themeId)) {
    if (theme === null) continue;
    const members = await selectMembers(db, tenant, { theme, limit: FOLD_MEMBERS });
    const isNew = new Set(own.map(({ id }) => id));
    const older = members.filter(({ id }) => !isNew.has(id));
    const newer = rows.flatMap(({ id }) => (isNew.has(id) ? [id] : []));
    const folded = await texts.fold(newer, older);
    for (const placement of own) placement.duplicateOf = folded.get(placement.id) ?? null;
  }
  await write(db, tenant, placements, signal);
}

async function groupAll(signals: Signals, tenant: Tenant, signal: AbortSignal): Promise<void> {
  const { db, now, themeWatch: watch } = signals;
  await using texts = new ThemeTexts({ signal, watch });
  const rows = await sendTexts(texts, pagesOfPlaceable(db, tenant, { waiting: false }));
  const folded = await texts.fold(rows.map(({ id }) => id));
  const grouped = await texts.group(
    rows.flatMap(({ id }) => (folded.has(id) ? [] : [id])),
    new Set(folded.values()),
  );
  const themes = await selectThemes(db, tenant);
  const themeOf = await themesOfGroups(grouped, { rows, themes, add: () => insertTheme(db, tenant, now()) });
  // First the names: a theme is seen as soon as it has a signal.
  await describe(signals, tenant, { grouped, themeOf, texts });
  await write(db, tenant, placementsOf(rows, { grouped, themeOf, folded, themes }), signal);
  const named = grouped.profiles.groups.map(([at, profile]): (typeof grouped.profiles.groups)[number] => [
    themeOf[Number(at)] ?? '',
    profile,
  ]);
  await upsertProfiles(db, tenant, { signals: rows.length, profiles: { ...grouped.profiles, groups: named } });
}

/** Sends the texts of signals to the process that compares them, a page at a time, and gives what remains of the signals. */
async function sendTexts(
  texts: ThemeTexts,
  pages: AsyncIterable<readonly (PlaceableSignal & { text: string })[]>,
): Promise<PlaceableSignal[]> {
  const sent: PlaceableSignal[] = [];
  for await (const page of pages) {
    await texts.add(page);
    for (const { id, duplicateOf, themeId, placedBy } of page) sent.push({ id, duplicateOf, themeId, placedBy });
  }
  return sent;
}

/** The theme of each group, added where a group is none of those that there were. */
async function themesOfGroups(
  { groups }: GroupedSignals,
  { rows, themes, add }: { rows: readonly PlaceableSignal[]; themes: readonly ThemeRow[]; add: () => Promise<string> },
): Promise<string[]> {
  const before = themesBefore(groups, rows);
  const targets = new Set(themes.map(({ mergedInto }) => mergedInto));
  const known = themes
    .filter(({ mergedInto }) => mergedInto === null)
    .map(({ id, labelled }) => ({ id, isPersonal: labelled || targets.has(id) }));
  const matched = matchThemes(
    groups.map(({ members }) => members),
    before,
    known,
  );
  const found: string[] = [];
  for (const id of matched) found.push(id ?? (await add()));
  return found;
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

/** What has to be written: only what changes. What a person placed stays, and what left a theme that a person formed. */
function placementsOf(
  rows: readonly PlaceableSignal[],
  {
    grouped: { groups },
    themeOf,
    folded,
    themes,
  }: {
    grouped: GroupedSignals;
    themeOf: readonly string[];
    folded: ReadonlyMap<string, string>;
    themes: readonly ThemeRow[];
  },
): Placement[] {
  const targets = new Set(themes.map(({ mergedInto }) => mergedInto));
  const personal = new Set(themes.filter(({ id, labelled }) => labelled || targets.has(id)).map(({ id }) => id));
  const groupOf = new Map(groups.flatMap(({ members }, at) => members.map((id) => [id, themeOf[at] ?? null] as const)));
  const settled = new Map<string, Placement>();
  for (const row of rows) {
    if (folded.has(row.id)) continue;
    const left = row.themeId !== null && personal.has(row.themeId) ? row.themeId : null;
    const themeId = row.placedBy === 'person' ? row.themeId : (groupOf.get(row.id) ?? left);
    const placedBy = row.placedBy === 'person' ? 'person' : 'words';
    settled.set(row.id, { id: row.id, duplicateOf: null, themeId, placedBy });
  }
  const wanted = rows.map((row): Placement => {
    const original = settled.get(folded.get(row.id) ?? '');
    if (original === undefined) return settled.get(row.id) ?? row;
    const { themeId, placedBy } = row.placedBy === 'person' ? row : { ...original, placedBy: 'words' as const };
    return { id: row.id, duplicateOf: original.id, themeId, placedBy };
  });
  return wanted
    .filter(({ duplicateOf, themeId, placedBy }, at) => {
      const row = rows[at];
      return row?.duplicateOf !== duplicateOf || row.themeId !== themeId || row.placedBy !== placedBy;
    })
    .map(({ id, duplicateOf, themeId, placedBy }) => ({ id, duplicateOf, themeId, placedBy }));
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
  { grouped: { groups }, themeOf, texts }: { grouped: GroupedSignals; themeOf: readonly string[]; texts: ThemeTexts },
): Promise<void> {
  const byTheme = Map.groupBy(groups.entries(), ([at]) => themeOf[at] ?? '');
  const themes = Array.from(byTheme, ([id, own]) => ({ id, groups: own.map(([, group]) => group) }));
  const labels = await texts.label(
    new Map(themes.map(({ id, groups: own }) => [id, own.flatMap(({ members }) => members)])),
  );
  const described = [];
  for (const { id, groups: own } of themes) {
    const [largest] = own.toSorted((a, b) => b.members.length - a.members.length);
    const parts = own.flatMap((group) => group.parts);
    const names = await texts.label(new Map(parts.map((ids, at) => [String(at), ids])));
    described.push({
      id,
      label: labels.get(id) ?? '',
      quoteId: largest?.centre ?? null,
      parts: partsOf(parts, names),
    });
  }
  await updateGroups(db, tenant, described);
}

function partsOf(parts: readonly string[][], names: ReadonlyMap<string, string>): { label: string; signals: number }[] {
  return parts
    .map((ids, at) => ({ label: names.get(String(at)) ?? '', signals: ids.length }))
    .filter(({ label }) => label !== '')
    .toSorted((a, b) => b.signals - a.signals);
}

function mergedThemes(themes: readonly ThemeRow[]): Map<string, string> {
  return new Map(themes.flatMap(({ id, mergedInto }) => (mergedInto === null ? [] : [[id, mergedInto] as const])));
}
