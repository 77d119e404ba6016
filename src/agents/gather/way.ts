import { z } from 'zod';
import { identifierParts, stem, termsOf } from '../../kernel/terms.ts';
import type { Ends } from '../question/ends.ts';
import { parseQuestion } from '../question/question.ts';
import { type TermWeights, weighTerms } from '../question/term-weights.ts';
import { isType, lastPart } from './around.ts';
import { type CodePlace, findMethods, findNamed, findOfName, readSymbol, searchCode } from './code.ts';
import { isAccessor, isAside, isConstructor, shareInName } from './prefer.ts';
import type { Tools } from './tools.ts';

/** One call on the way from one place to another. */
export interface WayStep {
  from: CodePlace;
  to: CodePlace;
  /** Whether nothing but its name says that this is what is called: an object that is known only at run time has it. */
  isByName: boolean;
}

/** Places from which a way may start, members of a type among them, and calls in a row that are followed. */
const MOST_STARTS = 4;
const MOST_MEMBERS = 8;
const MOST_CALLS = 4;
/** Functions whose open calls are tried, names of such calls, and functions of one name. */
const MOST_OPEN = 5;
const MOST_NAMES = 8;
const MOST_OF_A_NAME = 2;
/** Calls of one way whose target only a name tells. */
const MOST_LINKS = 2;
/** A place whose name has less of the weight of an end is that end only when a search for the end finds it, which counts so much. */
const LEAST_SHARE = 0.5;
const SHARE_OF_HIT = 0.6;
const LESS_BY_RANK = 0.01;
/** What each call more takes from the worth of a way. */
const COST_OF_CALL = 0.05;
/** Shorter words are alike by chance. */
const SHORTEST_NAME = 4;

const Edge = z.looseObject({ from: z.string(), to: z.string(), hop: z.number(), grade: z.string() });
type Edge = z.output<typeof Edge>;

/** A place by its handle. */
type Start = Pick<CodePlace, 'symbol' | 'path' | 'repo'>;

/** What says that a place is the second end, and that calls are those that are asked for. */
interface Goal {
  weights: TermWeights;
  /** What a search for the end finds, by handle, and its rank from 0. */
  hits: ReadonlyMap<string, number>;
  /** The share of the question's weight that a text has. */
  worthOf: (text: string) => number;
}

/**
 * The calls that lead from the place of one end to that of the other: over calls that are resolved, else with up to two between that
 * only a name tells. Undefined when there is no such way. 5 to 60 calls.
 */
export async function findWay(
  tools: Tools,
  { from, to }: Ends,
  { names, worthOf }: { names: readonly string[]; worthOf: (text: string) => number },
): Promise<WayStep[] | undefined> {
  const weights = weighTerms([...new Set(termsOf(to))], 1, {});
  if (weights.size === 0) return undefined;
  const [starts, hits] = await Promise.all([findStarts(tools, from, names), searchCode(tools, parseQuestion(to))]);
  const goal = { weights, hits: new Map(hits.map((hit, rank) => [handleOf(hit), rank])), worthOf };
  const walks = await Promise.all(starts.map(async (start) => walk(tools, start)));
  const direct = walks.flatMap((reached) => wayTo(reached, goal) ?? []).toSorted(byWorth)[0];
  if (direct !== undefined) return readSteps(tools, direct.edges, starts[0]?.repo ?? '');
  for (const reached of walks) {
    // oxlint-disable-next-line no-await-in-loop -- the first that leads there is taken
    const way = await wayByName(tools, reached, goal, MOST_LINKS);
    if (way !== undefined) return way;
  }
  return undefined;
}

/** What the words of the first end name, else what fits them best, of a type its methods: no tests, no constructors. */
async function findStarts(tools: Tools, from: string, names: readonly string[]): Promise<Start[]> {
  const named = await Promise.all(names.filter((name) => from.includes(name)).map((name) => findNamed(tools, name)));
  const found = named.flat().length > 0 ? named.flat() : await searchCode(tools, parseQuestion(from));
  const likely = found.filter(({ symbol, path }) => symbol !== '' && !isAside(path)).slice(0, MOST_STARTS);
  const type = likely.find(isType);
  const methods = type === undefined ? [] : await findMethods(tools, type);
  const members = methods.filter(({ symbol }) => !isAccessor(symbol)).slice(0, MOST_MEMBERS);
  return [...likely.filter((place) => !isType(place)), ...members].filter(({ symbol }) => !isConstructor(symbol));
}

