import { z } from 'zod';
import { identifierParts } from '../../kernel/terms.ts';
import { coverage, type TermWeights, weighTerms } from '../question/term-weights.ts';
import type { AskedQuestion } from '../question/question.ts';
import { codeWordsOf } from '../question/topic.ts';
import { withoutForwarders } from './forwarders.ts';
import { preferNamed } from './prefer.ts';
import type { Answered, Tools } from './tools.ts';

const HitRow = z.looseObject({
  repo: z.string().optional(),
  path: z.string(),
  start: z.number(),
  end: z.number(),
  symbol: z.string(),
  kind: z.string(),
  score: z.number(),
  body: z.string().default(''),
});
const DefinitionRow = z.looseObject({
  repo: z.string().optional(),
  path: z.string(),
  start: z.number(),
  end: z.number(),
  kind: z.string().default('file'),
  name: z.string().default(''),
  qualified: z.string().default(''),
  signature: z.string().default(''),
  doc: z.string().default(''),
  id: z.string().default(''),
  body: z.string().default(''),
});
const TermCounts = z.object({ searched: z.number().default(0), terms: z.record(z.string(), z.number()).default({}) });

/** A symbol, or a file, with its source. */
export interface CodePlace {
  repo: string;
  path: string;
  start: number;
  end: number;
  /** `Class/method`; '' for a file. */
  symbol: string;
  /** How tools tell it from others of its symbol: `sym:Class/method(int)@src/a.java`; as its symbol alone where none is given. */
  handle?: string;
  kind: string;
  signature: string;
  doc: string;
  body: string;
  /** The line above its body on which its documentation begins, and those from there on, where it stands there and was looked up. */
  docAt?: { line: number; lines: readonly string[] };
  /** From the search; 1 for what the question names. */
  score: number;
  /** Whether the question names it. */
  isNamed: boolean;
}

/** What the code has to say about a question. */
export interface CodeFindings {
  /** The best first: what the question names, then what fits its words. */
  places: CodePlace[];
  /** Names in the question that are no symbol and no path. */
  unknownNames: string[];
  /** Names in the question that are. */
  knownNames: string[];
  /** Symbols and files that were searched, and how many of them have each term. */
  searched: number;
  terms: Readonly<Record<string, number>>;
}

/** Functions of one name in one type that are told apart. */
const MOST_OVERLOADS = 12;
/** Symbols of one name beyond which it says too little to go by. */
const MOST_CANDIDATES = 4;
/** Symbols of one name among which that of a type is looked for that a question names by a part of it. */
const MOST_OF_A_NAME = 20;
/** Of so many symbols of one name, each may be the one that is meant. */
const MOST_MEANT = 2;
const HITS = { quick: 12, standard: 20, deep: 40 } as const;
export type Effort = keyof typeof HITS;

/** Longest question that the search takes. */
const LONGEST_QUERY = 999;

/**
 * What the question names, by definition, and what fits its words, by search. Both at once; one call a name.
 *
 * @throws ServiceError when the code cannot be searched.
 */
export async function findCode(tools: Tools, question: AskedQuestion, effort: Effort): Promise<CodeFindings> {
  // A request is asked as a question too: `explain how retries work`.
  const mark = question.words.includes('?') ? '' : '?';
  const query = `${codeWordsOf(question.words).slice(0, LONGEST_QUERY)}${mark}`;
  const [found, ...named] = await Promise.all([
    tools.need('code-tool', { action: 'semantic_search', query, detail: 'body', limit: HITS[effort] }, HitRow),
    ...question.names.map((name) => findNamed(tools, name)),
  ]);
  const { searched, terms } = TermCounts.parse(found);
  const weights = weighTerms(question.terms, searched, terms);
  const hits = preferNamed(
    found.rows.map((row) => placeOfHit(tools, found, row)),
    { weights, question },
  );
  const fitting = named.map((list) => orderOverloads(list, weights));
  const notFound = question.names.filter((_, at) => named[at]?.length === 0);
  const areThere = await Promise.all(notFound.map((name) => isThere(tools, name)));
  return {
    places: withoutForwarders(merge(fitting, [...exportsOf(hits, question.names), ...hits])),
    unknownNames: notFound.filter((_, at) => areThere[at] === false),
    knownNames: question.names.filter((_, at) => (named[at]?.length ?? 0) > 0),
    searched,
    terms,
  };
}

/** Functions of one symbol with the one in front whose head and documentation have most of a question. */
function orderOverloads(places: readonly CodePlace[], weights: TermWeights): CodePlace[] {
  const worthOf = ({ signature, doc, body }: CodePlace): number => coverage(weights, [signature, doc, body]);
  return [...Map.groupBy(places, keyOf).values()].flatMap((own) => own.toSorted((a, b) => worthOf(b) - worthOf(a)));
}

