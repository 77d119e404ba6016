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
    return isPlace === true || (resolved.target === undefined && resolved.reason === undefined) ? [] : [resolved];
  });
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
      const { written, path, symbol, near, elsewhere, isCertain } = anchor;
      const own = path === '' ? near : [path];
      const inPath = (place: string): CodePlace | undefined =>
        choosePlaces(byPlace.get(`${symbol}@${place}`) ?? [], symbol)[0];
      const beside = own.map(inPath).find((place) => place !== undefined);
      if (beside !== undefined) return { written, target: targetOf(beside, lookup) };
      const target = await inText(symbol, own, lookup);
      if (target !== undefined) return { written, target };
      if (path !== '') return { written, reason: `${path} has no symbol ${symbol}.` };
      const named = elsewhere.map(inPath).find((place) => place !== undefined);
      if (named !== undefined) return { written, target: targetOf(named, lookup) };
      // A plain word is only taken for code where its file is named too.
      return isCertain ? anywhereOf(anchor, anywhere[index] ?? [], lookup) : { written };
    }),
  );
}

/** The symbol of this name, wherever it is, when there is only one. */
function anywhereOf({ written, symbol }: Wanted, places: readonly CodePlace[], lookup: CodeLookup): Resolved {
  const distinct = new Map(choosePlaces(places, symbol).map((place) => [`${place.symbol}@${place.path}`, place]));
  const [first] = distinct.values();
  if (first !== undefined && distinct.size === 1) return { written, target: targetOf(first, lookup) };
  if (first === undefined) return { written, reason: `No symbol is named ${symbol}.` };
  const names = [...distinct.keys()].slice(0, LISTED).join(', ');
  const more = distinct.size > LISTED ? ', …' : '';
  return { written, reason: `${distinct.size} symbols are named ${symbol}: ${names}${more}.` };
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
