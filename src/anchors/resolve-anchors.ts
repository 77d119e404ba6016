import type { CodePlace } from '../code/places/places.ts';
import type { CodeLookup } from './lookups/code-lookup.ts';
import { bestInText } from './lookups/text-anchors.ts';
import type { AnchorTarget } from './store/store.ts';
import type { Wanted } from './mentions/mentions.ts';

/** Most names of candidates that a reason lists. */
const LISTED = 3;

/** What became of a wanted anchor. Neither target nor reason: it was a word, or a path that only says where a symbol is. */
interface Resolved {
  written: string;
  target?: AnchorTarget;
  reason?: string;
}

/**
 * Finds what a text names in the indexes of its repositories, in their order: the first one that has it wins. A symbol
 * is looked for in the paths of its own block, then in the other paths of the text, then anywhere, where it must be the
 * only one. Cost: a few queries a repository, whatever the number of names.
 */
export async function resolveAnchors(
  { wanted, placing }: { wanted: readonly Wanted[]; placing: ReadonlyMap<string, readonly string[]> },
  lookups: readonly CodeLookup[],
): Promise<Resolved[]> {
  const found = new Map<string, Resolved>();
  for (const lookup of lookups) {
    const open = wanted.filter((anchor) => found.get(anchor.written)?.target === undefined && mayHold(lookup, anchor));
    if (open.length === 0) continue;
    for (const resolved of await resolveIn(open, lookup)) {
      if (resolved.target !== undefined || !found.has(resolved.written)) found.set(resolved.written, resolved);
    }
  }
  return wanted.flatMap((anchor) => {
    const resolved = found.get(anchor.written) ?? { written: anchor.written, reason: describeMissing(anchor) };
    const isPlace = placing
      .get(anchor.written)
      ?.some((symbol) => found.get(symbol)?.target?.path === (resolved.target?.path ?? anchor.path));
    if (isPlace === true || (resolved.target === undefined && resolved.reason === undefined)) return [];
    return anchor.isRepeated && isSame(resolved.target, found.get(anchor.symbol)?.target) ? [] : [resolved];
  });
}

function isSame(one: AnchorTarget | undefined, other: AnchorTarget | undefined): boolean {
  return one?.path === other?.path && one?.symbol === other?.symbol && one?.repositoryId === other?.repositoryId;
}

function mayHold({ repo, repositoryId }: CodeLookup, wanted: Wanted): boolean {
  return wanted.repo === undefined || wanted.repo === '*' || wanted.repo === repo || wanted.repo === repositoryId;
}

function describeMissing({ repo }: Wanted): string {
  if (repo === undefined || repo === '*') return 'No repository of the product is indexed.';
  return `No indexed repository of the product is named ${repo}.`;
}

async function resolveIn(wanted: readonly Wanted[], lookup: CodeLookup): Promise<Resolved[]> {
  const ofFiles = wanted.filter(({ symbol }) => symbol === '');
  const ofSymbols = wanted.filter(({ symbol }) => symbol !== '');
  return [...(await filesIn(ofFiles, lookup)), ...(await symbolsIn(ofSymbols, lookup))];
}

async function filesIn(wanted: readonly Wanted[], lookup: CodeLookup): Promise<Resolved[]> {
  const paths = wanted.map(({ path }) => path);
  const files = await lookup.files(paths);
  const missing = paths.filter((_path, index) => files[index] === undefined);
  const folders = new Set(missing.length === 0 ? [] : await lookup.folders(missing));
  const ranged = wanted.filter(({ lines }, index) => lines !== undefined && files[index] !== undefined);
  const around = await lookup.around(ranged.map(({ path, lines = { from: 1, to: 1 } }) => ({ path, ...lines })));
  const inner = new Map(ranged.map(({ written }, index) => [written, around[index]]));
  return wanted.map(({ written, path }, index) => {
    const place = inner.get(written) ?? files[index];
    if (place !== undefined) return { written, target: targetOf(place, lookup) };
    return folders.has(path) ? { written } : { written, reason: `There is no file ${path}.` };
  });
}

