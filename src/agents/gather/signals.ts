import { z } from 'zod';
import type { Tools } from './tools.ts';

const Signal = z.looseObject({
  id: z.string(),
  type: z.string(),
  date: z.string().catch(''),
  customer: z.string().catch(''),
  segment: z.string().catch(''),
  snippet: z.string().catch(''),
  score: z.number(),
  intent: z.string().catch(''),
  /** -1 to 1; null where it sounds like neither. */
  polarity: z.number().nullish().catch(undefined),
  value: z.number().nullish().catch(undefined),
});
const Sounding = z
  .object({ signals: z.number(), sample_ids: z.array(z.string()) })
  .default({ signals: 0, sample_ids: [] });
const Searched = z.object({ searched: z.object({ signals: z.number() }) });
const Theme = z.looseObject({
  theme: z.string(),
  signals: z.number(),
  customers: z.number(),
  trend: z.looseObject({ direction: z.string(), last: z.number(), usual: z.number() }),
  sample_ids: z.array(z.string()).default([]),
  value: z.number().optional(),
  negative: Sounding,
  positive: Sounding,
});

export type SignalRow = z.output<typeof Signal>;
export type ThemeRow = z.output<typeof Theme>;

/** Signals of a page of the search. */
const PAGE = 50;
/** Most pages that are counted; beyond them the answer says at least. */
const MOST_PAGES = 20;
/** When one of so many last ones of a page counts, further ones may. */
const LAST = 10;
const MOST_THEMES = 3;
/** A signal that fits this much less than the best one is about something else. */
const LEAST_SHARE = 0.5;
/** Words in a row that so many signals have, with marks of a form among them, are of the form. */
const FORM_WORDS = 3;
const LEAST_OF_FORM = 3;
/** A heading, a label, stress, a box, or what a form puts where nothing was written. */
const MARKS_OF_FORM = /^#{1,6}$|:$|^\*\*|\*\*$|^_No$|^\[[ xX]\]$|^<\/?\w+>/;

/** What customers say about a question, and how many of them. */
export interface Voices {
  /** Those that have the words of the question close together; when there are none, those that are near to it in meaning. The best first. */
  signals: SignalRow[];
  /** Whether they have the words. */
  isNamed: boolean;
  customers: string[];
  /** Whether there may be more. */
  isCut: boolean;
  /** ISO dates of the oldest and the newest. */
  since: string;
  latest: string;
  themes: ThemeRow[];
  /** How many signals were searched; 0 where that is not known. */
  searched: number;
}

/** What is asked of signals. */
interface Asked {
  query: string;
  /** Things of which a signal speaks of one at least, each of which is searched by itself. */
  alternatives?: readonly string[];
  /** A customer, segment or source whose signals alone are searched. */
  customer?: string | undefined;
  mostThemes?: number;
}

/**
 * Signals and themes that fit a question; `isAbout` says whether a stretch of text has its words. What a form says in each of them is
 * nobody's. Two calls at once, and one for each further page as long as signals at its end have the words.
 */
export async function hearSignals(
  tools: Tools,
  { query, alternatives = [query], customer, mostThemes = MOST_THEMES }: Asked,
  isAbout: (text: string) => boolean,
): Promise<Voices> {
  const of = customer === undefined ? {} : { customer };
  const [lists, themes] = await Promise.all([
    Promise.all(alternatives.map((words) => searchSignals(tools, { query: words, ...of }, isAbout))),
    tools.ask('document-search-tool', { action: 'themes', query, limit: mostThemes, ...of }, Theme),
  ]);
  const rows = onceEach(lists.map((list) => list.rows));
  const named = onceEach(lists.map((list) => list.named));
  const best = rows[0]?.score ?? 0;
  const isNamed = named.length > 0;
  const signals = isNamed ? named : rows.filter(({ score }) => score >= best * LEAST_SHARE);
  const dates = signals
    .map(({ date }) => date)
    .filter((date) => date !== '')
    .toSorted();
  return {
    signals,
    isNamed,
    customers: [...new Set(signals.map((signal) => signal.customer).filter((name) => name !== ''))],
    isCut: lists.some((list) => list.isCut),
    since: dates[0] ?? '',
    latest: dates.at(-1) ?? '',
    themes: themes?.rows ?? [],
    searched: Math.max(...lists.map((list) => list.searched)),
  };
}

