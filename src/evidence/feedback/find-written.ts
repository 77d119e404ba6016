import { ChangesOutput } from '../../competitors/competitors.ts';
import { DocumentHitsOutput, SearchOutput, TextOutput } from '../../search/search.ts';
import { z } from 'zod';
import type { NextCall, Reference } from '../model/brief.ts';
import type { Operations } from '../model/operations.ts';
import type { Findings } from './feedback.ts';
import { number } from './phrases.ts';
import { joinPeriods, takePeriods } from './periods.ts';
import { contentOf } from './read-query.ts';
import { Scan, wordsPattern } from './scan.ts';
import { FINISHED, STALE } from './words.ts';

/** Matches a question about plans or decisions, or about what was done. */
const PLANNED =
  /\b(?:plans?|planned|planning|roadmap|decid\w*|decisions?|chose|choose|chosen|open work|work items?|shipped|geplant|planifi\w*|gepland|beslist|entschieden)\b/i;
/** What competitors do. */
const MOVE = /\b(?:chang\w*|mov\w*|launch\w*|releas\w*|pric\w*|do|did|doing|announc\w*|add\w*|new|rais\w*)\b/i;
/** Matches a question about what competitors did, not about what customers say of them. */
const MOVES = new RegExp(
  String.raw`\b(?:competitors?|rivals?)\b.{0,60}${MOVE.source}|${MOVE.source}.{0,60}\b(?:competitors?|rivals?)\b`,
  'i',
);
/** That customers are asked about: then it is counted what they say. */
const CUSTOMERS = /\b(?:customers?|users?|people|reviews?|signals?|clients?)\b/i;
const MOST_WRITTEN = 6;
const EXCERPT_CHARACTERS = 700;
const INTENDED = ['plans', 'decisions'];
/** Pages of competitors and of plans that are read, and the labels of plans whose code changed. */
const [MOST_WATCHED, MOST_PAGES] = [50, 10];
const CHANGED = /^(?:aging|stale|broken)/;

const PlanRow = z.looseObject({ id: z.string(), status: z.string(), stale: z.string().nullish() });
type PlanRow = z.output<typeof PlanRow>;
const PlansOutput = z.looseObject({ rows: z.array(PlanRow), next: z.string().optional() });
const PagesOutput = z.looseObject({ rows: z.array(z.looseObject({ competitor: z.string().default('') })) });

/** Plans and decisions that a question asks for, with their state; undefined when it asks for none. */
export async function findPlanned(operations: Operations, text: string): Promise<Findings | undefined> {
  if (!PLANNED.test(text)) return undefined;
  if (STALE.test(text)) return findPlansBy(operations, 'stale');
  const isFinished = FINISHED.test(text);
  const words = contentOf(
    [PLANNED, FINISHED].reduce((open, taken) => open.replaceAll(new RegExp(taken.source, 'gi'), ' '), text),
  );
  if (words === '' && isFinished) return findPlansBy(operations, 'done');
  const query: NextCall =
    words === ''
      ? { operation: 'document-search-tool', args: { action: 'search', types: ['plan'], limit: MOST_WRITTEN } }
      : { operation: 'search-tool', args: { query: words, corpora: intendedOf(text), limit: MOST_WRITTEN } };
  const answer = await operations.read(query.operation, query.args, words === '' ? DocumentHitsOutput : SearchOutput);
  const ids = [...new Set((answer?.rows ?? []).map(({ id }) => id))].slice(0, MOST_WRITTEN);
  const sources = await Promise.all(ids.map((id) => readWritten(operations, id)));
  const read = sources.filter((source) => source !== undefined && (!isFinished || source.isFinished));
  const about = words === '' ? '' : ` about “${words}”`;
  return {
    facts:
      read.length === 0
        ? [{ sentence: `No plan or decision was found${about}.`, sources: [] }]
        : read.flatMap((own) => (own === undefined ? [] : [{ sentence: own.sentence, sources: [own.source] }])),
    query,
    words: [words],
    certainty: read.length === 0 ? 0.1 : 0.5,
    next: [],
  };
}

/** Plans, decisions, or both, as a question names them. */
function intendedOf(text: string): string[] {
  const [isOfPlans, isOfDecisions] = [/plan|roadmap|work/i.test(text), /deci|chose|choose|entsch|beslis/i.test(text)];
  return isOfPlans === isOfDecisions ? INTENDED : isOfPlans ? ['plans'] : ['decisions'];
}

