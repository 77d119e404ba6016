import { baseName, folderOf } from '../kernel/paths.ts';
import { compareTexts } from '../kernel/text-order.ts';
import type { CodePlace } from '../code/places/places.ts';
import { identifierParts } from '../text/terms.ts';
import { causesOf } from './staleness.ts';
import type { CodeLookup } from './lookups/code-lookup.ts';
import type { HistoryLookup } from './lookups/history-lookup.ts';
import { bestInText } from './lookups/text-anchors.ts';
import { isTextSyntax } from './lookups/text-places.ts';
import type { AnchorCommit, AnchorRow, AnchorState, AnchorStatus, AnchorTarget } from './store/store.ts';

/**
 * A symbol of the same name elsewhere is the one that was moved when its sketch is this much alike: a body of which 0.6 of the
 * words in a row are the same (Dice) has about this share of runs of five.
 */
const MOVED_LIKENESS = 0.3;
/** In the file that its own file became, less is enough. */
const RENAMED_LIKENESS = 0.1;
/** A body with a sketch shorter than this may be like another one by chance: then its name must be the same too. */
const SMALL_SKETCH = 4;
const MOST_COMMITS = 5;
/** Files of one name that are looked into for what stood inside of it. */
const MOST_OUTER_PATHS = 5;
/** Commits of its files that are looked into for what they did to it, and anchors of one comparison for which that is done. */
const MOST_SOUGHT = 200;
const MOST_EXPLAINED = 200;

type Anchored = AnchorRow & { target: AnchorTarget };
type ComparedState = Omit<AnchorState, 'snapshot' | 'commits'>;

/**
 * Compares each anchor with the snapshot of its repository. A file or symbol is `fresh` while its normalised syntax is the
 * same, so comments and formatting never count. A missing one is `moved` when git renamed its file, when the same syntax is
 * elsewhere, or a symbol of its name with a likeness of at least 0.6; otherwise `gone`.
 */
export async function compareAnchors(
  anchors: readonly Anchored[],
  lookup: CodeLookup,
  history: HistoryLookup | undefined,
): Promise<AnchorRow[]> {
  const later = await laterPaths(anchors, history);
  const ofFiles = anchors.filter(({ target }) => target.symbol === null);
  const isText = ({ target }: Anchored): boolean => isTextSyntax(target.syntax);
  const ofSymbols = anchors.filter((anchor) => anchor.target.symbol !== null && !isText(anchor));
  const states = new Map([
    ...(await compareFiles(ofFiles, lookup, later)),
    ...(await compareSymbols(ofSymbols, lookup, later)),
    ...(await Promise.all(
      anchors.filter(isText).map((anchor) => compareText(anchor, lookup, later.get(anchor) ?? [])),
    )),
  ]);
  let explained = 0;
  return Promise.all(
    anchors.map(async (anchor) => {
      const state = states.get(anchor);
      if (state === undefined) return anchor;
      if (state.status === 'fresh') return { ...anchor, state: { ...state, snapshot: lookup.snapshot, commits: [] } };
      explained += 1;
      const isExplained = explained <= MOST_EXPLAINED;
      const names = new Set([anchor.target.path, ...(later.get(anchor) ?? [])]);
      // What was moved into another file is followed there.
      if (state.path !== null) names.add(state.path);
      const moves = { status: state.status, paths: [...names], isExplained };
      const commits = await responsible(anchor.target, moves, history);
      return { ...anchor, state: { ...state, snapshot: lookup.snapshot, commits } };
    }),
  );
}

/**
 * Returns the likeness of two bodies, 0..1, by their sketches: of the smallest shingles of both together, the share that both
 * have (an estimate of the Jaccard index). 0 for bodies too short to have one.
 */
export function sketchLikeness(left: readonly number[] | null, right: readonly number[] | null): number {
  if (left === null || right === null || left.length === 0 || right.length === 0) return 0;
  const [first, second] = [new Set(left), new Set(right)];
  const size = Math.max(first.size, second.size);
  const smallest = [...new Set([...left, ...right])].toSorted((a, b) => a - b).slice(0, size);
  return smallest.filter((shingle) => first.has(shingle) && second.has(shingle)).length / smallest.length;
}

async function laterPaths(
  anchors: readonly Anchored[],
  history: HistoryLookup | undefined,
): Promise<Map<Anchored, string[]>> {
  const later = new Map<Anchored, string[]>();
  if (history === undefined) return later;
  for (const [since, group] of Map.groupBy(anchors, ({ target }) => target.baselineCommit)) {
    const names = await history.laterPaths(since, [...new Set(group.map(({ target }) => target.path))]);
    for (const anchor of group) later.set(anchor, names.get(anchor.target.path) ?? []);
  }
  return later;
}

