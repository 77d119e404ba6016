import { z } from 'zod';
import { isTestPath } from '../../languages/languages.ts';
import { coverage, rootsOf, type TermWeights } from '../question/term-weights.ts';
import { type CodePlace, findNamed, readSymbol } from './code.ts';
import { type Member, membersOf } from './members-of.ts';
import { isAside, isText } from './prefer.ts';
import type { Tools } from './tools.ts';

/** An enum, a union of texts, a table or a run of constants, with what it holds. */
export interface Enumeration {
  place: CodePlace;
  /** What it is called; '' for a run of constants. */
  name: string;
  members: readonly Member[];
}

/** Ways to ask for all of a kind, and what follows. After `what are` the kind may be all that follows. */
const ASKS_FOR_ALL = /^(?:(?:and|for|with|in|on|from|of|into)\s+)?(which|what(?:\s+are)?|list|name)\s+(.+)$/is;
const PLURAL = /^[a-z-]{2,}(?:[^su\W]s|[sx]es)$/i;
/** What follows the kind that is asked for. */
const NEXT = /^(?:can|could|do|does|did|is|are|was|were|may|will|would|should|must|has|have|in|of|for|to|that)$/i;
/** Words of a kind: `remote file formats`. */
const MOST_WORDS = 5;

/** The kind of thing that a question asks all of, as a term; undefined when it asks for one thing. */
export function pluralAsked(words: string): string | undefined {
  const [, lead = '', rest = ''] = ASKS_FOR_ALL.exec(words.trim()) ?? [];
  const after = rest.match(/[\w-]+/g) ?? [];
  const next = after.findIndex((word) => NEXT.test(word));
  const end = next === -1 && !/^(?:which|what)$/i.test(lead) ? after.length : next;
  const noun = end > MOST_WORDS ? '' : (after[end - 1] ?? '');
  return PLURAL.test(noun) ? rootsOf(noun)[0] : undefined;
}

const Row = z.looseObject({
  repo: z.string().optional(),
  path: z.string(),
  line: z.number(),
  end: z.number(),
  kind: z.string(),
  qualified: z.string(),
});
type NamedRow = z.output<typeof Row>;

const MOST_NAMED = 60;
const MOST_READ = 4;
/** Its name has so much of a question, or it is about something else. */
const LEAST_COVERAGE = 0.3;
const NO_VALUES = /^(?:function|method|constructor|heading|module|namespace|macro|interface|trait|import)$/;
/** Constants of a run, and lines between two of them. */
const LEAST_IN_RUN = 3;
const MOST_BETWEEN = 4;

/**
 * What holds all of the kind of thing that a question asks for: `Which statuses can a job have?` by the members of `JobStatus`.
 * Undefined when it asks for no such thing or nothing is called so. One call, and one for each that is read.
 */
export async function findEnumeration(
  tools: Tools,
  words: string,
  weights: TermWeights,
): Promise<Enumeration | undefined> {
  const kind = pluralAsked(words);
  if (kind === undefined) return undefined;
  const query = `*${kind.replace(/[iy]$/, '')}*`;
  const args = { action: 'search_symbols', query, tests: 'exclude', limit: MOST_NAMED };
  const found = await tools.ask('code-tool', args, Row);
  const worthOf = ({ qualified }: NamedRow): number => coverage(weights, [qualified]);
  const likely = (found?.rows ?? [])
    .filter((row) => !NO_VALUES.test(row.kind) && !isText(row) && !isAside(row.path) && !isTestPath(row.path))
    .filter((row) => rootsOf(ownName(row)).includes(kind) && worthOf(row) >= LEAST_COVERAGE)
    .toSorted((a, b) => worthOf(b) - worthOf(a));
  const repo = found === undefined ? '' : tools.repoOf(found, {});
  const read = await Promise.all(
    likely.slice(0, MOST_READ).map(({ path, qualified, line }) => {
      return readSymbol(tools, { repo, path, symbol: qualified, start: line });
    }),
  );
  for (const place of read) {
    const members = place === undefined ? [] : membersOf(place);
    if (place !== undefined && members.length > 1)
      return { place, name: ownName({ qualified: place.symbol }), members };
  }
  return readRun(tools, longestRun(likely));
}

function ownName({ qualified }: Pick<NamedRow, 'qualified'>): string {
  return qualified.slice(qualified.lastIndexOf('/') + 1);
}

/** The most constants that stand next to each other. */
function longestRun(rows: readonly NamedRow[]): NamedRow[] {
  const runs: NamedRow[][] = [];
  const constants = rows.filter(({ kind }) => kind === 'constant');
  for (const row of constants.toSorted((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))) {
    const last = runs.at(-1)?.at(-1);
    if (last !== undefined && last.path === row.path && row.line - last.end <= MOST_BETWEEN) runs.at(-1)?.push(row);
    else runs.push([row]);
  }
  const [longest = []] = runs.toSorted((a, b) => b.length - a.length);
  return longest.length < LEAST_IN_RUN ? [] : longest;
}

async function readRun(tools: Tools, run: readonly NamedRow[]): Promise<Enumeration | undefined> {
  const [first] = run;
  const last = run.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const [place] = await findNamed(tools, `${first.path}:${first.line}-${last.end}`);
  if (place === undefined) return undefined;
  return { place, name: '', members: run.map((row) => ({ name: ownName(row), at: row.line - first.line })) };
}
