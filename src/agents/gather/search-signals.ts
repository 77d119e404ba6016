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
const Searched = z.object({ searched: z.object({ signals: z.number() }) });

export type SignalRow = z.output<typeof Signal>;

/** Signals of a page of the search. */
const PAGE = 50;
/** Most pages that are read; beyond them the answer says at least. */
const MOST_PAGES = 20;
/** Pages in a row without a signal that counts, after which no further one is read: the best come first, but by their whole text. */
const BARREN_PAGES = 3;
/** Words in a row that so many signals have, with marks of a form among them, are of the form. */
const FORM_WORDS = 3;
const LEAST_OF_FORM = 3;
/** A heading, a label, stress, a box, or what a form puts where nothing was written. */
const MARKS_OF_FORM = /^#{1,6}$|:$|^\*\*|\*\*$|^_No$|^\[[ xX]\]$|^<\/?\w+>/;

/** Signals that a search finds, the best first. */
export interface FoundSignals {
  rows: SignalRow[];
  /** What each of them says around the words, without what a form says in each. */
  said: string[];
  /** Whether further ones may count. */
  isCut: boolean;
  /** How many signals were searched. */
  searched: number;
}

/** Finds signals page by page, as long as some among the last pages count. */
export async function searchSignals(
  tools: Tools,
  asked: { query: string; customer?: string },
  counts: (text: string) => boolean,
): Promise<FoundSignals> {
  const args = { action: 'search', ...asked, types: ['signal'], limit: PAGE };
  const rows: SignalRow[] = [];
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const found = await tools.ask('document-search-tool', { ...args, ...(cursor !== undefined && { cursor }) }, Signal);
    rows.push(...(found?.rows ?? []));
    cursor = found?.next;
    const said = withoutForms(rows.map(({ snippet }) => snippet));
    const isFertile = page < BARREN_PAGES || said.slice(-BARREN_PAGES * PAGE).some(counts);
    const isOpen = cursor !== undefined && asked.query !== '' && isFertile;
    if (!isOpen || page === MOST_PAGES) return { rows, said, isCut: isOpen, searched: searchedIn(found) };
  }
}

/** How many signals a search looked through. */
function searchedIn(reply: unknown): number {
  return Searched.safeParse(reply).data?.searched.signals ?? 0;
}

/** How many signals have a word, and how many were searched. One call. */
export async function countHaving(tools: Tools, word: string): Promise<{ having: number; searched: number }> {
  const args = { action: 'search', query: word, types: ['signal'], limit: 1 };
  const found = await tools.ask('document-search-tool', args, Signal);
  return { having: found?.total ?? 0, searched: searchedIn(found) };
}

/** How many signals there are of a customer, a segment or a source, or since a day. One call. */
export async function countSignals(
  tools: Tools,
  of: { customer?: string | undefined; since?: string },
): Promise<number> {
  return (await tools.ask('document-search-tool', listing(of), Signal))?.total ?? 0;
}

/** The day of the newest signal. One call. */
export async function findNewestDay(tools: Tools, customer: string | undefined): Promise<string | undefined> {
  const found = await tools.ask('document-search-tool', listing({ customer }), Signal);
  const date = found?.rows[0]?.date ?? '';
  return Number.isNaN(Date.parse(date)) ? undefined : date.slice(0, 10);
}

function listing({ customer, since }: { customer?: string | undefined; since?: string }): Record<string, unknown> {
  const of = { ...(customer !== undefined && { customer }), ...(since !== undefined && { since }) };
  return { action: 'search', query: '', ...of, types: ['signal'], limit: 1 };
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
