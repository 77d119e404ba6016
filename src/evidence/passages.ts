import { densestWeight, sumWeights, type TermWeights } from '../text/best-lines.ts';
import { partsOf } from '../text/terms.ts';
import type { RankedUnit } from '../code/units/units.ts';
import { lastPart, type ShownLine } from './model/brief.ts';
import { rarityOf } from '../text/term-weights.ts';

/** Exponent by which a unit counts more than one of half its score, for each of its lines. */
const CONCENTRATION = 1.5;
/** Score of a line without any word of the question: lines of good units are useful to read. */
const BASE = 3;
/** Shares of the words of surrounding lines that count for a line, by their distance. */
const NEAR: readonly (readonly [distance: number, share: number])[] = [
  [-1, 0.5],
  [1, 0.5],
  [-2, 0.2],
  [2, 0.2],
];
/** Additional score of a line where something is decided or set. */
const DECISION = 0.8;
/** Reduction of the score of a further line of a unit for each that was chosen from it. */
const GIVE_WAY = 0.03;
/** A chosen line brings those below it; a unit of few lines comes whole. */
const [LINES_BELOW, WHOLE_UNIT] = [2, 12];
/** Lines of a unit that are compared with the question together. */
const [WINDOW, STEP] = [12, 6];
/** Number of units assumed for the words of a question that no unit has: the index cannot tell how rare they are. */
const UNITS_OF_UNKNOWN = 30;
/** Characters of a source beside its path, symbol and lines: its number, range and reasons; and of a line beside its text. */
const [SOURCE_CHARACTERS, LINE_CHARACTERS] = [35, 5];
/** A line of so many characters that is shown already adds nothing in another place. */
const LONG_LINE = 20;
/** Levels of indentation that are shown. */
const MOST_LEVELS = 8;

/** Lines without letters or digits, and those that only frame a comment. */
const EMPTY =
  /^[^\p{L}\p{N}]*$|^\s*\/\/\/ <\/?(?:summary|param|returns|remarks|inheritdoc|exception|typeparam)|^\s*(?:Args:|Returns:)\s*$/u;
/** Syntax by which code decides or sets something: branches, errors, constants, comparisons with numbers. */
const DECIDES =
  /\b(?:if|elif|else if|match|case|switch|when|throw|raise|panic|reject|return Err|default|max|min|limit)\b|\b[A-Z][A-Z_]{3,}\b|=\s*\d|[<>]=?\s*\d/;

/** Lines of one unit that were chosen, in their order. */
export interface Passage<One extends RankedUnit = RankedUnit> {
  unit: One;
  lines: readonly (ShownLine & { number: number })[];
  /** Terms of the question that the unit has. */
  terms: readonly string[];
  /** 0..1 of the best unit. */
  score: number;
}

/** A unit with what its lines have of the question. */
interface Reading<One extends RankedUnit> {
  unit: One;
  /** Terms of the question on each line. */
  terms: readonly (readonly string[])[];
  all: ReadonlySet<string>;
  score: number;
}

/** Weights of the terms of a question by how many of all units have them. */
export function weighTerms(terms: readonly { term: string; units: number }[], total: number): TermWeights {
  return new Map(terms.map(({ term, units }) => [term, rarityOf(total, 1 + (units === 0 ? UNITS_OF_UNKNOWN : units))]));
}

/**
 * Chooses the lines that say most about a question. The lines of all units compete, so that one good line of the tenth unit
 * goes before the thirtieth of the first. `budgets` are characters, ascending: what fits into the first is chosen and laid
 * out by unit, then what fits into the next, so that a larger budget continues the list of a smaller one.
 */
export function choosePassages<One extends RankedUnit>(
  units: readonly One[],
  weights: TermWeights,
  budgets: readonly number[],
): Passage<One>[] {
  const readings = readUnits(units, weights);
  const chooser = new LineChooser(readings, weights);
  return budgets.flatMap((budget) => chooser.choose(budget));
}

/** The units in the order of what they have of the question, altogether and within a few lines. */
function readUnits<One extends RankedUnit>(units: readonly One[], weights: TermWeights): Reading<One>[] {
  const all = sumWeights(weights.keys(), weights) || 1;
  return units
    .map((unit) => {
      const terms = unit.lines.map((line) => [...new Set(partsOf(line))].filter((term) => weights.has(term)));
      const own = new Set([
        ...partsOf(`${unit.path} ${unit.symbol}`).filter((term) => weights.has(term)),
        ...terms.flat(),
      ]);
      const near = densestWeight(terms, weights, { size: WINDOW, step: STEP });
      return {
        unit,
        terms,
        all: own,
        score: unit.score * (0.6 + (near + sumWeights(own, weights)) / (2 * all)),
      };
    })
    .toSorted((a, b) => b.score - a.score);
}

interface Line<One extends RankedUnit> {
  reading: Reading<One>;
  at: number;
  value: number;
}

