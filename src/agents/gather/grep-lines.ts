import { z } from 'zod';
import { definitionOf } from '../../languages/languages.ts';
import type { TermWeights } from '../question/term-weights.ts';
import { READS_ENVIRONMENT, type WantedLine } from '../question/wanted-lines.ts';
import { type CodePlace, filePlace, findNamed } from './code.ts';
import { endOf, MOST_PIECES, type TellingLines } from './lines.ts';
import { isAside } from './prefer.ts';
import type { Tools } from './tools.ts';

const Line = z.looseObject({ repo: z.string().optional(), path: z.string(), line: z.number(), text: z.string() });

/** The rarest words of a question that are looked for in pairs, and those whose values are. */
const MOST_PAIRED = 4;
const MOST_VALUED = 3;
/** Characters between two words of a line that belong together. */
const NEAR = 60;
const MOST_LINES = 60;
/** Shorter stems are parts of any word. */
const SHORTEST = 3;
/** A name that is given a number, a text or a truth value, also with its type before. */
const GIVEN = String.raw`\w*["'\]]?\s*(:\s*[\w.]{1,30}\s*=|:?=|:|=>|\|\|=|,)\s*(-?\d|["']|true|false|True|False)`;

/**
 * Lines of any file of the code that have two of the rarest words of a question close together, or that give one of them a value when
 * the question asks for one: the search of symbols passes over constants and messages. One or two calls.
 */
export async function grepLines(
  tools: Tools,
  { weights, wanted }: { weights: TermWeights; wanted: readonly WantedLine[] },
): Promise<CodePlace[]> {
  const each = [pairsOf(weights), ...(wanted.includes('value') ? [valuesOf(weights)] : [])];
  const asked = each.filter((patterns) => patterns.length > 0);
  const found = await Promise.all(asked.map((patterns) => grep(tools, `(?i)(${patterns.join('|')})`)));
  // What is set by default may stand in a file of settings, or be told by the documentation alone.
  return wanted.includes('value') ? found.flat() : found.flat().filter(isCode);
}

/** Lines that read environment variables. One call. */
export async function grepEnvironment(tools: Tools): Promise<CodePlace[]> {
  return (await grep(tools, READS_ENVIRONMENT)).filter(isCode);
}

function isCode({ path }: CodePlace): boolean {
  return definitionOf(path) !== undefined;
}

async function grep(tools: Tools, query: string): Promise<CodePlace[]> {
  const found = await tools.ask('code-tool', { action: 'grep', query, tests: 'exclude', limit: MOST_LINES }, Line);
  return (found?.rows ?? [])
    .map((row) => filePlace(tools.repoOf(found ?? { repo: '' }, row), row.path, row.line, row.text))
    .filter(({ path }) => !isAside(path));
}

function pairsOf(weights: TermWeights): string[] {
  const rare = rarestOf(weights, MOST_PAIRED);
  return rare.flatMap((first) =>
    rare.filter((second) => second !== first).map((second) => `${first}.{0,${NEAR}}${second}`),
  );
}

function valuesOf(weights: TermWeights): string[] {
  return rarestOf(weights, MOST_VALUED, ['default']).map((term) => `${term}${GIVEN}`);
}

/** Beginnings of the rarest terms, which all their forms have. */
function rarestOf(weights: TermWeights, most: number, without: readonly string[] = []): string[] {
  return [...weights]
    .filter(([term]) => /^[a-z\d]+$/.test(term) && term.length >= SHORTEST && !without.includes(term))
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([term]) => (term.length > 4 ? term.replace(/[iy]$/, '') : term));
}

/** Lines as they are told: those that were found by their words alone with what is behind them. One call each. */
export async function readLines(
  tools: Tools,
  lines: readonly TellingLines[],
  wanted: readonly WantedLine[],
): Promise<TellingLines[]> {
  return Promise.all(
    lines.slice(0, MOST_PIECES).map(async (line) => {
      if (line.place.symbol !== '') return line;
      const place = await widen(tools, line.place);
      return { ...line, place, to: endOf(place, 0, wanted.includes('value')) };
    }),
  );
}

/** Lines behind one that was found by its words: what it leads to. */
const MOST_BEHIND = 4;

/** A line that was found by its words, with those behind it. One call. */
async function widen(tools: Tools, place: CodePlace): Promise<CodePlace> {
  const { repo, path, start } = place;
  const [read] = await findNamed(tools, `${path}:${start}-${start + MOST_BEHIND}`);
  return read === undefined ? place : { ...place, repo, body: read.body, end: read.end };
}
