import { uuidv7 } from '../kernel/ids.ts';
import type { ProductScope } from '../knowledge/knowledge.ts';
import { anchorOf } from './anchor.ts';
import type { Signals } from './context.ts';
import type { PlacedBy } from './store.ts';
import {
  ensureTheme,
  type PlaceableSignal,
  type Placement,
  selectPlaceable,
  selectPlaced,
  selectThemes,
  type ThemeRow,
  updateAnchors,
  updateLabels,
  updatePlacements,
} from './store-themes.ts';
import { ThemeTexts } from './theme-texts.ts';

/** Signals that are looked for in the code before what was found is kept: what a crash may cost. */
const ANCHOR_BATCH = 100;
/** Signals that one statement places, some 10 ms: questions to the embedded database wait that long. */
const PLACE_BATCH = 100;

/** Where the keys of themes begin that stand for a folder of the code, and for a cluster of words. */
const CODE = 'code:';
const WORDS = 'words:';

/**
 * Gives all signals of a product that have none a theme: the part of the code that they are about, else the cluster that
 * their words are nearest to. Near-duplicates are folded and go where the oldest one is. What a person placed, merged or
 * named stays. Safe twice and after a crash. Searching the code for 1,000 signals takes some 10 s.
 *
 * @throws the signal's reason when it stops.
 */
export async function gatherThemes(signals: Signals, scope: ProductScope, signal: AbortSignal): Promise<void> {
  const found = await selectPlaceable(signals.db, scope);
  if (found.length === 0) return;
  await using texts = await ThemeTexts.open(found, signal);
  const folded = await texts.fold();
  const rows = await anchorNew(signals, scope, { found, folded, signal });
  const themes = new Themes(signals, scope, await selectThemes(signals.db, scope));
  const places = await placesOf(rows, { folded, themes, texts });
  signal.throwIfAborted();
  const changed = await changedPlacements(rows, { folded, places, themes });
  for (let at = 0; at < changed.length; at += PLACE_BATCH)
    await updatePlacements(signals.db, scope, changed.slice(at, at + PLACE_BATCH));
  await nameThemes(signals, scope, texts);
}

/** Looks for signals in the code that were not looked for yet, and gives all of them with what is known then. */
async function anchorNew(
  { db, readers, indexed }: Signals,
  scope: ProductScope,
  { found, folded, signal }: { found: PlaceableSignal[]; folded: ReadonlyMap<string, string>; signal: AbortSignal },
): Promise<PlaceableSignal[]> {
  const repositories = await indexed(scope);
  if (repositories.length === 0) return found;
  const anchorOfId = new Map<string, string>();
  const missing = found.filter((row) => row.anchor === null && !folded.has(row.id) && row.placedBy !== 'person');
  for (let at = 0; at < missing.length; at += ANCHOR_BATCH) {
    signal.throwIfAborted();
    const batch = missing.slice(at, at + ANCHOR_BATCH);
    const anchors = await Promise.all(
      batch.map(async ({ id, text }) => {
        const anchor = await anchorOf(readers, repositories, { text, signal });
        return { id, anchor: anchor?.place ?? '', score: anchor?.share ?? 0 };
      }),
    );
    await updateAnchors(db, scope, anchors);
    for (const { id, anchor } of anchors) anchorOfId.set(id, anchor);
  }
  return found.map((row) => ({ ...row, anchor: anchorOfId.get(row.id) ?? row.anchor }));
}

/** A place by the key of its theme. */
interface Place {
  key: string;
  by: PlacedBy;
}

/** Where each signal is to go that stands for itself and that no person has placed. */
async function placesOf(
  rows: readonly PlaceableSignal[],
  { folded, themes, texts }: { folded: ReadonlyMap<string, string>; themes: Themes; texts: ThemeTexts },
): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  const loose: string[] = [];
  for (const row of rows) {
    if (folded.has(row.id) || row.placedBy === 'person') continue;
    if (row.anchor !== null && row.anchor !== '') places.set(row.id, { key: CODE + row.anchor, by: 'code' });
    else if (row.placedBy !== 'words' || row.themeId === null) loose.push(row.id);
  }
  const known = new Set(rows.map(({ id }) => id));
  const leaders = themes.keys
    .filter((key) => key.startsWith(WORDS))
    .map((key) => key.slice(WORDS.length))
    .filter((id) => known.has(id));
  for (const [id, leader] of await texts.cluster(loose, leaders)) places.set(id, { key: WORDS + leader, by: 'words' });
  return places;
}

