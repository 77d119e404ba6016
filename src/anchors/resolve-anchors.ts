import type { CodePlace } from '../code/places/places.ts';
import type { CodeLookup } from './lookups/code-lookup.ts';
import { bestInText } from './lookups/text-anchors.ts';
import type { AnchorTarget } from './store/store.ts';
import type { AnchorCandidate } from './mentions/mentions.ts';

/** Most names of candidates that a reason lists. */
const LISTED = 3;

/** The result for an anchor candidate. Neither target nor reason: it was a word, or a path that only says where a symbol is. */
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
  { candidates, placing }: { candidates: readonly AnchorCandidate[]; placing: ReadonlyMap<string, readonly string[]> },
  lookups: readonly CodeLookup[],
): Promise<Resolved[]> {
  const resolvedByName = new Map<string, Resolved>();
  for (const lookup of lookups) {
    const open = candidates.filter(
      (anchor) => resolvedByName.get(anchor.written)?.target === undefined && mayHold(lookup, anchor),
    );
    if (open.length === 0) continue;
    for (const resolved of await resolveIn(open, lookup)) {
      if (resolved.target !== undefined || !resolvedByName.has(resolved.written))
        resolvedByName.set(resolved.written, resolved);
    }
  }
  return candidates.flatMap((anchor) => {
    const resolved = resolvedByName.get(anchor.written) ?? { written: anchor.written, reason: describeMissing(anchor) };
    const isLocation = placing
      .get(anchor.written)
      ?.some((symbol) => resolvedByName.get(symbol)?.target?.path === (resolved.target?.path ?? anchor.path));
    if (isLocation === true || (resolved.target === undefined && resolved.reason === undefined)) return [];
    return anchor.isRepeated && isSame(resolved.target, resolvedByName.get(anchor.symbol)?.target) ? [] : [resolved];
  });
}

function isSame(one: AnchorTarget | undefined, other: AnchorTarget | undefined): boolean {
  return one?.path === other?.path && one?.symbol === other?.symbol && one?.repositoryId === other?.repositoryId;
}

function mayHold({ repo, repositoryId }: CodeLookup, candidate: AnchorCandidate): boolean {
  return (
    candidate.repo === undefined || candidate.repo === '*' || candidate.repo === repo || candidate.repo === repositoryId
  );
}

function describeMissing({ repo }: AnchorCandidate): string {
  if (repo === undefined || repo === '*') return 'No repository of the product is indexed.';
  return `No indexed repository of the product is named ${repo}.`;
}

async function resolveIn(candidates: readonly AnchorCandidate[], lookup: CodeLookup): Promise<Resolved[]> {
  const ofFiles = candidates.filter(({ symbol }) => symbol === '');
  const ofSymbols = candidates.filter(({ symbol }) => symbol !== '');
  return [...(await filesIn(ofFiles, lookup)), ...(await symbolsIn(ofSymbols, lookup))];
}

async function filesIn(candidates: readonly AnchorCandidate[], lookup: CodeLookup): Promise<Resolved[]> {
  const paths = candidates.map(({ path }) => path);
  const files = await lookup.files(paths);
  const missing = paths.filter((_path, index) => files[index] === undefined);
  const folders = new Set(missing.length === 0 ? [] : await lookup.folders(missing));
  const ranged = candidates.filter(({ lines }, index) => lines !== undefined && files[index] !== undefined);
  const around = await lookup.around(ranged.map(({ path, lines = { from: 1, to: 1 } }) => ({ path, ...lines })));
  const inner = new Map(ranged.map(({ written }, index) => [written, around[index]]));
  return candidates.map(({ written, path }, index) => {
    const location = inner.get(written) ?? files[index];
    if (location !== undefined) return { written, target: targetOf(location, lookup) };
    return folders.has(path) ? { written } : { written, reason: `There is no file ${path}.` };
  });
}

async function symbolsIn(candidates: readonly AnchorCandidate[], lookup: CodeLookup): Promise<Resolved[]> {
  const symbolQueries = candidates.flatMap(({ path, symbol, near, elsewhere }) =>
    [...new Set(path === '' ? [...near, ...elsewhere] : [path])].map((file) => ({ path: file, symbol })),
  );
  const inPaths = await lookup.symbols(symbolQueries);
  const byLocation = new Map(
    symbolQueries.map(({ path, symbol }, index) => [`${symbol}@${path}`, inPaths[index] ?? []]),
  );
  const anywhere = await lookup.symbols(candidates.map(({ symbol }) => ({ symbol })));
  return Promise.all(
    candidates.map(async (anchor, index): Promise<Resolved> => {
      const { written, path, symbol, near, elsewhere, isCertain, isRepeated } = anchor;
      const own = path === '' ? near : [path];
      const inPath = (filePath: string): CodePlace[] =>
        distinctPlaces(choosePlaces(byLocation.get(`${symbol}@${filePath}`) ?? [], symbol));
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
function anywhereOf({ written, symbol }: AnchorCandidate, places: readonly CodePlace[], lookup: CodeLookup): Resolved {
  const distinct = distinctPlaces(choosePlaces(places, symbol));
  const [first] = distinct;
  if (first === undefined) return { written, reason: `No symbol is named ${symbol}.` };
  return distinct.length === 1
    ? { written, target: targetOf(first, lookup) }
    : { written, reason: ambiguous(symbol, distinct) };
}

function ambiguous(symbol: string, places: readonly CodePlace[]): string {
  const names = places.map((location) => `${location.symbol}@${location.path}`);
  const more = names.length > LISTED ? ', …' : '';
  return `${names.length} symbols are named ${symbol}: ${names.slice(0, LISTED).join(', ')}${more}.`;
}

/** One of each name in each file. */
function distinctPlaces(places: readonly CodePlace[]): CodePlace[] {
  return [...new Map(places.map((location) => [`${location.symbol}@${location.path}`, location])).values()];
}

/** A definition that is no symbol of the index, in the text of a file that is named beside it. */
async function inText(symbol: string, paths: readonly string[], lookup: CodeLookup): Promise<AnchorTarget | undefined> {
  for (const path of new Set(paths)) {
    const places = await lookup.inText(path, symbol);
    const location = bestInText(places, symbol) ?? places[0];
    // It is known by the name that the text gives it: what is around it may be no symbol either.
    if (location !== undefined) return { ...targetOf(location, lookup), symbol };
  }
  return undefined;
}

/** The ones that fit best: the whole name before its last parts, code before tests, what can be called before the rest. */
function choosePlaces(places: readonly CodePlace[], symbol: string): CodePlace[] {
  let preferred = [...places];
  const preferences: ((location: CodePlace) => boolean)[] = [
    (location) => location.symbol === symbol,
    (location) => !location.test,
    (location) => /^(?:function|method|class|interface|struct|trait)$/.test(location.kind),
    (location) => location.exported,
  ];
  for (const prefers of preferences) if (preferred.some(prefers)) preferred = preferred.filter(prefers);
  return preferred;
}

function targetOf(location: CodePlace, { repositoryId, commit }: CodeLookup): AnchorTarget {
  const { path, symbol, line, syntax, sketch } = location;
  return { repositoryId, path, symbol, line, syntax, sketch, baselineCommit: commit };
}
