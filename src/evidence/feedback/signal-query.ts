import type { z } from 'zod';
import { type CountRow, CountOutput, DocumentHitsOutput, TextOutput } from '../../search/search.ts';
import type { Fact, NextCall, Reference } from '../model/brief.ts';
import type { Operations } from '../model/operations.ts';
import { joinPeriods, type Period } from './periods.ts';
import { number, predicate } from './phrases.ts';
import type { Reading } from './read-query.ts';
import type { Vocabulary } from './vocabulary.ts';

export const OPERATION = 'document-search-tool';
export const MOST_QUOTED = 8;
const QUOTE_CHARACTERS = 400;

export type Count = z.output<typeof CountOutput>;

/** Signals that a call is about. */
export interface Scope {
  query?: string;
  filter?: readonly string[];
  since?: string;
  until?: string;
}

/** A fact that was computed for a question. */
export interface ComputedFact extends Fact {
  /** True if no signal has the words of the question: what the answer shows is near by meaning. */
  isByMeaning?: boolean;
}

/** A theme as the condition of a filter, with its label and the number of signals that have the words of its subject. */
interface SubjectTheme {
  condition: string;
  label: string;
  byWords: number;
}

/** Signals nearest to a subject by meaning, and how many of them are in the theme that stands for it, as are the first ones. */
const [NEAREST, LEAST_NEAR, FIRST] = [10, 4, 2];
/** Values of a page, and pages of a field: months of eight years. */
const [PAGE, MOST_PAGES] = [50, 4];

/** All rows of a count whose pages are read one after the other. */
export async function readPages(
  read: (page: { cursor?: string }) => Promise<Count | undefined>,
): Promise<Count | undefined> {
  const first = await read({});
  if (first === undefined) return undefined;
  const rows = [...first.rows];
  let { next } = first;
  for (let page = 1; next !== undefined && page < MOST_PAGES; page += 1) {
    const more = await read({ cursor: next });
    rows.push(...(more?.rows ?? []));
    next = more?.next;
  }
  return { ...first, rows };
}

/** The query that a question was read into, and the calls that its facts are made of. */
export class SignalQuery {
  readonly operations: Operations;
  readonly reading: Reading;
  readonly vocabulary: Vocabulary;
  /** The first call of the answer: what whoever asks corrects. */
  shown: NextCall = { operation: OPERATION, args: {} };
  /** The theme that stands for a subject. */
  readonly #themes = new Map<string, SubjectTheme>();

  constructor(operations: Operations, reading: Reading, vocabulary: Vocabulary) {
    this.operations = operations;
    this.reading = reading;
    this.vocabulary = vocabulary;
  }

  /** Returns the signals that the whole question selects, with its first subject. */
  scope(subject = this.reading.subjects[0]): Scope {
    const theme = this.#themes.get(subject ?? '');
    const filter = [...this.reading.filter, ...(theme === undefined ? [] : [theme.condition])];
    const period = joinPeriods(this.reading.periods);
    return {
      ...(subject !== undefined && theme === undefined && { query: subject }),
      ...(filter.length > 0 && { filter }),
      ...period,
    };
  }

  /**
   * Finds for each subject the theme that most of the signals nearest to it by meaning are in. Where it has more signals of the
   * scope than have the words, it stands for the subject: people say one thing in many words and languages.
   */
  async findThemes(): Promise<void> {
    for (const subject of this.reading.subjects) {
      const scope = this.scope(subject);
      const search = { action: 'search', types: ['signal'], query: subject, limit: NEAREST };
      const near = (await this.operations.read(OPERATION, search, DocumentHitsOutput))?.rows ?? [];
      const id = near[0]?.theme;
      const members = near.filter(({ theme }) => theme === id);
      const isFirst = near.slice(0, FIRST).every(({ theme }) => theme === id);
      if (id === undefined || !isFirst || members.length < LEAST_NEAR) continue;
      const byWords = (await this.read({ action: 'count', ...scope }))?.counted ?? 0;
      const condition = `theme=${id}`;
      const { query: _, ...selection } = scope;
      const filter = [...(scope.filter ?? []), condition];
      const inTheme = await this.read({ action: 'count', ...selection, filter, group_by: 'theme' });
      if (inTheme === undefined || inTheme.counted <= byWords) continue;
      this.#themes.set(subject, { condition, label: inTheme.rows[0]?.value ?? '', byWords });
    }
  }