async function readWritten(
  operations: Operations,
  id: string,
): Promise<{ sentence: string; source: Reference; isFinished: boolean } | undefined> {
  const answer = await operations.read('document-search-tool', { action: 'get', query: id }, TextOutput);
  if (answer === undefined) return undefined;
  const { title, status = '', date = '', stale } = answer;
  const kind = id.startsWith('dec:') ? 'decision' : 'plan';
  const state = [status, stale, date.slice(0, 10)].filter((word) => word !== undefined && word !== '').join(', ');
  const text = answer.rows
    .map(({ heading, text: own }) => `${heading}: ${own}`)
    .join('\n')
    .slice(0, EXCERPT_CHARACTERS);
  return {
    sentence: `${kind === 'plan' ? 'Plan' : 'Decision'} ${id}: “${title}” (${state}).`,
    source: { id, kind, repo: '', text, why: [title] },
    isFinished: status === 'done',
  };
}

/** Plans by their state, whatever they are about: those whose code changed, moved or is gone, or those that are done. */
async function findPlansBy(operations: Operations, state: 'stale' | 'done'): Promise<Findings> {
  const plans: PlanRow[] = [];
  for (let page = 0, cursor: string | undefined; page === 0 || (cursor !== undefined && page < MOST_PAGES); page += 1) {
    const answer = await operations.read('spec-export-tool', cursor === undefined ? {} : { cursor }, PlansOutput);
    plans.push(...(answer?.rows ?? []));
    cursor = answer?.next;
  }
  const meant = plans.filter(({ status, stale }) => (state === 'done' ? status === 'done' : CHANGED.test(stale ?? '')));
  const read = await Promise.all(meant.slice(0, MOST_WRITTEN).map(({ id }) => readWritten(operations, id)));
  const count = `${number(meant.length)} of ${number(plans.length)} plans`;
  return {
    facts: [
      { sentence: state === 'done' ? `${count} are done.` : `${count} name code that changed since.`, sources: [] },
      ...read.flatMap((own) => (own === undefined ? [] : [{ sentence: own.sentence, sources: [own.source] }])),
    ],
    query: { operation: 'spec-export-tool', args: {} },
    words: [],
    certainty: plans.length === 0 ? 0.1 : 0.6,
    next: [],
  };
}

/** Changes of competitors that a question asks for, of all or of those that it names; undefined when it asks for none. */
export async function findMoves(operations: Operations, text: string, now: Date): Promise<Findings | undefined> {
  if (CUSTOMERS.test(text)) return undefined;
  const scan = new Scan(text);
  const period = joinPeriods(takePeriods(scan, { now, lastMonth: '' }));
  const competitor = MOVES.test(text) ? undefined : await namedCompetitor(operations, scan);
  if (competitor === undefined && !MOVES.test(text)) return undefined;
  const args = {
    action: 'changes',
    since: period === undefined ? '365d' : firstDay(period.since),
    min_severity: 'low',
    limit: MOST_WRITTEN,
    ...(competitor !== undefined && { competitor }),
  };
  const answer = await operations.read('competitor-tool', args, ChangesOutput);
  const rows = answer?.rows ?? [];
  const when = period === undefined ? 'in a year' : `since ${period.since}`;
  return {
    facts:
      rows.length === 0
        ? [
            {
              sentence: `No change of ${competitor ?? 'a watched competitor'} was seen ${when}.`,
              sources: [],
            },
          ]
        : [
            {
              sentence: `${number(answer?.total ?? rows.length)} changes of ${competitor ?? 'competitors'} were seen ${when}, newest first.`,
              sources: [],
            },
            ...rows.map((row) => ({
              sentence: `${row.competitor}, ${row.when.slice(0, 10)}, ${row.severity}: ${row.summary}`,
              sources: [
                {
                  id: row.id,
                  kind: 'change' as const,
                  repo: '',
                  text: `${row.summary}\n${row.url}`,
                  why: [row.competitor, row.when.slice(0, 10)],
                },
              ],
            })),
          ],
    query: { operation: 'competitor-tool', args },
    words: [],
    certainty: rows.length === 0 ? 0.1 : 0.6,
    next: [],
  };
}

/** The first day of a year or month. */
function firstDay(since: string): string {
  return `${since}-01-01`.slice(0, 10);
}

/** The watched competitor that a question names and asks about the moves of. */
async function namedCompetitor(operations: Operations, scan: Scan): Promise<string | undefined> {
  if (!MOVE.test(scan.open)) return undefined;
  const pages = await operations.read('competitor-tool', { action: 'list', limit: MOST_WATCHED }, PagesOutput);
  const names = new Set((pages?.rows ?? []).map(({ competitor }) => competitor).filter((name) => name !== ''));
  if (names.size === 0) return undefined;
  const [match] = scan.take(new RegExp(wordsPattern(names)));
  return match && [...names].find((name) => name.toLowerCase() === match[0].toLowerCase());
}
