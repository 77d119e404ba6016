import { excerpt } from '../../kernel/shown-values.ts';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { answerJson, answerText, type Detail, type Draft, type Provenance, type Row } from '../../kernel/answer.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { explainUnknown } from '../../kernel/freshness.ts';
import { decodeCursor, encodeCursor } from '../../kernel/page.ts';
import type { Answer } from './operation.ts';

/** Longest query that is looked for, in characters. */
const LONGEST_QUERY = 1_000;
const LONGEST_SUBJECT = 80;

export const CURSOR_FIELD = z.string().optional().describe("'next' of the page before");
export const FORMAT_FIELD = z.enum(['text', 'json']).default('text');

/** The last arguments of every tool that answers in pages of rows. */
export function pageFields({ rows, most }: { rows: number; most: number }) {
  return {
    limit: z.int().min(1).max(most).default(rows),
    cursor: CURSOR_FIELD,
    max_tokens: z.int().min(200).max(20_000).default(4000).describe('Response budget'),
    format: FORMAT_FIELD,
  };
}

/** Arguments of `pageFields` after parsing. */
type PageArguments = z.output<z.ZodObject<ReturnType<typeof pageFields>>>;

/** Arguments that say how rows are shown, or which of them, but not which rows there are: they do not bind a cursor. */
const SHOWING: readonly string[] = ['detail', 'limit', 'cursor', 'max_tokens', 'format'];

function decidingArguments(args: object): [string, unknown][] {
  return Object.entries(args).filter(([name, value]) => value !== undefined && !SHOWING.includes(name));
}

/** The arguments of a call as a client would write them again: those that the schema would fill in by itself are omitted. */
export function omitDefaults(input: z.ZodObject, args: object): Record<string, unknown> {
  const entries = Object.entries(args).filter(([name, value]) => {
    const schema = input.shape[name];
    const filled = schema === undefined ? undefined : defaultOf(schema);
    return filled?.success !== true || !isDeepStrictEqual(filled.data, value);
  });
  return Object.fromEntries(entries);
}

/** What schemas fill in by themselves: constants, and every answer needs those of all its arguments. */
const DEFAULTS = new WeakMap<z.core.$ZodType, { success: boolean; data?: unknown }>();

function defaultOf(schema: z.core.$ZodType): { success: boolean; data?: unknown } {
  const cached = DEFAULTS.get(schema);
  if (cached !== undefined) return cached;
  const filled = z.safeParse(schema, undefined);
  DEFAULTS.set(schema, filled);
  return filled;
}

function words(text: string): string[] {
  return text.split(' ');
}

/** Other spellings that clients send to tools that answer questions, rewritten before validation. */
export const QUERY_ALIASES: Record<string, readonly string[]> = {
  query: words(
    'q text question symbol name pattern task symbol_name identifier search regex name_path name_path_pattern substring_pattern',
  ),
  repo: words('repository repo_name project'),
  limit: words('max_results count top_k head_limit n'),
  max_tokens: ['maxTokens'],
};

/** The same for tools that take a path. */
export const PATH_ALIASES: Record<string, readonly string[]> = {
  ...QUERY_ALIASES,
  path: words(
    'file file_path relative_path filename folder directory dir glob paths target_file target_directory target_directories include_pattern include',
  ),
};

/** Result of an action of a tool: a page of rows with totals, which are exact unless `isCut`. */
export interface Findings {
  total: number;
  /** True if the search ended at a limit: a note says which and what to do. */
  isCut?: boolean;
  rows: readonly Row[];
  counts?: Record<string, number>;
  notes?: readonly string[];
  /** Lines that only the text has: next steps for agents that read it. */
  hints?: readonly string[];
  /** Subject of the answer: the second line of its text. */
  coverage?: string;
  /** End of each row, and of all of them, when positions of a cursor do not count rows: a row may be a part of something. */
  positions?: { ends: readonly number[]; last: number };
  /** Set if the action decides how much of a row is shown, whatever was requested. */
  detail?: 'body';
  /** Further fields of the JSON form. */
  extra?: Record<string, unknown>;
}

/** A call of a tool with actions that answers about repositories. */
interface ActionRequest {
  operation: string;
  input: z.ZodObject;
  args: { action: string; query?: string | undefined; path?: string | undefined } & PageArguments;
  sources: { provenances: readonly Provenance[]; generation: string };
  /** Amount of a row that is shown. */
  detail: Detail;
  /** Subject of the call in the header; the query or path when absent. */
  subject?: string;
}

/**
 * Runs an action from where the cursor says, and makes its findings the answer.
 *
 * @throws ServiceError as `decodeCursor` does, and what the action throws, with what is not indexed yet.
 */
export async function answerAction(
  request: ActionRequest,
  run: (offset: number) => Promise<Findings>,
): Promise<Answer> {
  const { operation, input, args, sources } = request;
  const binding = { arguments: decidingArguments(args), generation: sources.generation };
  const offset = decodeCursor(binding, args.cursor);
  const findings = await run(offset).catch((error: unknown) => {
    throw error instanceof ServiceError ? explainUnknown(error, sources.provenances) : error;
  });
  const draft: Draft = {
    operation,
    action: args.action,
    subject: subjectOf(request.subject ?? args.query ?? args.path ?? ''),
    sources: sources.provenances,
    total: findings.total,
    ...(findings.isCut === true && { isCut: true }),
    ...(findings.counts === undefined ? {} : { counts: findings.counts }),
    ...(findings.coverage !== undefined && { coverage: findings.coverage }),
    rows: findings.rows,
    detail: findings.detail ?? request.detail,
    maxTokens: args.max_tokens,
    notes: findings.notes ?? [],
    arguments: omitDefaults(input, args),
    next: (shown) => {
      const { ends, last } = findings.positions ?? { ends: undefined, last: findings.total };
      const end = shown === 0 ? offset : (ends?.[shown - 1] ?? offset + shown);
      return end < last ? encodeCursor(binding, end) : undefined;
    },
  };
  const text = answerText({ ...draft, notes: [...draft.notes, ...(findings.hints ?? [])] });
  return { text, json: { ...answerJson(draft), ...findings.extra } };
}

/** @throws ServiceError `bad_argument` for a query that is longer than any question. */
export function checkQuery(query: string | undefined, fix: string): void {
  if ((query ?? '').length <= LONGEST_QUERY) return;
  throw new ServiceError('bad_argument', `The query is longer than ${LONGEST_QUERY} characters.`, { fix });
}

/** A query on one line, cut for the header of an answer. */
export function subjectOf(query: string): string {
  const line = query.replaceAll(/\s+/g, ' ');
  return excerpt(line, LONGEST_SUBJECT);
}