  /** States how many signals have the words of a subject that a theme stands for. */
  themeFacts(): Fact[] {
    return [...this.#themes].map(([subject, { condition, byWords }]) => ({
      sentence: `Most signals that are near “${subject}” by meaning have ${condition}; ${number(byWords)} have the words.`,
      sources: [],
    }));
  }

  /** A sentence with the labels of themes instead of their ids. */
  nameThemes(sentence: string): string {
    return [...this.#themes.values()].reduce(
      (named, { condition, label }) => named.replaceAll(condition, `theme=“${label}”`),
      sentence,
    );
  }

  with(more: readonly string[]): Scope {
    const scope = this.scope();
    return { ...scope, filter: [...(scope.filter ?? []), ...more] };
  }

  /** The two halves of a period, or of all that there is. */
  halves(period: Period | undefined): (Pick<Period, 'since' | 'until'> | undefined)[] {
    const months = this.vocabulary.months.filter((month) => {
      return period === undefined || (month >= period.since.slice(0, 7) && month <= period.until.slice(0, 7));
    });
    const middle = Math.floor(months.length / 2);
    const [first, before, after, last] = [months[0], months[middle - 1], months[middle], months.at(-1)];
    if (first === undefined || before === undefined || after === undefined || last === undefined)
      return [undefined, undefined];
    return [
      { since: first, until: before },
      { since: after, until: last },
    ];
  }

  /** The signals that fit a scope best. */
  async samples(scope: Scope, limit: number): Promise<Reference[]> {
    const args = { action: 'search', types: ['signal'], ...scope, limit };
    const answer = await this.operations.read(OPERATION, args, DocumentHitsOutput);
    return (answer?.rows ?? []).map(({ id, snippet, customer = '', date = '', rating, source = '' }) => ({
      id,
      kind: 'signal',
      repo: '',
      text: snippet,
      why: [customer, date.slice(0, 10), rating === undefined ? '' : `${rating} stars`, source].filter(
        (word) => word !== '',
      ),
    }));
  }

  /** A sentence with the signals that fit its scope best. */
  async state(sentence: string, scope: Scope, limit = MOST_QUOTED): Promise<Fact[]> {
    return [{ sentence, sources: await this.samples(scope, limit) }];
  }

  /** The texts of signals, each with its reason; those that are not there any more are left out. */
  async quote(samples: readonly (readonly [id: string, why: string])[]): Promise<Reference[]> {
    const quotes = await Promise.all(
      samples.map(async ([id, why]): Promise<Reference[]> => {
        const answer = await this.operations.read(OPERATION, { action: 'get', query: id }, TextOutput);
        const texts = (answer?.rows ?? []).slice(0, 1).map(({ text }) => text.slice(0, QUOTE_CHARACTERS));
        return texts.map((text) => ({ id, kind: 'signal', repo: '', text, why: [why] }));
      }),
    );
    return quotes.flat();
  }

  /** The first sample of each theme. */
  quoteThemes(rows: readonly { theme: string; sample_ids: readonly string[] }[]): Promise<Reference[]> {
    return this.quote(
      rows.flatMap(({ theme, sample_ids: ids }) => ids.slice(0, 1).map((id) => [id, `theme ${theme}`] as const)),
    );
  }

  /** All values of a count, page by page. */
  async readAll(args: Record<string, unknown>): Promise<Count | undefined> {
    return readPages((page) => this.read({ ...args, limit: PAGE, ...page }));
  }

  /** Counts with the query that is shown. */
  ask(args: Record<string, unknown>): Promise<Count | undefined> {
    this.show(args);
    return this.read(args);
  }

  show(args: Record<string, unknown>): void {
    if (Object.keys(this.shown.args).length === 0) this.shown = { operation: OPERATION, args };
  }

  read(args: Record<string, unknown>): Promise<Count | undefined> {
    return this.operations.read(OPERATION, args, CountOutput);
  }

  fieldOf(by: NonNullable<Reading['by']>): string {
    if (by === 'year') return 'month';
    // Languages that came as tags.
    const has = (field: string): boolean => (this.vocabulary.having.get(field) ?? 0) > 0;
    return by === 'language' && !has('language') && has('tag') ? 'tag' : by;
  }

  /** `204 of 2,594 signals mention “bots”, from 204 customers`. */
  counted(count: Count | undefined, row: CountRow | undefined, scope: Scope): string {
    if (count === undefined) return 'Nothing was counted';
    const { counted, of } = count;
    const customers = row === undefined || row.customers === 0 ? '' : `, from ${number(row.customers)} customers`;
    if (Object.keys(scope).length === 0) return `There are ${number(counted)} signals${customers}`;
    const unknown =
      count.unknown_words.length === 0 ? '' : ` (no signal has the word “${count.unknown_words.join('”, “')}”)`;
    return `${number(counted)} of ${number(of)} signals ${predicate(scope, {})}${customers}${unknown}`;
  }
}