/** What a place calls, and what that calls in turn. */
interface Walk {
  start: Start;
  edges: readonly Edge[];
}

async function walk(tools: Tools, start: Start): Promise<Walk> {
  const { symbol, path, repo } = start;
  const more = { depth: MOST_CALLS, limit: 100, ...(repo !== '' && { repo }) };
  const query = `sym:${symbol}@${path}`;
  const found = await tools.ask(
    'code-tool',
    { action: 'dependencies', query, kind: ['calls'], tests: 'exclude', ...more },
    Edge,
  );
  return { start, edges: (found?.rows ?? []).filter(({ grade, to }) => grade !== 'name' && to.startsWith('sym:')) };
}

/** A way with how likely it is the one that is asked for. */
interface Candidate {
  edges: Edge[];
  worth: number;
}

/** The calls from the start to the likeliest place of the end; the nearest of several. */
function wayTo({ start, edges }: Walk, goal: Goal): Candidate | undefined {
  const ways = edges.flatMap((edge) => {
    const share = shareOf(edge.to, goal);
    const way = share < LEAST_SHARE || edge.to === handleOf(start) ? undefined : walkBack(edges, edge);
    if (way === undefined) return [];
    const said = goal.worthOf(way.map(({ to }) => to).join(' '));
    return [{ edges: way, worth: share + said - COST_OF_CALL * way.length }];
  });
  return ways.toSorted(byWorth)[0];
}

function byWorth(a: Candidate, b: Candidate): number {
  return b.worth - a.worth || a.edges.length - b.edges.length;
}

function walkBack(edges: readonly Edge[], last: Edge): Edge[] | undefined {
  const way = [last];
  for (let at = last; at.hop > 1;) {
    const before = edges.find(({ to, hop }) => to === at.from && hop < at.hop);
    if (before === undefined) return undefined;
    way.unshift(before);
    at = before;
  }
  return way;
}