/** What has to be written. */
async function changedPlacements(
  rows: readonly PlaceableSignal[],
  { folded, places, themes }: { folded: Map<string, string>; places: Map<string, Place>; themes: Themes },
): Promise<Placement[]> {
  const settled = new Map<string, Placement>();
  for (const row of rows) {
    const place = places.get(row.id);
    if (place !== undefined) {
      const themeId = await themes.idOf(place.key);
      settled.set(row.id, { id: row.id, duplicateOf: null, themeId, placedBy: place.by });
    } else if (!folded.has(row.id)) settled.set(row.id, { ...row, duplicateOf: null });
  }
  const wanted = rows.map((row): Placement => {
    const original = folded.get(row.id);
    const first = original === undefined ? undefined : settled.get(original);
    if (first === undefined) return settled.get(row.id) ?? row;
    const { themeId, placedBy } = row.placedBy === 'person' ? row : first;
    return { id: row.id, duplicateOf: first.id, themeId, placedBy: placedBy === 'person' ? 'words' : placedBy };
  });
  return wanted
    .map(({ id, duplicateOf, themeId, placedBy }) => ({ id, duplicateOf, themeId, placedBy }))
    .filter((one, index) => {
      const row = rows[index];
      return (
        row?.duplicateOf !== one.duplicateOf ||
        row.themeId !== one.themeId ||
        (row.placedBy !== one.placedBy && row.placedBy !== 'person')
      );
    });
}

/** Names the themes that no person has named by what their signals say. */
async function nameThemes({ db }: Signals, scope: ProductScope, texts: ThemeTexts): Promise<void> {
  const groups = new Map<string, string[]>();
  for (const { id, themeId } of await selectPlaced(db, scope)) {
    const group = groups.get(themeId);
    if (group === undefined) groups.set(themeId, [id]);
    else group.push(id);
  }
  const words = await texts.label(groups);
  const labels = (await selectThemes(db, scope))
    .filter((theme) => !theme.labelled && theme.mergedInto === null && groups.has(theme.id))
    .map((theme) => ({ id: theme.id, label: labelOf(theme.key, words.get(theme.id) ?? '') }))
    .filter(({ label }) => label !== '');
  await updateLabels(db, scope, labels);
}

/** `mail: send order, template` for a folder of the code, the words alone for a cluster. */
function labelOf(key: string, words: string): string {
  if (!key.startsWith(CODE)) return words;
  const place = key.slice(CODE.length);
  const [repository = '', folder = ''] = place.split(':');
  const name = folder.slice(folder.lastIndexOf('/') + 1) || repository;
  const rest = words.split(', ').filter((phrase) => phrase !== '' && phrase !== name.toLowerCase());
  return rest.length === 0 ? name : `${name}: ${rest.join(', ')}`;
}

/** The themes of a product by key; those that are merged lead to the other one. */
class Themes {
  readonly #signals: Signals;
  readonly #scope: ProductScope;
  readonly #byKey: Map<string, ThemeRow>;

  constructor(signals: Signals, scope: ProductScope, rows: readonly ThemeRow[]) {
    this.#signals = signals;
    this.#scope = scope;
    this.#byKey = new Map(rows.map((row) => [row.key, row]));
  }

  get keys(): string[] {
    return [...this.#byKey.keys()];
  }

  /** The theme with this key, added when there is none. */
  async idOf(key: string): Promise<string> {
    let row = this.#byKey.get(key);
    if (row === undefined) {
      const createdAt = this.#signals.now();
      const theme = { id: uuidv7(createdAt), key, label: key, labelled: false, createdAt };
      row = await ensureTheme(this.#signals.db, this.#scope, theme);
      this.#byKey.set(key, row);
    }
    return row.mergedInto ?? row.id;
  }
}
