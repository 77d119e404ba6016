import { bodyOfRow } from '../platform/row-body.ts';
import { Sounding, ThemeRow } from './document-output.ts';
import { counted } from '../kernel/counted.ts';
import type { Row } from '../kernel/answer.ts';
import { decodeCursor, encodeCursor } from '../kernel/page.ts';
import { encodingProgress } from '../knowledge/vectors/vectors.ts';
import { listThemes, type Theme } from '../signals/signals.ts';
import type { DocumentCall, DocumentFindings } from './document-call.ts';
import { filteredIds } from './document-selection.ts';
import { queryOf } from './document-hits.ts';
import { pendingNotes } from './knowledge-hits.ts';

/** More signals than a product has. */
const ALL = 1_000_000;

/** `themes`: what customers talk about, most signals first; of the signals that fit the words and filters, where there are any. */
export async function themesAnswer(call: DocumentCall): Promise<DocumentFindings> {
  const { parts, context, args } = call;
  const ids = await filteredIds(call);
  const { kinds: _, ...filterArgs } = queryOf(args, context.now());
  const { query, ...filters } = { ...filterArgs, ...(ids !== undefined && { only: ids }) };
  const isNarrowed = query !== '' || Object.keys(filters).length > 0;
  const signalQuery = { query, corpora: ['signals'] as const, ...filters, limit: ALL };
  const matching = isNarrowed
    ? await parts.knowledge.matchingIds(context.caller, signalQuery, context.signal)
    : undefined;
  const only = matching?.ids;
  const themes = await listThemes(parts.signals, context.caller, only);
  const vectors = await encodingProgress({ db: parts.signals.db, encoder: parts.signals.encoder }, context.caller);
  const voices = themes.reduce((sum, { signals }) => sum + signals, 0);
  const generation = themes.map(({ id, signals }) => `${id} ${signals}`).join('\n');
  const { since, until, tags, customer, filter } = args;
  const binding = { arguments: ['themes', query, since, until, tags, customer, filter], generation };
  const offset = decodeCursor(binding, args.cursor);
  return {
    total: themes.length,
    counts: { signals: voices },
    rows: themes.slice(offset, offset + args.limit).map(themeRow),
    detail: 'body',
    notes: [
      ...pendingNotes({ pending: matching?.pending ?? 0 }),
      ...(vectors === undefined || vectors.pending === 0
        ? []
        : [`vectors pending ${vectors.pending} of ${vectors.total}: grouped by words until these are there`]),
      ...(themes.length > 0
        ? []
        : [
            only === undefined ? NONE : `${counted(only.size, 'signal matches', 'signals match')}, but no theme has it`,
          ]),
    ],
    next: (shown) => (offset + shown < themes.length ? encodeCursor(binding, offset + shown) : undefined),
  };
}

const NONE = 'there are no themes yet: new signals are sorted into themes in the background';

function themeRow(theme: Theme): Row {
  const { label, labelled, links, signals, customers, trend, sampleIds, negative, positive } = theme;
  const linked = links.map(({ target }) => target);
  const counts = `${counted(signals, 'signal')}, ${counted(customers, 'customer')}`;
  const rise = `${trend.direction} (${trend.last} in 7 days, usually ${trend.usual.toFixed(1)})`;
  return {
    group: '',
    id: label,
    line: `${label}${labelled ? '' : ' (candidate)'} · ${counts} · ${rise}${linked.length === 0 ? '' : ` · ${linked.join(', ')}`}`,
    body: sampleIds.join(' '),
    json: bodyOfRow(ThemeRow, theme, {
      theme: label,
      negative: bodyOfRow(Sounding, negative, {}),
      positive: bodyOfRow(Sounding, positive, {}),
      linked,
    }),
  };
}