async function symbolsIn(wanted: readonly Wanted[], lookup: CodeLookup): Promise<Resolved[]> {
  const asked = wanted.flatMap(({ path, symbol, near, elsewhere }) =>
    [...new Set(path === '' ? [...near, ...elsewhere] : [path])].map((file) => ({ path: file, symbol })),
  );
  const inPaths = await lookup.symbols(asked);
  const byPlace = new Map(asked.map(({ path, symbol }, index) => [`${symbol}@${path}`, inPaths[index] ?? []]));
  const anywhere = await lookup.symbols(wanted.map(({ symbol }) => ({ symbol })));
  return Promise.all(
    wanted.map(async (anchor, index): Promise<Resolved> => {
      const { written, path, symbol, near, elsewhere, isCertain, isRepeated } = anchor;
      const own = path === '' ? near : [path];
      const inPath = (place: string): CodePlace[] =>
        distinctPlaces(choosePlaces(byPlace.get(`${symbol}@${place}`) ?? [], symbol));
      const beside = own.map(inPath).find((places) => places.length > 0) ?? [];
      // Members of one name, such as those of an interface and of what implements it: the text does not say which.
      if (beside.length > 1)
        return isCertain && !isRepeated ? { written, reason: ambiguous(symbol, beside) } : { written };
      if (beside[0] !== undefined) return { written, target: targetOf(beside[0], lookup) };
      const target = await inText(symbol, own, lookup);
      if (target !== undefined) return { written, target };
      if (isRepeated) return { written };
      if (path !== '') return { written, reason: `${path} has no symbol ${symbol}.` };
      const [named] = elsewhere.map(inPath).find((places) => places.length === 1) ?? [];
      if (named !== undefined) return { written, target: targetOf(named, lookup) };
      const alone = anywhereOf(anchor, anywhere[index] ?? [], lookup);
      // A plain word is only taken for code where its file is named too, or where it begins as types do and names one thing.
      const isName = isCertain || (alone.target?.symbol === symbol && /^[A-Z]/.test(symbol));
      return isName ? alone : { written };
    }),
  );
}

/** The symbol of this name, wherever it is, when there is only one. */
function anywhereOf({ written, symbol }: Wanted, places: readonly CodePlace[], lookup: CodeLookup): Resolved {
  const distinct = distinctPlaces(choosePlaces(places, symbol));
  const [first] = distinct;
  if (first === undefined) return { written, reason: `No symbol is named ${symbol}.` };
  return distinct.length === 1
    ? { written, target: targetOf(first, lookup) }
    : { written, reason: ambiguous(symbol, distinct) };
}

function ambiguous(symbol: string, places: readonly CodePlace[]): string {
  const names = places.map((place) => `${place.symbol}@${place.path}`);
  const more = names.length > LISTED ? ', …' : '';
  return `${names.length} symbols are named ${symbol}: ${names.slice(0, LISTED).join(', ')}${more}.`;
}

/** One of each name in each file. */
function distinctPlaces(places: readonly CodePlace[]): CodePlace[] {
  return [...new Map(places.map((place) => [`${place.symbol}@${place.path}`, place])).values()];
}

/** A definition that is no symbol of the index, in the text of a file that is named beside it. */
async function inText(symbol: string, paths: readonly string[], lookup: CodeLookup): Promise<AnchorTarget | undefined> {
  for (const path of new Set(paths)) {
    const places = await lookup.inText(path, symbol);
    const place = bestInText(places, symbol) ?? places[0];
    // It is known by the name that the text gives it: what is around it may be no symbol either.
    if (place !== undefined) return { ...targetOf(place, lookup), symbol };
  }
  return undefined;
}

/** The ones that fit best: the whole name before its last parts, code before tests, what can be called before the rest. */
function choosePlaces(places: readonly CodePlace[], symbol: string): CodePlace[] {
  let kept = [...places];
  const preferences: ((place: CodePlace) => boolean)[] = [
    (place) => place.symbol === symbol,
    (place) => !place.test,
    (place) => /^(?:function|method|class|interface|struct|trait)$/.test(place.kind),
    (place) => place.exported,
  ];
  for (const prefers of preferences) if (kept.some(prefers)) kept = kept.filter(prefers);
  return kept;
}

function targetOf(place: CodePlace, { repositoryId, commit }: CodeLookup): AnchorTarget {
  const { path, symbol, line, syntax, sketch } = place;
  return { repositoryId, path, symbol, line, syntax, sketch, baselineCommit: commit };
}
