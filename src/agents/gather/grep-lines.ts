import { z } from 'zod';
import { definitionOf } from '../../languages/languages.ts';
import type { TermWeights } from '../question/term-weights.ts';
import { READS_ENVIRONMENT, type WantedLine } from '../question/wanted-lines.ts';
import { type CodePlace, filePlace, findNamed } from './code.ts';
import { endOf, MOST_PIECES, type TellingLines } from './lines.ts';
import { isAside } from './prefer.ts';
import type { Tools } from './tools.ts';

const Line = z.looseObject({ repo: z.string().optional(), path: z.string(), line: z.number(), text: z.string() });

/** Of a question, the rarest words whose values are looked for. */
const MOST_VALUED = 2;
/** Characters between two words of a line that belong together. */
const NEAR = 60;
const MOST_LINES = 60;
/** Shorter stems are parts of any word. */
const SHORTEST = 3;
/** A name that is given a number, a text or a truth value, also with its type before. */
const GIVEN = String.raw`\w*["'\]]?\s*(:\s*[\w.]{1,30}\s*=|:?=|:|=>|\|\|=|,)\s*(-?\d|["']|true|false|True|False)`;

/**
 * Lines of any file of the code that have the two rarest words of a question close together, or that give one of them a value when
 * the question asks for one: the search of symbols passes over constants and messages. None where no kind of line is asked for. One or two
 * calls.
 */
export async function grepLines(
  tools: Tools,
  { weights, wanted }: { weights: TermWeights; wanted: readonly WantedLine[] },
): Promise<CodePlace[]> {
  // Who asks how something works is told by functions; a search of all lines costs as much as all other calls together.
  if (wanted.length === 0) return [];
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

/** The two rarest words, in either order: each further pair would cost as much again. */
function pairsOf(weights: TermWeights): string[] {
  const [first, second] = rarestOf(weights, 2);
  return second === undefined ? [] : [`${first}.{0,${NEAR}}${second}`, `${second}.{0,${NEAR}}${first}`];
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
      const place = await widen(tools, line);
      return place === undefined ? line : { ...line, place, from: 0, to: endOf(place, 0, wanted.includes('value')) };
    }),
  );
}

/** Lines behind one that was found by its words: what it leads to. */
const MOST_BEHIND = 4;

/** A line that was found by its words, with those behind it; undefined when it cannot be read. One call. */
async function widen(tools: Tools, { place, from }: TellingLines): Promise<CodePlace | undefined> {
  const start = place.start + from;
  const [read] = await findNamed(tools, `${place.path}:${start}-${start + MOST_BEHIND}`);
  return read === undefined ? undefined : { ...place, start, body: read.body, end: read.end };
}
