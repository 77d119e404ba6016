import type { CodePlace } from '../gather/code.ts';
import type { Use } from '../gather/around.ts';
import type { Entry, Ledger } from '../ledger/ledger.ts';
import { bestWindow } from './excerpt.ts';
import { coverage, type TermWeights } from '../question/term-weights.ts';
import { displayName } from './symbols.ts';

/** Lines of code that a source quotes: of the main place enough to read how it does what is asked. */
const LINES_SHOWN = { main: 24, near: 14, other: 8 };
type LinesShown = Readonly<typeof LINES_SHOWN>;
/** A shorter function has nothing inside that its head does not show. */
const FEW_LINES = 8;
/** What begins with the end of something before, or ends within a list of parameters, says nothing by itself. */
const IS_FRAGMENT = /^\s*[)\]}]|,\s*$/;
/** Characters of two lines that are told in a sentence. */
const LONGEST_INSIDE = 240;

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Puts what tools showed into the ledger, as short as it says what matters for the question. */
export class Citer {
  readonly #ledger: Ledger;
  readonly #weights: TermWeights;
  readonly #commitOf: (repo: string) => string | undefined;
  readonly #shown: LinesShown;

  constructor(
    ledger: Ledger,
    weights: TermWeights,
    commitOf: (repo: string) => string | undefined,
    shown: LinesShown = LINES_SHOWN,
  ) {
    this.#ledger = ledger;
    this.#weights = weights;
    this.#commitOf = commitOf;
    this.#shown = shown;
  }

  /** The same, showing more lines of code or fewer. */
  showing(shown: LinesShown): Citer {
    return new Citer(this.#ledger, this.#weights, this.#commitOf, shown);
  }

  /** The share of the question's weight that a text has, 0..1. */
  worthOf(text: string): number {
    return coverage(this.#weights, [text]);
  }

  /** The lines of a symbol that say most about the question; of the main one most, of one that may be meant as well some more. */
  place(place: CodePlace, size: keyof LinesShown = 'other'): Entry {
    const found = bestWindow(place.body, this.#weights, this.#shown[size]);
    const lines = { start: place.start + found.from, end: place.start + found.to };
    return this.#code(place, { lines, text: found.text, title: displayName(place) });
  }

  /** The first line of a symbol: what it is called and takes. */
  head(place: CodePlace): Entry {
    const [text = ''] = place.body.split('\n');
    return this.#code(place, { lines: { start: place.start, end: place.start }, text, title: displayName(place) });
  }

  /** The two lines inside of a function that say most about the question; undefined when none says anything. */
  inside(place: CodePlace): Entry | undefined {
    const [, ...lines] = place.body.split('\n');
    if (!/^(?:function|method)$/.test(place.kind) || lines.length < FEW_LINES) return undefined;
    const { from, to, text } = bestWindow(lines.join('\n'), this.#weights, 2);
    return this.worthOf(text) > 0 && text.length <= LONGEST_INSIDE && !IS_FRAGMENT.test(text)
      ? this.linesOf(place, from + 1, to + 1)
      : undefined;
  }

  /** The lines of its documentation on which a sentence stands; undefined where it is not found in one or two of them. */
  docLine(place: CodePlace, sentence: string): Entry | undefined {
    const above = place.docAt;
    const [start, lines] = above === undefined ? [place.start, place.body.split('\n')] : [above.line, above.lines];
    const words = wordsOf(sentence).slice(0, 5).join(' ');
    const stands = (text: string): boolean => ` ${wordsOf(text).join(' ')} `.includes(` ${words} `);
    const at = lines.findIndex((line, index) => stands(`${line} ${lines[index + 1] ?? ''}`));
    if (at === -1) return undefined;
    const [from, to] = stands(lines[at] ?? '')
      ? [at, at]
      : stands(lines[at + 1] ?? '')
        ? [at + 1, at + 1]
        : [at, at + 1];
    const text = lines.slice(from, to + 1).join('\n');
    return this.#code(place, { lines: { start: start + from, end: start + to }, text, title: displayName(place) });
  }

  /** The line on which documentation begins that stands above a place; none where it is not known. */
  docOf(place: CodePlace): Entry[] {
    if (place.docAt === undefined) return [];
    const { line, lines } = place.docAt;
    const [text = ''] = lines;
    return [this.#code(place, { lines: { start: line, end: line }, text, title: displayName(place) })];
  }

  /** Some lines of a place by their numbers in its body, counted from 0. */
  linesOf(place: CodePlace, from: number, to: number): Entry {
    const text = place.body
      .split('\n')
      .slice(from, to + 1)
      .join('\n');
    const lines = { start: place.start + from, end: place.start + to };
    return this.#code(place, { lines, text, title: displayName(place) });
  }

  /** The line of a use. */
  use(repo: string, { path, line, text, enclosing }: Use): Entry {
    return this.#code({ repo, path }, { lines: { start: line, end: line }, text, title: enclosing });
  }

  #code(
    { repo, path }: { repo: string; path: string },
    { lines, text, title }: { lines: { start: number; end: number }; text: string; title: string },
  ): Entry {
    const id = lines.start === lines.end ? `${path}:${lines.start}` : `${path}:${lines.start}-${lines.end}`;
    return this.#ledger.add({ id, kind: 'code', repo, commit: this.#commitOf(repo), path, lines, title, text });
  }
}
