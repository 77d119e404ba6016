import { type Callee, isType, readCalls } from './around.ts';
import { type CodePlace, locateDoc, readSymbol } from './code.ts';
import type { Tools } from './tools.ts';

/** A place that is called on the way of a question, what it calls in turn, and the places of that as far as they were read. */
export interface Hop {
  place: CodePlace;
  callees: Callee[];
  read: CodePlace[];
}

/** Places behind each other that are followed, what each calls that is told, and candidates that are tried. */
const MOST_HOPS = 2;
const MOST_CALLS = 3;
const MOST_TRIED = 2;
/** A place with less of the weight of a question leads away from it. */
const LEAST_WORTH = 0.2;

/**
 * Follows calls from some places on: each time through the one that says most about the question, as long as it calls something that
 * is not known yet. Up to 2 calls a hop that leads nowhere, and 1 to 7 for one that does.
 */
export async function follow(
  tools: Tools,
  from: readonly CodePlace[],
  { known, worthOf }: { known: readonly CodePlace[]; worthOf: (text: string) => number },
): Promise<Hop[]> {
  const seen = new Set(known.map(keyOf));
  const hops: Hop[] = [];
  let candidates = from;
  while (hops.length < MOST_HOPS) {
    const hop = await findHop(tools, rank(candidates, worthOf), seen);
    if (hop === undefined) break;
    for (const { symbol, path } of hop.callees) seen.add(keyOf({ symbol, path }));
    hops.push(hop);
    candidates = hop.read;
  }
  return hops;
}

/** The functions of more than one line that say something about the question, the best first. */
function rank(places: readonly CodePlace[], worthOf: (text: string) => number): CodePlace[] {
  return places
    .map((place) => ({ place, worth: worthOf(`${place.symbol} ${place.doc} ${place.body}`) }))
    .filter(({ place, worth }) => worth >= LEAST_WORTH && !isType(place) && place.body.trim().includes('\n'))
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, MOST_TRIED)
    .map(({ place }) => place);
}

async function findHop(
  tools: Tools,
  candidates: readonly CodePlace[],
  seen: ReadonlySet<string>,
): Promise<Hop | undefined> {
  for (const place of candidates) {
    const callees = (await readCalls(tools, place)).filter((callee) => !seen.has(keyOf(callee))).slice(0, MOST_CALLS);
    if (callees.length === 0) continue;
    const read = await Promise.all(callees.map((callee) => readPlace(tools, callee, place.repo)));
    return { place, callees, read: read.filter((callee) => callee !== undefined) };
  }
  return undefined;
}

/** A callee with its documentation; undefined when it cannot be read. Two calls. */
export async function readPlace(tools: Tools, callee: Callee, repo: string): Promise<CodePlace | undefined> {
  const read = await readSymbol(tools, { ...callee, repo });
  return read === undefined ? undefined : locateDoc(tools, { ...read, isNamed: false, score: 0 });
}

function keyOf({ symbol, path }: Pick<CodePlace, 'symbol' | 'path'>): string {
  return `${path} ${symbol}`;
}
