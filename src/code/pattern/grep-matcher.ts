import { ServiceError } from '../../kernel/errors.ts';
import { contains, WORD_CHARS, type CharSet } from './grep-charset.ts';
import type { Assertion, Pattern } from './grep-pattern.ts';

/** Most states of the automaton; patterns with large counted repetitions of large parts pass it. */
const STATE_LIMIT = 5000;
/** Most parts that are expanded; repetitions of nothing pass it without a state. */
const PART_LIMIT = 50_000;
/** Cells of the transition table (4 bytes each) before it starts anew. */
const TABLE_CELLS = 1 << 17;
/** Instructions waiting in all states together before the states start anew: bounds the memory of large patterns. */
const WAITING_LIMIT = 1 << 20;
const LINE_FEED = 10;
const UNKNOWN = 0;
const MATCHED = -1;

type Instruction =
  | { type: 'char'; set: number; next: number }
  | { type: 'split'; next: number[] }
  | { type: 'assertion'; assertion: Assertion; next: number }
  | { type: 'match' };

/** Facts about the position between two characters. */
interface Boundary {
  atStart: boolean;
  atEnd: boolean;
  wordBefore: boolean;
  wordAfter: boolean;
}

/** A state of the lazy automaton: the instructions waiting for the next character, and what came before it. */
interface State {
  waiting: readonly number[];
  atStart: boolean;
  wordBefore: boolean;
}

/**
 * Finds the lines that match a pattern, in time linear in the text: a Thompson automaton whose deterministic states are
 * made as they are met and thrown away when there are too many. One table look-up a character. Not re-entrant.
 */
export class LineMatcher {
  readonly #program: Instruction[] = [];
  readonly #sets: CharSet[] = [];
  readonly #start: number;
  readonly #classes: CharClasses;
  #parts = 0;
  #waiting = 0;
  #states: State[] = [];
  #stateIds = new Map<string, number>();
  #table: Int32Array;

  /** @throws ServiceError `bad_argument` when the pattern is too large. */
  constructor(pattern: Pattern) {
    this.#start = this.#compile(pattern, this.#emit({ type: 'match' }));
    this.#classes = new CharClasses(this.#sets);
    this.#table = new Int32Array(this.#classes.count * 64);
    this.#reset();
  }

  /** Calls `found` with each matching line: its number from 0, its start and its end (without the line feed). */
  matchLines(text: string, report: (line: number, start: number, end: number) => void): void {
    const { ascii, count } = this.#classes;
    let line = 0;
    let lineStart = 0;
    let state = 1;
    for (let at = 0; at <= text.length; at++) {
      const unit = at < text.length ? text.charCodeAt(at) : LINE_FEED;
      const charClass = unit < 128 ? (ascii[unit] ?? 0) : this.#classes.of(unit);
      let next = this.#table[state * count + charClass] ?? UNKNOWN;
      if (next === UNKNOWN) next = this.#step(state, charClass);
      if (next === MATCHED) {
        const feed = text.indexOf('\n', at);
        at = feed === -1 ? text.length : feed;
        // The end of the text is a line only when something stands on it.
        if (lineStart < text.length || text === '') report(line, lineStart, at);
        state = 1;
      } else state = next;
      if (unit === LINE_FEED || next === MATCHED) {
        line++;
        lineStart = at + 1;
      }
    }
  }