/** Whether a name that is no symbol is there otherwise: as that of a file, or of a member of what it is said of. One call. */
async function isThere(tools: Tools, name: string): Promise<boolean> {
  const own = /^.*(?:\.|::|#)(\w+)$/.exec(name)?.[1];
  const args = { action: 'grep', query: String.raw`\S`, path: `**/${name}`, limit: 1 };
  const isFile = /^[\w.-]+\.\w{1,5}$/.test(name) && ((await tools.ask('code-tool', args, z.unknown()))?.total ?? 0) > 0;
  return isFile || (own !== undefined && (await findOfName(tools, own)).length > 0);
}

/** The definition of a symbol by its handle, of several of its name the one on a line; undefined when it is not there. */
export async function readSymbol(
  tools: Tools,
  { repo, symbol, path, start }: Pick<CodePlace, 'repo' | 'symbol' | 'path'> & { start?: number },
) {
  const query = `sym:${symbol}@${path}`;
  const found = await tools.ask(
    'code-tool',
    { action: 'definition', query, detail: 'body', limit: MOST_OVERLOADS, ...(repo !== '' && { repo }) },
    DefinitionRow,
  );
  const row = found?.rows.find((one) => one.start === start) ?? found?.rows[0];
  return found === undefined || row === undefined ? undefined : placeOfDefinition(tools, found, row);
}

/** Lines above a symbol among which its documentation is looked for. */
const MOST_ABOVE = 30;

/** A place with the line on which its documentation begins, where that stands above its body. One call. */
export async function locateDoc(tools: Tools, place: CodePlace): Promise<CodePlace> {
  const { repo, path, symbol, start, doc, body } = place;
  const begin = firstWords(doc);
  if (symbol === '' || begin === '' || start < 2 || plain(body).includes(begin)) return place;
  const query = `${path}:${Math.max(1, start - MOST_ABOVE)}-${start - 1}`;
  const args = { action: 'definition', query, ...(repo !== '' && { repo }) };
  const [above] = (await tools.ask('code-tool', args, DefinitionRow))?.rows ?? [];
  const lines = above?.body.split('\n') ?? [];
  const at = lines.findLastIndex((line) => plain(line).includes(begin));
  return above === undefined || at === -1
    ? place
    : { ...place, docAt: { line: above.start + at, lines: lines.slice(at) } };
}

/** The words with which documentation begins, as a line of it has them. */
function firstWords(doc: string): string {
  const [first = ''] = doc.trim().split('\n');
  return plain(first).split(' ').slice(0, 4).join(' ');
}

function plain(text: string): string {
  return text.replaceAll('`', '');
}

/** The places that a name in a question means; none when it is no symbol, or that of too many. */
export async function findNamed(tools: Tools, name: string): Promise<CodePlace[]> {
  const isPath = /\.\w{1,5}$/.test(name) && name.includes('/');
  const isRange = /:\d+-\d+$/.test(name);
  if (isPath || isRange) return define(tools, { query: isRange ? name : `${name}:1-60` });
  const found = await define(tools, { query: name, detail: 'body', limit: MOST_CANDIDATES });
  const [, type = '', own = ''] = /^(?:.*[.:#])?(\w+)(?:\.|::|#)(\w+)$/.exec(name) ?? [];
  if (found.length > 0 || own === '') return found;
  // `Storage.pop` may be said of RedisStorage.
  const alike = await findOfName(tools, own);
  const likely = alike.filter(({ symbol }) => symbol.split('/').at(-2)?.toLowerCase().includes(type.toLowerCase()));
  return likely.slice(0, MOST_CANDIDATES);
}

/** The symbols of a name, also when there are many. One call. */
export function findOfName(tools: Tools, name: string): Promise<CodePlace[]> {
  return define(tools, { query: name, detail: 'body', limit: MOST_OF_A_NAME });
}

const Member = z.looseObject({ kind: z.string(), id: z.string() });

/** The methods of a type, as handles: without their source. One call. */
export async function findMethods(
  tools: Tools,
  type: CodePlace,
): Promise<Pick<CodePlace, 'symbol' | 'path' | 'repo'>[]> {
  const { path, symbol, repo } = type;
  const args = { action: 'outline', query: path, limit: 100, ...(repo !== '' && { repo }) };
  const found = await tools.ask('code-tool', args, Member);
  const start = `sym:${symbol}/`;
  return (found?.rows ?? [])
    .filter(({ kind, id }) => kind === 'method' && id.startsWith(start))
    .map(({ id }) => ({ symbol: id.slice('sym:'.length, id.lastIndexOf('@')), path, repo }));
}

/** Places whose words fit, the best first. One call. */
export async function searchCode(tools: Tools, question: AskedQuestion): Promise<CodePlace[]> {
  const query = codeWordsOf(question.words).slice(0, LONGEST_QUERY);
  const args = { action: 'semantic_search', query, detail: 'body', limit: HITS.quick };
  const found = await tools.ask('code-tool', args, HitRow);
  if (found === undefined) return [];
  const { searched, terms } = TermCounts.parse(found);
  const hits = found.rows.map((row) => placeOfHit(tools, found, row));
  return preferNamed(hits, { weights: weighTerms(question.terms, searched, terms), question });
}

async function define(tools: Tools, args: Record<string, unknown>): Promise<CodePlace[]> {
  const found = await tools.ask('code-tool', { action: 'definition', ...args }, DefinitionRow);
  return (found?.rows ?? []).map((row) => placeOfDefinition(tools, found ?? NO_REPLY, row));
}

const NO_REPLY = { repo: '' };

/** A line of a file as a place. */
export function filePlace(repo: string, path: string, line: number, body: string): CodePlace {
  return {
    repo,
    path,
    start: line,
    end: line,
    symbol: '',
    kind: 'file',
    signature: '',
    doc: '',
    body,
    score: 0,
    isNamed: true,
  };
}

function placeOfHit(tools: Tools, reply: Answered<unknown>, row: z.output<typeof HitRow>): CodePlace {
  const { path, start, symbol, kind, score, body } = row;
  const end = body === '' ? row.end : start + body.split('\n').length - 1;
  const repo = tools.repoOf(reply, row);
  return { repo, path, start, end, symbol, kind, signature: '', doc: '', body, score, isNamed: false };
}

function placeOfDefinition(tools: Tools, reply: { repo: string }, row: z.output<typeof DefinitionRow>): CodePlace {
  const { path, start, kind, qualified, signature, doc, body, id } = row;
  const end = body === '' ? row.end : start + body.split('\n').length - 1;
  const repo = tools.repoOf(reply, row);
  const handle = id.startsWith('sym:') ? { handle: id } : {};
  return { repo, path, start, end, symbol: qualified, kind, signature, doc, body, score: 1, isNamed: true, ...handle };
}

/** What files export as a whole that are called as a question names it: `createLogger` of create-logger.js. */
function exportsOf(hits: readonly CodePlace[], names: readonly string[]): CodePlace[] {
  const wanted = new Set(names.map(withoutMarks));
  return hits
    .filter(({ symbol, path }) => {
      return symbol === 'default' && wanted.has(withoutMarks(path.replace(/^.*\//, '').replace(/\.\w+$/, '')));
    })
    .map((hit) => ({ ...hit, isNamed: true }));
}

function withoutMarks(name: string): string {
  return name.replaceAll(/[\W_]/g, '').toLowerCase();
}

/**
 * Named places in front of the hits of the search, which say with which of several candidates the question fits best. What has a
 * plain word as its name, and is not among the hits, stands behind the best of them: the word may be meant as one.
 */
function merge(named: readonly (readonly CodePlace[])[], hits: readonly CodePlace[]): CodePlace[] {
  const certain = new Set(named.flatMap((list) => (list.length <= MOST_MEANT ? list.filter(isSpecific) : [])));
  const rank = new Map(hits.map((hit, at) => [keyOf(hit), at]));
  const ordered = named
    .flat()
    .toSorted((a, b) => (rank.get(keyOf(a)) ?? hits.length) - (rank.get(keyOf(b)) ?? hits.length));
  // What a file exports under a name defines it; others of the name only pass it on.
  const front = [
    ...hits.filter(({ isNamed }) => isNamed),
    ...ordered.filter((place) => rank.has(keyOf(place)) || certain.has(place)),
  ];
  const behind = ordered.filter((place) => !front.includes(place));
  const list = [...front, ...(front.length === 0 ? hits.slice(0, 1) : []), ...behind, ...hits];
  const seen = new Set<string>();
  return list.filter((place) => {
    const key = keyOf(place);
    return seen.has(key) ? false : seen.add(key) !== undefined;
  });
}

/** Whether nobody writes the name of a symbol but to name it: it has several parts. A file is named by its path. */
function isSpecific({ symbol }: CodePlace): boolean {
  return symbol === '' || identifierParts(symbol.slice(symbol.lastIndexOf('/') + 1)).length > 1;
}

/** How tools are asked about a symbol. */
export function handleOf({ handle, symbol, path }: Pick<CodePlace, 'handle' | 'symbol' | 'path'>): string {
  return handle ?? `sym:${symbol}@${path}`;
}

function keyOf({ repo, path, symbol }: CodePlace): string {
  return `${repo}\n${path}\n${symbol}`;
}
