import { roundTo } from '../kernel/shown-values.ts';
import { counted } from '../kernel/counted.ts';
import { decodeCursor, encodeCursor } from '../kernel/page.ts';
import type { Row } from '../kernel/answer.ts';
import { type Count, countBy, type Counts } from '../signals/counts/counts.ts';
import type { DocumentCall, DocumentFindings } from './document-call.ts';
import { selectSignals } from './document-selection.ts';
import { pendingNotes } from './knowledge-hits.ts';

/** `count`: exact numbers of the signals that fit the words and filters, by the values of a field or in one row. */
export async function countAnswer(call: DocumentCall): Promise<DocumentFindings> {
  const { parts, context, args } = call;
  const { selection, unknownTerms, pending } = await selectSignals(call);
  const by = args.group_by;
  const { query, types, tags, customer, since, until, filter } = args;
  const bound = { arguments: ['count', query, types, tags, customer, since, until, filter, by], generation: '' };
  const offset = decodeCursor(bound, args.cursor);
  const competitors = by === 'competitor' ? await parts.competitorNames(context.caller) : [];
  const counts = await countBy(parts.signals.db, context.caller, {
    ...selection,
    by,
    competitors,
    limit: args.limit,
    offset,
  });
  const { rows, total, counted: fitting, of, lacking } = counts;
  const period = Object.fromEntries(
    Object.entries({ since: selection.since, until: selection.until }).flatMap(([name, moment]) =>
      moment === undefined ? [] : [[name, moment.toISOString()]],
    ),
  );
  return {
    total,
    counts: { signals: fitting },
    coverage: coverageOf(counts, by),
    rows: rows.map((row) => countRow(row, fitting)),
    detail: 'lines',
    notes: [
      ...pendingNotes({ pending }),
      ...(unknownTerms.length > 0 ? [`words found nowhere: ${unknownTerms.join(', ')}`] : []),
      ...(by === 'competitor' && competitors.length === 0 ? ['no competitor is watched: svc competitor add'] : []),
    ],
    next: (shown) => (offset + shown < total ? encodeCursor(bound, offset + shown) : undefined),
    extra: {
      ...(by !== undefined && { group_by: by }),
      counted: fitting,
      of,
      lacking,
      pending,
      unknown_words: unknownTerms,
      ...(Object.keys(period).length > 0 && { period }),
    },
  };
}

function coverageOf({ counted: fitting, of, lacking }: Counts, by: string | undefined): string {
  const all = `counted ${fitting.toLocaleString('en')} of ${counted(of, 'signal')}`;
  return by === undefined || lacking === 0 ? all : `${all} · ${lacking.toLocaleString('en')} without ${by}`;
}

/** A value with its numbers; `all` is what shares are of. */
function countRow({ value, signals, customers, meanRating, newest }: Count, all: number): Row {
  const share = all === 0 ? 0 : Math.round((signals / all) * 10_000) / 10_000;
  const mean = meanRating === undefined ? undefined : roundTo(2, meanRating);
  const percent = `${Math.round(share * 1_000) / 10} %`;
  const words = [counted(signals, 'signal'), counted(customers, 'customer'), percent];
  if (mean !== undefined) words.push(`mean rating ${mean}`);
  return {
    group: '',
    id: value ?? 'all',
    line: `${value ?? 'all'} · ${words.join(' · ')}`,
    json: {
      ...(value !== undefined && { value }),
      signals,
      customers,
      share,
      ...(mean !== undefined && { mean_rating: mean }),
      ...(newest !== undefined && { newest: newest.toISOString() }),
    },
  };
}
