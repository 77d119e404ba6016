import { z } from 'zod';
import type { Row } from '../../kernel/answer.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { durationMs, isoDate } from '../../kernel/time.ts';
import type { CallContext } from '../../platform/operation/operation.ts';
import { pageFields } from '../../platform/operation/paged-tool.ts';
import type { Competitors } from '../watch/context.ts';
import { SEVERITIES } from '../detect/judge.ts';
import { StatementBody } from '../detect/statement.ts';
import { CHANGE_KINDS } from '../page/page-kind.ts';
import type { ChangeFilter } from '../store/store-changes.ts';
import { findCompetitor, findPage, listCompetitors } from '../watch/watch-list.ts';
import type { PageRow } from '../store/store.ts';
import { PAGE_OUTPUT } from '../../platform/operation/page-output.ts';

/** Arguments of `competitor-tool`: the contract with clients. */
export const CompetitorInput = z.object({
  action: z.enum(['list', 'changes', 'snapshot', 'check', 'trends']).describe('What to do'),
  competitor: z.string().optional().describe('Name or id; omit for all'),
  url: z.string().optional().describe('One watched page'),
  kinds: z.array(z.enum(CHANGE_KINDS)).optional().describe('Change kinds'),
  min_severity: z.enum(SEVERITIES).default('medium').describe('Noise filter'),
  query: z.string().optional().describe('Words a change must match'),
  since: z.string().optional().describe('Date or 30d; default 30d'),
  ...pageFields({ rows: 15, most: 50 }),
});

type CompetitorArguments = z.output<typeof CompetitorInput>;

/** One call of the tool. */
export interface CompetitorCall {
  competitors: Competitors;
  context: CallContext;
  args: CompetitorArguments;
}

/** Result of an action: the rows of its answer and the notes about them. */
export interface CallResult {
  rows: readonly Row[];
  total: number;
  coverage?: string;
  counts?: Record<string, number>;
  notes: readonly string[];
  extra?: Record<string, unknown>;
}

const DEFAULT_SPAN_MS = 30 * 86_400_000;

/** The pages that a call is about: one by its address, those of a competitor, or all. */
export async function pagesOf({ competitors, context, args }: CompetitorCall): Promise<PageRow[]> {
  if (args.url !== undefined) return [await findPage(competitors, context.caller, args.url)];
  if (args.competitor !== undefined) return (await findCompetitor(competitors, context.caller, args.competitor)).pages;
  return (await listCompetitors(competitors, context.caller)).flatMap(({ pages }) => pages);
}

/** Returns the filter that selects the changes of a call. @throws ServiceError `bad_argument`, `unknown_id`. */
export async function filterOf(call: CompetitorCall, defaultSpanMs = DEFAULT_SPAN_MS): Promise<ChangeFilter> {
  const { competitors, context, args } = call;
  const { competitor, url, kinds, min_severity: leastSeverity, query } = args;
  const pageId = url === undefined ? undefined : (await findPage(competitors, context.caller, url)).id;
  const competitorId =
    competitor === undefined ? undefined : (await findCompetitor(competitors, context.caller, competitor)).id;
  return {
    pageId,
    competitorId,
    kinds,
    leastSeverity,
    since: sinceOf(args.since, context.now(), defaultSpanMs),
    words: query?.split(/\s+/).filter((word) => word !== ''),
  };
}

/** @throws ServiceError `bad_argument` for what is neither a date nor a span. */
function sinceOf(given: string | undefined, now: Date, defaultSpanMs: number): Date {
  if (given === undefined) return new Date(now.getTime() - defaultSpanMs);
  const spanMs = durationMs(given.trim());
  const date = spanMs === undefined ? isoDate(given.trim()) : new Date(now.getTime() - spanMs);
  if (date !== undefined) return date;
  throw new ServiceError('bad_argument', `"${given.slice(0, 40)}" is neither a date nor a span.`, {
    fix: 'Use a date such as 2027-01-31, or a span such as 30d.',
  });
}

/** A change of a page as a row of `changes`. */
export const ChangeOutput = z.object({
  id: z.string(),
  when: z.string(),
  competitor: z.string(),
  kind: z.enum(CHANGE_KINDS),
  severity: z.enum(SEVERITIES),
  url: z.string(),
  summary: z.string(),
  statements: z.array(StatementBody),
  /** Who looks after it, and how important people say that it is. */
  owner: z.string().optional(),
  importance: z.enum(SEVERITIES).optional(),
  reasons: z.array(z.string()),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  linked: z.array(z.string()),
});

/** The JSON answer of `competitor-tool` with `changes`, which agents read. */
export const ChangesOutput = z.object({
  ...PAGE_OUTPUT,
  action: z.literal('changes'),
  rows: z.array(ChangeOutput),
});