  /** Column where the leftmost match in a matching line starts. */
  firstColumn(line: string): number {
    let threads = new Map<number, number>();
    let best = Infinity;
    for (let at = 0; at <= line.length; at++) {
      if (best === Infinity) threads.set(this.#start, Math.min(at, threads.get(this.#start) ?? at));
      const ready = new Map<number, number>();
      const boundary = boundaryIn(line, at);
      // Threads stay in order of their start, so the first to reach an instruction has the leftmost.
      for (const [instruction, start] of [...threads].toSorted(([, a], [, b]) => a - b))
        if (start < best) this.#follow(instruction, boundary, (reached) => visit(ready, reached, start));
      threads = new Map();
      for (const [reached, start] of ready) {
        const instruction = this.#program[reached];
        if (instruction?.type === 'match') best = Math.min(best, start);
        if (instruction?.type !== 'char' || start >= best) continue;
        if (at < line.length && contains(this.#sets[instruction.set] ?? [], line.charCodeAt(at)))
          visit(threads, instruction.next, start);
      }
      if (best !== Infinity && threads.size === 0) break;
    }
    return best === Infinity ? 0 : best;
  }

  #emit(instruction: Instruction): number {
    if (this.#program.length >= STATE_LIMIT) throw tooLarge();
    return this.#program.push(instruction) - 1;
  }

  /** Emits a pattern that goes on at `next`; gives where it begins. */
  #compile(pattern: Pattern, next: number): number {
    if (++this.#parts > PART_LIMIT) throw tooLarge();
    switch (pattern.type) {
      case 'char':
        return this.#emit({ type: 'char', set: this.#sets.push(pattern.set) - 1, next });
      case 'assertion':
        return this.#emit({ type: 'assertion', assertion: pattern.assertion, next });
      case 'sequence':
        return pattern.parts.reduceRight((after, part) => this.#compile(part, after), next);
      case 'choice':
        return this.#emit({ type: 'split', next: pattern.options.map((option) => this.#compile(option, next)) });
      case 'repeat':
        return this.#compileRepeat(pattern, next);
    }
  }

  #compileRepeat({ part, least, most }: Extract<Pattern, { type: 'repeat' }>, next: number): number {
    let begin = next;
    if (most === Infinity) {
      const loop: Instruction = { type: 'split', next: [next] };
      begin = this.#emit(loop);
      loop.next.push(this.#compile(part, begin));
    } else {
      for (let times = least; times < most; times++)
        begin = this.#emit({ type: 'split', next: [next, this.#compile(part, begin)] });
    }
    for (let times = 0; times < least; times++) begin = this.#compile(part, begin);
    return begin;
  }

  #reset(): void {
    this.#states = [];
    this.#stateIds.clear();
    this.#waiting = 0;
    this.#table.fill(UNKNOWN);
    // State 0 is never used, so that 0 can mean unknown; state 1 is the start of a line.
    this.#states.push({ waiting: [], atStart: true, wordBefore: false });
    this.#stateId({ waiting: [], atStart: true, wordBefore: false });
  }

  #stateId(state: State): number {
    const key = `${state.atStart ? 's' : ''}${state.wordBefore ? 'w' : ''}:${state.waiting.join(',')}`;
    const existing = this.#stateIds.get(key);
    if (existing !== undefined) return existing;
    const id = this.#states.push(state) - 1;
    this.#stateIds.set(key, id);
    this.#waiting += state.waiting.length;
    if ((id + 1) * this.#classes.count > this.#table.length) {
      const grown = new Int32Array(this.#table.length * 2);
      grown.set(this.#table);
      this.#table = grown;
    }
    return id;
  }

  /** Works out where a state goes with a character of a class: a state, or MATCHED. */
  #step(from: number, charClass: number): number {
    const state = this.#states[from];
    if (state === undefined) throw new Error(`The matcher has no state ${from}.`);
    const { sample, word } = this.#classes.about(charClass);
    const atEnd = sample === LINE_FEED;
    const { atStart, wordBefore } = state;
    const ready = new Set<number>();
    for (const instruction of [...state.waiting, this.#start])
      this.#follow(instruction, { atStart, atEnd, wordBefore, wordAfter: word }, (reached) => {
        if (ready.has(reached)) return false;
        ready.add(reached);
        return true;
      });
    const target = this.#target(ready, sample, { atEnd, word });
    // A reset forgets `from`, so its transition is only kept when the table lives on.
    if (this.#states[from] === state) this.#table[from * this.#classes.count + charClass] = target;
    return target;
  }

  #target(ready: ReadonlySet<number>, sample: number, after: { atEnd: boolean; word: boolean }): number {
    const waiting = new Set<number>();
    for (const reached of ready) {
      const instruction = this.#program[reached];
      if (instruction?.type === 'match') return MATCHED;
      if (instruction?.type === 'char' && contains(this.#sets[instruction.set] ?? [], sample))
        waiting.add(instruction.next);
    }
    if (after.atEnd) return 1;
    const full = this.#states.length * this.#classes.count >= TABLE_CELLS || this.#waiting > WAITING_LIMIT;
    if (full) this.#reset();
    return this.#stateId({
      waiting: [...waiting].toSorted((a, b) => a - b),
      atStart: false,
      wordBefore: after.word,
    });
  }

  /** Walks from an instruction to those that wait for a character, or match, as far as assertions hold at this place. */
  #follow(from: number, boundary: Boundary, reach: (instruction: number) => boolean): void {
    const stack = [from];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (!reach(at)) continue;
      const instruction = this.#program[at];
      if (instruction?.type === 'split') stack.push(...instruction.next);
      else if (instruction?.type === 'assertion' && holds(instruction.assertion, boundary))
        stack.push(instruction.next);
    }
  }
}

/** Groups characters that no set of the pattern tells apart, so that the table is small. */
class CharClasses {
  /** Class of each ASCII character. */
  readonly ascii = new Uint16Array(128);
  readonly #starts: number[];
  readonly #classOfRange: number[] = [];
  readonly #about: { sample: number; word: boolean }[] = [];

