import { dayOf } from '../kernel/time.ts';
import { excerpt } from '../kernel/shown-values.ts';
import { dateOfDecision, findDecision } from '../decisions/decisions.ts';
import { readDocument } from '../documents/documents.ts';
import { describeCall, type Row } from '../kernel/answer.ts';
import { charactersIn } from '../kernel/budget.ts';
import { ServiceError } from '../kernel/errors.ts';
import { type Entry, readEntries } from '../knowledge/knowledge.ts';
import { findPlan, planStaleness } from '../plans/plans.ts';
import { askersBody, describeAskers, findAskers } from '../signals/links/links.ts';
import { findSignal } from '../signals/signals.ts';
import type { DocumentCall, DocumentFindings } from './document-call.ts';
import { readSimilar, similarNotes } from './similar-texts.ts';

/** Most of a plan that is served: the whole is a file of the checkout. */
const EXCERPT_CHARACTERS = 1_500;
/** Room in the budget for the header, the list of sections and the last line, in characters. */
const RESERVED = 600;
/** Sections that the text names; the JSON form has all. */
const MOST_NAMED = 20;

/** `get`: the text of a document from a section on, of a signal or a decision; of a plan an excerpt. */
export async function getAnswer(call: DocumentCall): Promise<DocumentFindings> {
  const id = call.args.query?.trim() ?? '';
  if (id === '') {
    throw new ServiceError('bad_argument', 'The action get needs the id of a document.', {
      fix: 'document-search-tool get query="doc:…" with an id from a search',
    });
  }
  if (id.startsWith('sig:')) return signalAnswer(call, id);
  if (id.startsWith('plan:')) return planAnswer(call, id);
  if (id.startsWith('dec:')) return decisionAnswer(call, id);
  return documentAnswer(call, id);
}

async function documentAnswer(call: DocumentCall, id: string): Promise<DocumentFindings> {
  const { parts, context, args } = call;
  const start = args.cursor ?? args.section;
  const document = await readDocument(parts.documents, context.caller, {
    id,
    ...(start !== undefined && { section: start }),
  });
  const { row, sections, text } = document;
  // JSON writes a line end as two characters.
  const usable = Math.floor(charactersIn(args.max_tokens) * 0.95) - RESERVED;
  let remaining = usable;
  let shown = 0;
  for (const { text: own } of text) {
    remaining -= own.length;
    if (remaining < 0 && shown > 0) break;
    shown += 1;
  }
  const isCut = shown === 1 && remaining < 0;
  const next = text[shown]?.id ?? document.next;
  const after = (count: number): string | undefined => (count < shown ? text[count]?.id : next);
  const handle = `doc:${row.id}`;
  const similar = await readSimilar(call, { corpus: 'documents', id: handle, part: text[0]?.id ?? '' });
  const facts = [row.kind, row.name, `version ${row.version}`, dayOf(row.updatedAt)];
  return {
    total: sections.length,
    coverage: `${row.title} · ${facts.join(' · ')}`,
    rows: text
      .slice(0, shown)
      .map((section) =>
        sectionRow(isCut ? { ...section, text: `${section.text.slice(0, Math.max(0, usable))}…` } : section),
      ),
    detail: 'body',
    notes: [
      ...(row.status === 'failed' ? [`it could not be read: ${row.error?.message ?? ''}`] : []),
      ...(row.status === 'waiting' ? ['it is being read: repeat the call in a minute'] : []),
      ...(isCut
        ? [`the section is cut by max_tokens=${args.max_tokens}; it has ${text[0]?.text.length ?? 0} characters`]
        : []),
      ...similarNotes(similar),
      ...listSections(sections),
      ...goOn(handle, next),
    ],
    next: after,
    extra: { id: handle, type: row.kind, title: row.title, date: row.updatedAt.toISOString(), sections, similar },
  };
}

async function signalAnswer(call: DocumentCall, id: string): Promise<DocumentFindings> {
  const row = await findSignal(call.parts.signals, call.context.caller, id);
  const similar = await readSimilar(call, { corpus: 'signals', id: `sig:${row.id}`, part: '' });
  const { customer, segment, source, date, text, tags, link, polarity, polarityWords, intent } = row;
  const who = [customer, segment, source, dayOf(date), intent].filter((word) => word !== '');
  const words =
    polarityWords.length === 0 ? [] : [`polarity ${polarity ?? 0}, by the words: ${polarityWords.join(', ')}`];
  const facts = { customer, segment, source, date: date.toISOString(), tags, link, intent, polarity, value: row.value };
  return {
    total: 1,
    coverage: who.join(' · '),
    rows: [{ group: '', id, line: id, body: text, json: { section: '', heading: '', text } }],
    detail: 'body',
    notes: [
      ...words,
      ...(tags.length === 0 ? [] : [`tags: ${tags.join(', ')}`]),
      ...(link === '' ? [] : [link]),
      ...similarNotes(similar),
    ],
    next: () => undefined,
    extra: { id: `sig:${row.id}`, type: 'signal', title: '', ...facts, sections: [], similar },
  };
}

