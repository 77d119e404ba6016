import { counted } from '../kernel/counted.ts';
import type { Row } from '../kernel/answer.ts';
import type { Tenant } from '../kernel/tenant.ts';
import { decodeCursor, encodeCursor } from '../kernel/page.ts';
import type { KnowledgeHit, KnowledgeQuery } from '../knowledge/knowledge.ts';
import { planStaleness } from '../plans/plans.ts';
import { countUnread } from '../documents/documents.ts';
import { findSignals } from '../signals/signals.ts';
import { failedNotes, pendingNotes, unreadNote } from './knowledge-hits.ts';
import type { SearchParts } from './parts.ts';
import {
  type DocumentCall,
  type DocumentFindings,
  DOCUMENT_TYPES,
  type DocumentSearchArguments,
} from './document-call.ts';
import { filteredIds, periodOf } from './document-selection.ts';

/** The types whose texts wait to be read. */
const DOCUMENTS: ReadonlySet<string> = new Set(['upload', 'product_doc']);

/** `search`: parts of documents, plans and signals, best first; without words the newest of what the filters let through. */
export async function searchAnswer(call: DocumentCall): Promise<DocumentFindings> {
  const { parts, context, args } = call;
  const only = await filteredIds(call);
  const query = {
    ...queryOf(args, context.now()),
    byMeaning: true,
    ...(only !== undefined && { only, kinds: ['signal'] }),
  };
  // The position is only known with the number of the last change, which the answer brings.
  const binding = (revision: number): { arguments: unknown; generation: string } => {
    const { types, customer, tags, since, until, filter } = args;
    return { arguments: [query.query, types, customer, tags, since, until, filter], generation: `${revision}` };
  };
  const first = await parts.knowledge.rank(context.caller, { ...query, limit: args.limit }, context.signal);
  const bound = binding(first.revision);
  const offset = decodeCursor(bound, args.cursor);
  const ranked =
    offset === 0
      ? first
      : await parts.knowledge.rank(context.caller, { ...query, limit: args.limit, offset }, context.signal);
  const hits = await parts.knowledge.quote(context.caller, query.query, ranked.hits);
  const plans = [...new Set(hits.filter(({ corpus }) => corpus === 'plans').map(({ id }) => id))];
  const stale = plans.length === 0 ? new Map() : await planStaleness(parts.plans, context.caller, plans);
  const total = Object.values(ranked.totals).reduce((sum, count) => sum + count, 0);
  // Who asks for signals and plans alone misses nothing.
  const isOfDocuments = query.kinds?.some((kind) => DOCUMENTS.has(kind)) !== false;
  const [signalsById, unread, failed] = await Promise.all([
    readSignals(parts, context.caller, hits),
    isOfDocuments ? countUnread(parts.documents.db, context.caller) : 0,
    isOfDocuments && total === 0 ? failedNotes(parts.documents, context.caller) : [],
  ]);
  const { documents, signals, plans: allPlans } = ranked.coverage;
  const searched = `searched: ${counted(documents.things, 'document')} · ${counted(allPlans.things, 'plan')} · ${counted(signals.things, 'signal')}`;
  const unknown = ranked.unknownTerms.length > 0 ? [`words found nowhere: ${ranked.unknownTerms.join(', ')}`] : [];
  return {
    total,
    counts: { documents: ranked.totals.documents, plans: ranked.totals.plans, signals: ranked.totals.signals },
    coverage: searched,
    rows: hits.map((hit) => hitRow(hit, stale.get(hit.id)?.label, signalsById.get(hit.id))),
    detail: 'body',
    notes: [
      ...(total === 0 ? [noDocuments(args), ...failed] : []),
      ...(unread > 0 ? [unreadNote(unread)] : []),
      ...pendingNotes(ranked),
      ...unknown,
    ],
    next: (shown) => (offset + shown < total ? encodeCursor(bound, offset + shown) : undefined),
    extra: { searched: { documents: documents.things, plans: allPlans.things, signals: signals.things } },
  };
}

type SignalRow = Awaited<ReturnType<typeof findSignals>>[number];

/** Returns the signals among hits, with polarity, intent and value, by handle. */
async function readSignals(
  { signals }: SearchParts,
  tenant: Tenant,
  hits: readonly KnowledgeHit[],
): Promise<Map<string, SignalRow>> {
  const handles = hits.filter(({ kind }) => kind === 'signal').map(({ id }) => id);
  const rows = await findSignals(signals, tenant, handles);
  return new Map(rows.map((row) => [`sig:${row.id}`, row]));
}

/** Translates the filters of a call into a query for the index. */
export function queryOf(args: DocumentSearchArguments, now: Date): Omit<KnowledgeQuery, 'limit'> {
  const { types, tags, customer } = args;
  return {
    query: args.query?.trim() ?? '',
    kinds: types === undefined || types.length === 0 ? DOCUMENT_TYPES : types,
    ...periodOf(args, now),
    ...(tags !== undefined && { tags }),
    ...(customer !== undefined && { customer }),
  };
}

function hitRow(
  hit: KnowledgeHit & { snippet: string },
  stale: string | undefined,
  signal: SignalRow | undefined,
): Row {
  const { id, kind, title, section, part, date, customer, segment, source, snippet, score } = hit;
  const day = date?.toISOString().slice(0, 10) ?? '';
  const who = [customer, segment === '' ? '' : `(${segment})`].filter((word) => word !== '').join(' ');
  const sectionText = part === '' || kind === 'signal' ? '' : `section="${part}"`;
  const words = [
    title,
    section === title ? '' : section,
    sectionText,
    who,
    kind === 'signal' ? source : '',
    day,
    stale ?? '',
  ];
  const shown = words.map((word) => word.replaceAll(/\s+/g, ' ').trim()).filter((word) => word !== '');
  return {
    group: '',
    id,
    line: `${kind} ${id} · ${shown.join(' · ')} · ${score.toFixed(2)}`,
    body: snippet.replaceAll(/\s+/g, ' '),
    json: {
      id,
      type: kind,
      title: title === '' ? snippet : title,
      section: part,
      heading: section,
      ...(date === undefined ? {} : { date: date.toISOString() }),
      ...(customer === '' ? {} : { customer }),
      ...(segment === '' ? {} : { segment }),
      ...(source === '' ? {} : { source }),
      ...(signal === undefined ? {} : { intent: signal.intent, polarity: signal.polarity }),
      ...(signal?.value == null ? {} : { value: signal.value }),
      ...(signal?.rating == null ? {} : { rating: signal.rating }),
      ...(signal?.version == null ? {} : { version: signal.version }),
      ...(signal?.language == null ? {} : { language: signal.language }),
      ...(signal?.themeId == null ? {} : { theme: signal.themeId }),
      snippet,
      score,
      ...(stale === undefined ? {} : { stale }),
    },
  };
}

function noDocuments({ types, customer, tags, since, until, filter }: DocumentSearchArguments): string {
  const filters = Object.entries({ types, customer, tags, since, until, filter }).filter(
    ([, value]) => value !== undefined,
  );
  const narrowed = filters.length === 0 ? '' : ` with ${filters.map(([name]) => name).join(', ')}`;
  return `nothing found${narrowed}; words match in any grammatical form: try others`;
}