  constructor(sets: readonly CharSet[]) {
    const cuts = new Set([0, LINE_FEED, LINE_FEED + 1]);
    for (const set of [...sets, WORD_CHARS])
      for (let at = 0; at < set.length; at += 2) {
        cuts.add(set[at] ?? 0);
        cuts.add((set[at + 1] ?? 0) + 1);
      }
    this.#starts = [...cuts].toSorted((a, b) => a - b);
    const distinct = [...new Map(sets.map((set) => [set.join(), set])).values()];
    const charClasses = new Map<string, number>();
    for (const sample of this.#starts) {
      const word = contains(WORD_CHARS, sample);
      const key = `${sample === LINE_FEED}${word}${distinct.map((set) => (contains(set, sample) ? 1 : 0)).join('')}`;
      const charClass = charClasses.get(key) ?? this.#about.push({ sample, word }) - 1;
      charClasses.set(key, charClass);
      this.#classOfRange.push(charClass);
    }
    for (let unit = 0; unit < 128; unit++) this.ascii[unit] = this.of(unit);
  }

  get count(): number {
    return this.#about.length;
  }

  of(unit: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= unit) low = middle;
      else high = middle - 1;
    }
    return this.#classOfRange[low] ?? 0;
  }

  about(charClass: number): { sample: number; word: boolean } {
    return this.#about[charClass] ?? { sample: 0, word: false };
  }
}

function tooLarge(): ServiceError {
  return new ServiceError('bad_argument', 'The pattern is too large.', { fix: 'Use fewer or smaller repetitions.' });
}

function holds(assertion: Assertion, boundary: Boundary): boolean {
  switch (assertion) {
    case 'line_start':
      return boundary.atStart;
    case 'line_end':
      return boundary.atEnd;
    case 'word_boundary':
      return boundary.wordBefore !== boundary.wordAfter;
    case 'no_word_boundary':
      return boundary.wordBefore === boundary.wordAfter;
  }
}

function boundaryIn(line: string, at: number): Boundary {
  const word = (index: number): boolean => contains(WORD_CHARS, line.charCodeAt(index));
  return {
    atStart: at === 0,
    atEnd: at === line.length,
    wordBefore: at > 0 && word(at - 1),
    wordAfter: at < line.length && word(at),
  };
}

/** Notes the start under the instruction when none is there; true when it was noted. */
function visit(threads: Map<number, number>, instruction: number, start: number): boolean {
  if (threads.has(instruction)) return false;
  threads.set(instruction, start);
  return true;
}
