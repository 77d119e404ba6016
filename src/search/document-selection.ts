import { ServiceError } from '../kernel/errors.ts';
import { isoDate } from '../kernel/time.ts';
import { type Condition, readConditions, type Selection, selectIds } from '../signals/counts/counts.ts';
import type { DocumentCall, DocumentSearchArguments } from './document-call.ts';
import { momentOf } from './question.ts';

/** More signals than a product has. */
const ALL = 1_000_000;
const QUOTED = /"([^"]+)"/g;
const PART_OF_DATE = /^(\d{4})(?:-(\d{2}))?$/;

/** The moments between which a call looks: the first one of `since` and the last one of `until`. */
interface Period {
  since?: Date;
  until?: Date;
}

/**
 * The period of a call. A month (`2026-05`) or a year stands for its first day in `since` and its last one in `until`.
 *
 * @throws ServiceError `bad_argument` for what is neither date nor span.
 */
export function periodOf({ since, until }: Pick<DocumentSearchArguments, 'since' | 'until'>, now: Date): Period {
  const from = partOfDate(since)?.first ?? momentOf(since, now);
  const to = partOfDate(until)?.last ?? lastMoment(until, now);
  return { ...(from !== undefined && { since: from }), ...(to !== undefined && { until: to }) };
}

function partOfDate(text = ''): { first: Date; last: Date } | undefined {
  const [, year, month] = PART_OF_DATE.exec(text.trim()) ?? [];
  if (year === undefined || Number(month ?? 1) < 1 || Number(month ?? 1) > 12) return undefined;
  const first = Date.UTC(Number(year), month === undefined ? 0 : Number(month) - 1);
  const next = month === undefined ? Date.UTC(Number(year) + 1, 0) : Date.UTC(Number(year), Number(month));
  return { first: new Date(first), last: new Date(next - 1) };
}

/** The end of the day for a date without a time. */
function lastMoment(text: string | undefined, now: Date): Date | undefined {
  const given = text?.trim() ?? '';
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(given) && isoDate(given) !== undefined;
  return momentOf(isDay ? `${given}T23:59:59.999` : given, now, 'until');
}

/** The conditions of a call. @throws ServiceError `bad_argument` as `readConditions` does. */
function conditionsOf({ filter = [] }: Pick<DocumentSearchArguments, 'filter'>): Condition[] {
  return readConditions(filter);
}

/** The signals that a call selects, the words of it that occur nowhere, and the number that the index has not read yet. */
interface SelectedSignals {
  selection: Selection;
  unknownTerms: readonly string[];
  pending: number;
}

/** The signals that have all words of the query in any form, its quoted phrases as they are, and what the filters ask for. */
export async function selectSignals({ parts, context, args }: DocumentCall): Promise<SelectedSignals> {
  const query = args.query?.trim() ?? '';
  const selection: Selection = {
    conditions: conditionsOf(args),
    ...periodOf(args, context.now()),
    tags: args.tags,
    customer: args.customer,
    phrases: [...query.matchAll(QUOTED)].map(([, phrase = '']) => phrase.replaceAll(/\s+/g, ' ').trim()),
  };
  if (query === '') return { selection, unknownTerms: [], pending: 0 };
  const signalQuery = { query, corpora: ['signals'] as const, every: true, limit: ALL };
  const { ids, unknownTerms, pending } = await parts.knowledge.matchingIds(context.caller, signalQuery, context.signal);
  return { selection: { ...selection, ids: [...ids].map((id) => id.replace(/^sig:/, '')) }, unknownTerms, pending };
}

/** Handles of the signals that the filters of a call let through; undefined when it has no `filter`. */
export async function filteredIds({ parts, context, args }: DocumentCall): Promise<string[] | undefined> {
  const conditions = conditionsOf(args);
  if (conditions.length === 0) return undefined;
  const { types } = args;
  if (types !== undefined && types.length > 0 && !types.includes('signal'))
    throw new ServiceError('bad_argument', `filter is of signals, and types has ${types.join(', ')} alone.`, {
      fix: 'Leave filter away, or add "signal" to types.',
    });
  return selectIds(parts.signals.db, context.caller, { conditions });
}