/** Signals of several lists once each, the best first. */
function onceEach(lists: readonly (readonly SignalRow[])[]): SignalRow[] {
  const [first = [], ...others] = lists;
  if (others.length === 0) return [...first];
  const ranked = lists.flat().toSorted((a, b) => b.score - a.score);
  return [...Map.groupBy(ranked, ({ id }) => id).values()].flatMap(([best]) => best ?? []);
}

/** Signals page by page, those that have the words of the question, and whether further pages may have more of these. */
async function searchSignals(
  tools: Tools,
  asked: { query: string; customer?: string },
  isAbout: (text: string) => boolean,
): Promise<{ rows: SignalRow[]; named: SignalRow[]; isCut: boolean; searched: number }> {
  const args = { action: 'search', ...asked, types: ['signal'], limit: PAGE };
  const rows: SignalRow[] = [];
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const found = await tools.ask('document-search-tool', { ...args, ...(cursor !== undefined && { cursor }) }, Signal);
    rows.push(...(found?.rows ?? []));
    cursor = found?.next;
    const said = withoutForms(rows.map(({ snippet }) => snippet));
    const named = rows.filter((_, at) => isAbout(said[at] ?? ''));
    const isOpen = cursor !== undefined && asked.query !== '' && rows.slice(-LAST).some((row) => named.includes(row));
    if (!isOpen || page === MOST_PAGES) return { rows, named, isCut: isOpen, searched: searchedIn(found) };
  }
}

/** How many signals a search looked through. */
function searchedIn(reply: unknown): number {
  return Searched.safeParse(reply).data?.searched.signals ?? 0;
}

/** What share of all signals have a word, 0..1, and how many signals there are of a customer, a segment or a source. One call each. */
export async function shareOfSignals(tools: Tools, word: string): Promise<number> {
  const args = { action: 'search', query: word, types: ['signal'], limit: 1 };
  const found = await tools.ask('document-search-tool', args, Signal);
  const searched = searchedIn(found);
  return found === undefined || searched === 0 ? 0 : found.total / searched;
}

export async function countSignalsOf(tools: Tools, customer: string): Promise<number> {
  const args = { action: 'search', query: '', customer, types: ['signal'], limit: 1 };
  return (await tools.ask('document-search-tool', args, Signal))?.total ?? 0;
}

/** Texts without the words in a row that several of them have and that are marked up as a form is. */
function withoutForms(texts: readonly string[]): string[] {
  // So is what stands in a table: what runs on a machine is listed in the reports of some products.
  const words = texts.map((text) => text.split(/\s+/).filter((word) => !word.includes('|')));
  const having = new Map<string, Set<number>>();
  words.forEach((own, text) => {
    for (const row of rowsOf(own)) having.set(row, (having.get(row) ?? new Set()).add(text));
  });
  return words.map((own) => {
    const isShared = own.map(() => false);
    rowsOf(own).forEach((row, at) => {
      if ((having.get(row)?.size ?? 0) >= LEAST_OF_FORM) isShared.fill(true, at, at + FORM_WORDS);
    });
    return own.filter((_, at) => !(isShared[at] === true && isMarked(own, isShared, at))).join(' ');
  });
}

/** Each word with those after it. */
function rowsOf(words: readonly string[]): string[] {
  return words.slice(FORM_WORDS - 1).map((_, at) => words.slice(at, at + FORM_WORDS).join(' '));
}

/** Whether a mark of a form stands in the shared stretch around a word. */
function isMarked(words: readonly string[], isShared: readonly boolean[], at: number): boolean {
  const from = isShared.lastIndexOf(false, at) + 1;
  const end = isShared.indexOf(false, at);
  return words.slice(from, end === -1 ? undefined : end).some((word) => MARKS_OF_FORM.test(word));
}