/** Chooses line after line, and remembers what was chosen. */
class LineChooser<One extends RankedUnit> {
  readonly #readings: readonly Reading<One>[];
  readonly #lines: Line<One>[];
  /** Lines by the file and number under which they were chosen. */
  readonly #chosen = new Set<string>();
  /** Texts of long lines that were chosen anywhere. */
  readonly #texts = new Set<string>();
  readonly #counts = new Map<Reading<One>, number>();
  #spent = 0;

  constructor(readings: readonly Reading<One>[], weights: TermWeights) {
    this.#readings = readings;
    const best = readings[0]?.score ?? 1;
    this.#lines = readings.flatMap((reading) => linesOf(reading, weights, (reading.score / best) ** CONCENTRATION));
  }

  /** The lines that fit into the budget beside those that were chosen before, by unit. */
  choose(budget: number): Passage<One>[] {
    const picked = new Map<Reading<One>, Set<number>>();
    while (this.#spent < budget) {
      const line = this.#takeBest();
      if (line === undefined) break;
      this.#pick(line, picked);
    }
    const best = this.#readings[0]?.score ?? 1;
    return this.#readings.flatMap((reading) => {
      const lines = [...(picked.get(reading) ?? [])].toSorted((a, b) => a - b);
      if (lines.length === 0) return [];
      const { unit, all, score } = reading;
      return [{ unit, lines: withLevels(unit, lines), terms: [...all], score: score / best }];
    });
  }

  #takeBest(): Line<One> | undefined {
    let [best, at] = [-1, -1];
    for (const [index, { reading, value }] of this.#lines.entries()) {
      const own = value / (1 + GIVE_WAY * (this.#counts.get(reading) ?? 0));
      if (own > best) [best, at] = [own, index];
    }
    return at < 0 ? undefined : this.#lines.splice(at, 1)[0];
  }

  #pick({ reading, at }: Line<One>, picked: Map<Reading<One>, Set<number>>): void {
    const { unit } = reading;
    let into = picked.get(reading);
    if (into === undefined) {
      picked.set(reading, (into = new Set()));
      this.#spent += unit.path.length + lastPart(unit.symbol).length + SOURCE_CHARACTERS;
      this.#add(reading, unit.signature - unit.start, into);
    }
    const isWhole = unit.lines.length <= WHOLE_UNIT;
    const last = isWhole ? unit.lines.length - 1 : Math.min(at + LINES_BELOW, unit.lines.length - 1);
    for (let line = isWhole ? 0 : at; line <= last; line += 1) this.#add(reading, line, into);
  }

  #add(reading: Reading<One>, at: number, into: Set<number>): void {
    const { unit } = reading;
    const text = unit.lines[at] ?? '';
    const key = `${unit.path}:${unit.start + at}`;
    const trimmed = text.trim();
    if (EMPTY.test(text) || this.#chosen.has(key) || this.#texts.has(trimmed)) return;
    this.#chosen.add(key);
    // A twin of a file repeats its lines.
    if (trimmed.length >= LONG_LINE) this.#texts.add(trimmed);
    into.add(at);
    this.#counts.set(reading, (this.#counts.get(reading) ?? 0) + 1);
    this.#spent += text.trim().length + LINE_CHARACTERS;
  }
}

/** Lines of a unit with one space for each level of indentation: the levels say all, and a budget is better spent. */
function withLevels({ start, lines }: RankedUnit, chosen: readonly number[]): Passage['lines'] {
  const texts = chosen.map((at) => lines[at] ?? '');
  const depths = texts.map((text) => text.length - text.trimStart().length);
  const least = Math.min(...depths);
  // A tab is a level; one space alone stands before the star of a comment.
  const fewest = texts.some((text) => text.startsWith('\t')) ? 1 : 2;
  const step = Math.min(...depths.map((depth) => depth - least).filter((depth) => depth >= fewest));
  return texts.map((text, index) => {
    const levels = Math.min(MOST_LEVELS, Math.round(((depths[index] ?? 0) - least) / step) || 0);
    return { number: start + (chosen[index] ?? 0), text: ' '.repeat(levels) + text.trim() };
  });
}

function linesOf<One extends RankedUnit>(reading: Reading<One>, weights: TermWeights, unitValue: number): Line<One>[] {
  const { unit, terms } = reading;
  const own = unit.lines.map(
    (line, at) => sumWeights(terms[at] ?? [], weights) + (DECIDES.test(line) && !EMPTY.test(line) ? DECISION : 0),
  );
  return unit.lines.flatMap((line, at) => {
    if (EMPTY.test(line)) return [];
    const near = NEAR.reduce((sum, [distance, share]) => sum + share * (own[at + distance] ?? 0), 0);
    return [{ reading, at, value: unitValue * (BASE + (own[at] ?? 0) + near) }];
  });
}