async function compareFiles(
  anchors: readonly Anchored[],
  lookup: CodeLookup,
  later: ReadonlyMap<Anchored, string[]>,
): Promise<[Anchored, ComparedState][]> {
  const candidates = anchors.map((anchor) => [anchor.target.path, ...(later.get(anchor) ?? [])]);
  const paths = [...new Set(candidates.flat())];
  const files = new Map(
    (await lookup.files(paths)).flatMap((location) => (location === undefined ? [] : [[location.path, location]])),
  );
  const same = await lookup.withSyntax(anchors.map(({ target }) => ({ syntax: target.syntax ?? '', isFile: true })));
  return anchors.map((anchor, index) => {
    const { target } = anchor;
    const here = files.get(target.path);
    if (here !== undefined) return [anchor, at(here, here.syntax === target.syntax ? 'fresh' : 'changed')];
    const renamed = (later.get(anchor) ?? []).findLast((path) => files.has(path));
    // The same text in several places is a common one: none of them is where this file went.
    const copies = same[index] ?? [];
    const location = renamed === undefined ? (copies.length === 1 ? copies[0] : undefined) : files.get(renamed);
    return [anchor, location === undefined ? GONE : at(location, 'moved')];
  });
}

async function compareSymbols(
  anchors: readonly Anchored[],
  lookup: CodeLookup,
  later: ReadonlyMap<Anchored, string[]>,
): Promise<[Anchored, ComparedState][]> {
  const here = await lookup.symbols(anchors.map(({ target }) => ({ path: target.path, symbol: target.symbol ?? '' })));
  const missing: Anchored[] = [];
  const present: [Anchored, ComparedState][] = [];
  anchors.forEach((anchor, index) => {
    const { target } = anchor;
    // The index finds files by the end of their path too: there this is another file.
    const own = (here[index] ?? []).filter(
      (location) => location.path === target.path && isOfName(location.symbol, target.symbol),
    );
    const [first] = own;
    const equal = own.find((location) => hasSyntax(location, target.syntax));
    if (first === undefined) missing.push(anchor);
    else present.push([anchor, equal === undefined ? at(first, 'changed') : at(equal, 'fresh')]);
  });
  if (missing.length === 0) return present;
  const simple = missing.map(({ target }) => baseName(target.symbol ?? ''));
  const owners = missing.map(({ target }) => ({ path: target.path, symbol: folderOf(target.symbol ?? '') }));
  const [named, owning, same] = await Promise.all([
    lookup.symbols(simple.map((symbol) => ({ symbol }))),
    lookup.symbols(owners),
    lookup.withSyntax(missing.map(({ target }) => ({ syntax: target.syntax ?? '', isFile: false }))),
  ]);
  const moved = missing.map((anchor, index): [Anchored, ComparedState] => {
    const renamed = later.get(anchor) ?? [];
    const owner = owners[index];
    const isOwned = owning[index]?.some(({ path, symbol }) => path === owner?.path && symbol === owner.symbol) === true;
    const candidates = (named[index] ?? []).filter(
      (location) => !isCoincidentalMatch(location, anchor.target, { renamed, isOwned }),
    );
    const location = movedTo(anchor.target, { named: candidates, same: same[index] ?? [], renamed });
    return [anchor, location === undefined ? GONE : at(location, 'moved')];
  });
  return [...present, ...moved];
}

/** A function keeps its name when it gets overloads, or loses them. */
function isOfName(symbol: string | null, expected: string | null): boolean {
  return symbol === expected || (symbol !== null && symbol === expected?.replace(/\([^/]*\)$/, ''));
}

function hasSyntax({ syntax, overloads }: CodePlace, expected: string | null): boolean {
  return syntax === expected || (expected !== null && overloads?.includes(expected) === true);
}

/**
 * True if a member has only its short declaration in common with another one, such as `close(): void` of an interface: then it
 * is the same only in its own type, in the file that its file became, or where its type was renamed in the same file.
 */
function isCoincidentalMatch(
  location: CodePlace,
  { path, symbol, sketch }: AnchorTarget,
  { renamed, isOwned }: { renamed: readonly string[]; isOwned: boolean },
): boolean {
  if (folderOf(symbol ?? '') === '' || (sketch?.length ?? 0) >= SMALL_SKETCH) return false;
  return location.symbol !== symbol && !renamed.includes(location.path) && (isOwned || location.path !== path);
}

const GONE: ComparedState = { status: 'gone', path: null, symbol: null, line: null };

