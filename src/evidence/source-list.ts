import { roundTo } from '../kernel/shown-values.ts';
import type { Candidate } from './candidates.ts';
import {
  type Brief,
  type Fact,
  lastPart,
  type Reference,
  type ShownLine,
  type Source,
  type Statement,
} from './model/brief.ts';
import { Citations, linesOf } from './model/citations.ts';
import type { CodeSources, LineRange } from './model/question.ts';
import type { Passage } from './passages.ts';

/** Sources that one fact cites in a brief; its sentence has the total. */
const MOST_CITED = 8;
/** Lines that are shown of a source of a fact. */
const MOST_FACT_LINES = 3;
/** Characters of the number, the place and the line breaks of a source. */
const FRAME = 20;
const FIRST_SCORE = 1;

/** The sources of a brief, each once and numbered in the order in which they are added. Code is read from the index. */
export class SourceList {
  readonly #index: CodeSources;
  readonly #citations = new Citations();
  #characters = 0;

  constructor(index: CodeSources) {
    this.#index = index;
  }

  get sources(): readonly Source[] {
    return this.#citations.sources;
  }

  /** Characters of the sources in a text. */
  get characters(): number {
    return this.#characters;
  }

  /**
   * Adds the sources of facts, and gives the facts with their numbers. A fact goes when none of its sources is there; one about
   * everything that was searched has none to begin with, and stays.
   */
  async addFacts(facts: readonly Fact[]): Promise<Statement[]> {
    const read = await Promise.all(
      facts.map(async ({ sentence, sources }) => ({
        sentence,
        sources: await Promise.all(sources.slice(0, MOST_CITED).map((reference) => this.#read(reference))),
      })),
    );
    return read.flatMap(({ sentence, sources }) => {
      const cites = sources.flatMap((source) => (source === undefined ? [] : this.#number(source)));
      if (cites.length === 0 && sources.length > 0) return [];
      this.#characters += sentence.length + cites.length * 4;
      return [{ sentence, cites: [...new Set(cites)] }];
    });
  }

  /** Adds a source that is no code. */
  add(reference: Reference): void {
    this.#number({ ...reference, shown: linesOf(reference.text ?? ''), score: FIRST_SCORE });
  }

  addPassage({ unit, lines, score }: Passage<Candidate>, why: readonly string[]): void {
    const range = { start: lines[0]?.number ?? unit.start, end: lines.at(-1)?.number ?? unit.end };
    this.#number({
      id: `${unit.path}:${range.start}-${range.end}`,
      kind: 'code',
      repo: unit.repo,
      path: unit.path,
      lines: range,
      ...(unit.symbol !== '' && { symbol: unit.symbol }),
      ...this.#commitOf(unit.repo),
      why,
      score: roundTo(3, score),
      shown: lines,
    });
  }

  /** A statement about the first source, where nothing was computed. */
  describeFirst(level: Brief['confidence']['level']): Statement[] {
    const [first] = this.sources;
    if (first === undefined) return [{ sentence: 'Nothing in the index has a word of the question.', cites: [] }];
    const place =
      first.path === undefined || first.lines === undefined ? first.id : `${first.path}:${first.lines.start}`;
    const about = first.symbol === undefined ? place : `${lastPart(first.symbol)}, ${place}`;
    const reason = first.why.length === 0 ? '' : ` (${first.why.join('; ')})`;
    const sentence =
      level === 'low' ? `Probably not in this index; nearest: ${about}${reason}.` : `First: ${about}${reason}.`;
    return [{ sentence, cites: [first.number] }];
  }

  #number(source: Omit<Source, 'number'>): number {
    const before = this.sources.length;
    const { number } = this.#citations.cite(source);
    if (number <= before) return number;
    const shown = source.shown.reduce((sum, { text }) => sum + text.length + 6, 0);
    this.#characters += FRAME + source.id.length + (source.symbol ?? '').length + source.why.join('; ').length + shown;
    return number;
  }

  /** A reference with its lines from the index; undefined when there are none. */
  async #read(reference: Reference): Promise<Omit<Source, 'number'> | undefined> {
    const { kind, path, lines, text } = reference;
    if (kind !== 'code') return { ...reference, shown: linesOf(text ?? ''), score: FIRST_SCORE };
    if (path === undefined) return undefined;
    const shown = await this.#linesOf(reference.repo, path, lines);
    if (shown === undefined) return undefined;
    return { ...reference, ...this.#commitOf(reference.repo), shown, score: FIRST_SCORE };
  }

  /** The first lines of a place; none for a whole file that is there, undefined when there is no such place. */
  async #linesOf(repo: string, path: string, lines: LineRange | undefined): Promise<ShownLine[] | undefined> {
    const repository = this.#index.repositories.find(({ provenance }) => provenance.repo === repo);
    if (repository === undefined) return undefined;
    const from = lines?.start ?? 1;
    const to = Math.min(lines?.end ?? from, from + MOST_FACT_LINES - 1);
    const source = await this.#index.ask(repository, ['sourceOf', { path, from, to }]);
    if (source === undefined) return (await this.#isFolder(repository, path)) ? [] : undefined;
    if (lines === undefined) return [];
    if (source.lines.length === 0) return undefined;
    return source.lines
      .map((text, at) => ({ number: source.from + at, text }))
      .filter((line) => line.text.trim() !== '');
  }

  async #isFolder(repository: CodeSources['repositories'][number], path: string): Promise<boolean> {
    return (await this.#index.ask(repository, ['countFiles', { path }])) > 0;
  }

  #commitOf(repo: string): { commit?: string } {
    const commit = this.#index.provenances.find((provenance) => provenance.repo === repo)?.commit;
    return commit === undefined ? {} : { commit };
  }
}
