import { ChangesOutput } from '../../competitors/competitors.ts';
import { DocumentHitsOutput, SearchOutput, TextOutput } from '../../search/search.ts';
import type { NextCall, Reference } from '../model/brief.ts';
import type { Operations } from '../model/operations.ts';
import type { Findings } from './feedback.ts';
import { number } from './phrases.ts';
import { contentOf } from './read-query.ts';

/** Matches a question about plans or decisions, or about what was done. */
const PLANNED =
  /\b(?:plans?|planned|planning|roadmap|decid\w*|decisions?|chose|choose|chosen|open work|work items?|shipped|geplant|planifi\w*|gepland|beslist|entschieden)\b/i;
/** Matches a question about what competitors did, not about what customers say of them. */
const MOVES =
  /\b(?:competitors?|rivals?)\b.{0,60}\b(?:chang\w*|mov\w*|launch\w*|releas\w*|price[sd]?|pricing|do|did|doing|announc\w*|add\w*|new)\b|\b(?:chang\w*|mov\w*|launch\w*|pric\w*|new)\b.{0,60}\b(?:competitors?|rivals?)\b/i;
/** That customers are asked about: then it is counted what they say. */
const CUSTOMERS = /\b(?:customers?|users?|people|reviews?|signals?|clients?)\b/i;
const MOST_WRITTEN = 6;
const EXCERPT_CHARACTERS = 700;
const INTENDED = ['plans', 'decisions'];

/** Plans and decisions that a question asks for, with their state; undefined when it asks for none. */
export async function findPlanned(operations: Operations, text: string): Promise<Findings | undefined> {
  if (!PLANNED.test(text)) return undefined;
  const words = contentOf(text.replaceAll(new RegExp(PLANNED.source, 'gi'), ' '));
  const query: NextCall =
    words === ''
      ? { operation: 'document-search-tool', args: { action: 'search', types: ['plan'], limit: MOST_WRITTEN } }
      : { operation: 'search-tool', args: { query: words, corpora: INTENDED, limit: MOST_WRITTEN } };
  const answer = await operations.read(query.operation, query.args, words === '' ? DocumentHitsOutput : SearchOutput);
  const ids = [...new Set((answer?.rows ?? []).map(({ id }) => id))].slice(0, MOST_WRITTEN);
  const sources = await Promise.all(ids.map((id) => readWritten(operations, id)));
  const read = sources.filter((source) => source !== undefined);
  const about = words === '' ? '' : ` about “${words}”`;
  return {
    facts:
      read.length === 0
        ? [{ sentence: `No plan or decision was found${about}.`, sources: [] }]
        : read.map(({ sentence, source }) => ({ sentence, sources: [source] })),
    query,
    words: [words],
    certainty: read.length === 0 ? 0.1 : 0.5,
    next: [],
  };
}

async function readWritten(
  operations: Operations,
  id: string,
): Promise<{ sentence: string; source: Reference } | undefined> {
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
  };
}

/** Changes of competitors that a question asks for; undefined when it asks for none. */
export async function findMoves(operations: Operations, text: string): Promise<Findings | undefined> {
  if (!MOVES.test(text) || CUSTOMERS.test(text)) return undefined;
  const args = { action: 'changes', since: '365d', min_severity: 'low', limit: MOST_WRITTEN };
  const answer = await operations.read('competitor-tool', args, ChangesOutput);
  const rows = answer?.rows ?? [];
  return {
    facts:
      rows.length === 0
        ? [{ sentence: 'No change of a watched competitor was seen in a year.', sources: [] }]
        : [
            {
              sentence: `${number(answer?.total ?? rows.length)} changes of competitors were seen in a year, newest first.`,
              sources: [],
            },
            ...rows.map(({ id, when, competitor, severity, url, summary }) => ({
              sentence: `${competitor}, ${when.slice(0, 10)}, ${severity}: ${summary}`,
              sources: [
                {
                  id,
                  kind: 'change' as const,
                  repo: '',
                  text: `${summary}\n${url}`,
                  why: [competitor, when.slice(0, 10)],
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