/** Returns the new location of a symbol that its file no longer has. */
function movedTo(
  target: AnchorTarget,
  where: { named: readonly CodePlace[]; same: readonly CodePlace[]; renamed: readonly string[] },
): CodePlace | undefined {
  const { named, same, renamed } = where;
  const inRenamed = (location: CodePlace): boolean => renamed.includes(location.path);
  const scored = named
    .filter((location) => location.symbol !== target.symbol || location.path !== target.path)
    .map((location) => ({
      location,
      likeness: location.syntax === target.syntax ? 1 : sketchLikeness(target.sketch, location.sketch),
    }))
    .filter(({ location, likeness }) => likeness >= (inRenamed(location) ? RENAMED_LIKENESS : MOVED_LIKENESS))
    .toSorted(
      (a, b) =>
        Number(inRenamed(b.location)) - Number(inRenamed(a.location)) ||
        b.likeness - a.likeness ||
        Number(b.location.symbol === target.symbol) - Number(a.location.symbol === target.symbol) ||
        compareTexts(a.location.path, b.location.path),
    );
  const [best] = scored;
  if (best !== undefined) return best.location;
  // The same body under another name: only where it is long enough to be the same by no accident.
  if ((target.sketch?.length ?? 0) < SMALL_SKETCH) return undefined;
  return likeliestRename(target, same, inRenamed);
}

/** Of places with the same body: in its own file or what that became before all others, then the one whose name says most of the old one. */
function likeliestRename(
  { path, symbol }: AnchorTarget,
  same: readonly CodePlace[],
  inRenamed: (location: CodePlace) => boolean,
): CodePlace | undefined {
  const parts = new Set(identifierParts(baseName(symbol ?? '')));
  const likeness = (location: CodePlace): number => {
    const own = identifierParts(baseName(location.symbol ?? ''));
    return own.filter((part) => parts.has(part)).length / Math.max(1, own.length, parts.size);
  };
  const isNear = (location: CodePlace): number => Number(location.path === path || inRenamed(location));
  return same.toSorted((a, b) => isNear(b) - isNear(a) || likeness(b) - likeness(a))[0];
}

/** Compares a definition that was found in the text of its file: there, in the files that this became, or inside something else. */
async function compareText(
  anchor: Anchored,
  lookup: CodeLookup,
  renamed: readonly string[],
): Promise<[Anchored, ComparedState]> {
  const { target } = anchor;
  const symbol = target.symbol ?? '';
  const own = await lookup.inText(target.path, symbol);
  const here = own.find(({ syntax }) => syntax === target.syntax) ?? bestInText(own, symbol);
  if (here !== undefined && bestInText([here], symbol) !== undefined)
    return [anchor, { ...at(here, here.syntax === target.syntax ? 'fresh' : 'changed'), symbol }];
  const paths = new Set([...renamed, ...(await pathsOfOuter(target, lookup))]);
  const others = [...own, ...(await Promise.all([...paths].map((path) => lookup.inText(path, symbol)))).flat()];
  const [moved] = others
    .map((location) => ({
      location,
      likeness: location.syntax === target.syntax ? 1 : sketchLikeness(target.sketch, location.sketch),
    }))
    .filter(
      ({ location, likeness }) => likeness >= (renamed.includes(location.path) ? RENAMED_LIKENESS : MOVED_LIKENESS),
    )
    .toSorted((a, b) => b.likeness - a.likeness);
  return [anchor, moved === undefined ? GONE : at(moved.location, 'moved')];
}

/** Files that now have the outermost thing around a definition: what is inside goes with it. None where it is still in its file. */
async function pathsOfOuter({ path, symbol }: AnchorTarget, lookup: CodeLookup): Promise<string[]> {
  const [outer = '', ...inner] = (symbol ?? '').split('/');
  if (inner.length === 0) return [];
  const places = (await lookup.symbols([{ symbol: outer }]))[0] ?? [];
  const paths = [...new Set(places.filter((location) => location.symbol === outer).map((location) => location.path))];
  return paths.includes(path) ? [] : paths.slice(0, MOST_OUTER_PATHS);
}

async function responsible(
  target: AnchorTarget,
  { status, paths, isExplained }: { status: AnchorStatus; paths: readonly string[]; isExplained: boolean },
  history: HistoryLookup | undefined,
): Promise<AnchorCommit[]> {
  if (history === undefined) return [];
  const touching = await history.commitsTouching(target.baselineCommit, paths, MOST_SOUGHT);
  const read = isExplained ? history.fileVersions : undefined;
  const causes = read === undefined ? [] : await causesOf(target, { status, paths }, touching, read);
  return (causes.length > 0 ? causes : touching).slice(0, MOST_COMMITS);
}

function at({ path, symbol, line }: CodePlace, status: AnchorState['status']): ComparedState {
  return { status, path, symbol, line };
}