async function planAnswer(call: DocumentCall, id: string): Promise<DocumentFindings> {
  const { parts, context, args } = call;
  const row = await findPlan(parts.plans, context.caller, id);
  const handle = `plan:${row.slug}`;
  const entries = await readEntries(parts.plans.db, context.caller, { corpus: 'plans', id: handle });
  const askers = await findAskers(parts.plans.db, context.caller, [handle]);
  const stale = (await planStaleness(parts.plans, context.caller, [handle])).get(handle)?.label;
  const at = findEntry(entries, args.cursor ?? args.section);
  const entry = entries[at];
  const text = entry?.text ?? row.text;
  const shown = excerpt(text, EXCERPT_CHARACTERS);
  const next = entries[at + 1]?.part;
  const sections = entries.map(({ part, section, text: own }) => ({
    id: part,
    heading: section,
    characters: own.length,
  }));
  return {
    total: Math.max(1, entries.length),
    coverage: [row.title, row.status, `version ${row.version}`, stale ?? 'no anchors in indexed code'].join(' · '),
    rows: [sectionRow({ id: entry?.part ?? '', heading: entry?.section ?? '', text: shown })],
    detail: 'body',
    notes: [
      ...(askers.themes.length === 0 ? [] : [`asked for by ${describeAskers(askers)}`]),
      `the whole plan: ${describeCall('spec-export-tool', { plan: row.slug })}`,
      ...listSections(sections.map(({ id: part, heading }) => ({ id: heading === '' ? part : heading }))),
    ],
    next: () => next,
    extra: {
      id: handle,
      type: 'plan',
      title: row.title,
      status: row.status,
      date: row.updatedAt.toISOString(),
      ...(stale === undefined ? {} : { stale }),
      asked_by: askersBody(askers),
      sections,
    },
  };
}

async function decisionAnswer(call: DocumentCall, id: string): Promise<DocumentFindings> {
  const { parts, context, args } = call;
  const { row, staleness, supersedes } = await findDecision(parts.plans, context.caller, id);
  const similar = await readSimilar(call, { corpus: 'decisions', id: `dec:${row.number}`, part: '' });
  const options = row.options.map(({ name, pros, cons }) =>
    [name, ...pros.map((pro) => `+ ${pro}`), ...cons.map((con) => `- ${con}`)].join('\n'),
  );
  const rows = [
    { id: 'decision', heading: 'Decision', text: row.decision },
    { id: 'context', heading: 'Context', text: row.context },
    { id: 'options', heading: 'Options', text: options.join('\n') },
    { id: 'consequences', heading: 'Consequences', text: row.consequences.join('\n') },
  ].filter(({ text }) => text !== '');
  const start = args.cursor ?? args.section ?? '';
  const from = Math.max(
    0,
    rows.findIndex((candidate) => candidate.id === start.trim().toLowerCase()),
  );
  const replaced = row.supersededBy === null ? [] : [`superseded by dec:${row.supersededBy}`];
  const replaces =
    supersedes.length === 0 ? [] : [`supersedes ${supersedes.map((number) => `dec:${number}`).join(', ')}`];
  const stale = staleness?.label;
  return {
    total: rows.length,
    coverage: [row.title, row.status, dayOf(dateOfDecision(row)), stale ?? ''].filter(Boolean).join(' · '),
    rows: rows.slice(from).map(sectionRow),
    detail: 'body',
    notes: [
      ...replaced,
      ...replaces,
      ...(row.links.length === 0 ? [] : [`links: ${row.links.join(', ')}`]),
      ...similarNotes(similar),
    ],
    next: (shown) => rows[from + shown]?.id,
    extra: {
      id: `dec:${row.number}`,
      type: 'decision',
      title: row.title,
      status: row.status,
      date: dateOfDecision(row).toISOString(),
      ...(stale === undefined ? {} : { stale }),
      sections: rows.map(({ id: part, heading, text }) => ({ id: part, heading, characters: text.length })),
      similar,
    },
  };
}

function sectionRow({ id, heading, text }: { id: string; heading: string; text: string }): Row {
  return {
    group: '',
    id: id === '' ? 'text' : id,
    line: heading === '' ? (id === '' ? 'text' : id) : heading,
    body: text,
    json: { section: id, heading, text },
  };
}

/** The entry with this id or heading; the first one that has text without either. @throws ServiceError `unknown_id`. */
function findEntry(entries: readonly Entry[], sectionName: string | undefined): number {
  const word = sectionName?.trim().toLowerCase() ?? '';
  if (word === '') {
    return Math.max(
      0,
      entries.findIndex(({ text }) => text !== ''),
    );
  }
  const exact = entries.findIndex(({ part, section }) => part === word || section.toLowerCase() === word);
  const at = exact === -1 ? entries.findIndex(({ section }) => section.toLowerCase().includes(word)) : exact;
  if (at !== -1) return at;
  throw new ServiceError('unknown_id', `The plan has no section "${sectionName?.slice(0, 80)}".`, {
    fix: `Use one of: ${entries
      .slice(0, 5)
      .map(({ section }) => `"${section}"`)
      .join(', ')}.`,
  });
}

function listSections(sections: readonly { id: string }[]): string[] {
  if (sections.length < 2) return [];
  const names = sections.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = sections.length - names.length;
  return [`sections: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}

function goOn(id: string, next: string | undefined): string[] {
  if (next === undefined) return [];
  return [`next section: ${describeCall('document-search-tool', { action: 'get', query: id, section: next })}`];
}