/** How likely a symbol is the second end: by the part of it that its name has, or because it is found for it. */
function shareOf(handle: string, { weights, hits }: Goal): number {
  const { symbol, path } = placeOf(handle);
  if (isAccessor(symbol) || isConstructor(symbol)) return 0;
  const name = symbol.replace(/\(.*$/, '');
  const named = shareInName({ symbol: name, path }, { weights, shares: { own: 1, file: 0.4 } });
  const rank = hits.get(handle);
  // A long name says other things too.
  const others = identifierParts(name.slice(name.lastIndexOf('/') + 1)).length - weights.size;
  return Math.max(named / (1 + Math.max(0, others) / 4), rank === undefined ? 0 : SHARE_OF_HIT - LESS_BY_RANK * rank);
}

/**
 * A way with calls between whose target is not resolved: what the start and what it calls leave open, by name, in the functions of
 * that name which say most of the question.
 */
async function wayByName(
  tools: Tools,
  { start, edges }: Walk,
  goal: Goal,
  links: number,
): Promise<WayStep[] | undefined> {
  const { worthOf } = goal;
  const near = [handleOf(start), ...edges.filter(({ hop }) => hop === 1).map(({ to }) => to)].slice(0, MOST_OPEN);
  const read = await Promise.all(near.map((handle) => readSymbol(tools, { ...placeOf(handle), repo: start.repo })));
  const callers = read.filter((place) => place !== undefined);
  const open = callers.flatMap((caller) => openCalls(caller, edges).map((call) => ({ caller, ...call })));
  const likely = open.toSorted((a, b) => worthOf(b.name) - worthOf(a.name)).slice(0, MOST_NAMES);
  const tried = await Promise.all(
    likely.map(async ({ caller, name, receiver }) => {
      const found = await findOfName(tools, name);
      const targets = found
        .filter((target) => !isAside(target.path) && isCalledAs(target.symbol, receiver))
        .map((target) => ({ caller, target, worth: worthOf(`${target.symbol} ${target.path}`) }));
      return targets.toSorted((a, b) => b.worth - a.worth).slice(0, MOST_OF_A_NAME);
    }),
  );
  const ways = await Promise.all(
    tried.flat().map(async ({ caller, target }) => {
      const onward = await wayOnward(tools, target, goal, links - 1);
      if (onward === undefined) return [];
      const toCaller = edges.find(({ to, hop }) => hop === 1 && to === handleOf(caller));
      const before = toCaller === undefined ? [] : await readSteps(tools, [toCaller], start.repo);
      const link = { from: caller, to: target, isByName: true };
      return [{ steps: [...before, link, ...onward.steps], worth: onward.worth }];
    }),
  );
  return ways.flat().toSorted((a, b) => b.worth - a.worth)[0]?.steps;
}

/** How a way goes on from what was called by name: nowhere when that is the end. */
async function wayOnward(
  tools: Tools,
  target: CodePlace,
  goal: Goal,
  links: number,
): Promise<{ steps: WayStep[]; worth: number } | undefined> {
  const reached = await walk(tools, target);
  const direct = wayTo(reached, goal);
  const share = shareOf(handleOf(target), goal);
  if (direct !== undefined && direct.worth > share)
    return { steps: await readSteps(tools, direct.edges, target.repo), worth: direct.worth };
  if (share >= LEAST_SHARE) return { steps: [], worth: share };
  const steps = links > 0 ? await wayByName(tools, reached, goal, links) : undefined;
  return steps && { steps, worth: 0 };
}

/** Methods that a body calls on something, where no call of that name was resolved. */
function openCalls(caller: CodePlace, edges: readonly Edge[]): { name: string; receiver: string }[] {
  const handle = handleOf(caller);
  const known = new Set(edges.filter(({ from }) => from === handle).map(({ to }) => lastPart(placeOf(to).symbol)));
  const calls = [...caller.body.matchAll(/(\w+)\s*(?:\.|->|::)\s*([A-Za-z_]\w{2,})\s*\(/g)];
  const byName = new Map(calls.map(([, receiver = '', name = '']) => [name, receiver]));
  return [...byName].filter(([name]) => !known.has(name)).map(([name, receiver]) => ({ name, receiver }));
}

/** Whether what a method is called on is called like its type: `this.transporter.send` is said of SMTPTransport. */
function isCalledAs(symbol: string, receiver: string): boolean {
  const type = identifierParts(symbol.split('/').at(-2) ?? '');
  const said = identifierParts(receiver).map(stem);
  return said.some((word) => word.length >= SHORTEST_NAME && type.some((part) => isAlike(stem(part), word)));
}

function isAlike(a: string, b: string): boolean {
  return a.length >= SHORTEST_NAME && (a.startsWith(b) || b.startsWith(a));
}

/** Calls with both of their ends read; up to the first one that cannot be. */
async function readSteps(tools: Tools, edges: readonly Edge[], repo: string): Promise<WayStep[]> {
  const handles = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const places = await Promise.all(handles.map((handle) => readSymbol(tools, { ...placeOf(handle), repo })));
  const byHandle = new Map(handles.map((handle, at) => [handle, places[at]]));
  const steps: WayStep[] = [];
  for (const edge of edges) {
    const [from, to] = [byHandle.get(edge.from), byHandle.get(edge.to)];
    if (from === undefined || to === undefined) break;
    steps.push({ from, to, isByName: false });
  }
  return steps;
}

function handleOf({ symbol, path }: Pick<CodePlace, 'symbol' | 'path'>): string {
  return `sym:${symbol}@${path}`;
}

function placeOf(handle: string): { symbol: string; path: string } {
  const [, symbol = '', path = ''] = /^sym:(.*)@([^@]+)$/.exec(handle) ?? [];
  return { symbol, path };
}
