import { ServiceError } from '../../kernel/errors.ts';
import { ANY, DIGITS, foldCase, negate, propertySet, SPACES, union, WORD_CHARS, type CharSet } from './grep-charset.ts';

/** Assertion about the position between two characters. */
export type Assertion = 'line_start' | 'line_end' | 'word_boundary' | 'no_word_boundary';

/** A parsed pattern. Groups only group; lazy quantifiers are like greedy ones, because only lines are reported. */
export type Pattern =
  | { type: 'char'; set: CharSet }
  | { type: 'assertion'; assertion: Assertion }
  | { type: 'sequence'; parts: Pattern[] }
  | { type: 'choice'; options: Pattern[] }
  | { type: 'repeat'; part: Pattern; least: number; most: number };

/** The text is no regular expression; it can still be looked for as it stands. */
export class InvalidPattern extends Error {}

const REPEAT_LIMIT = 1000;
const DEPTH_LIMIT = 200;

const ESCAPED: Record<string, string> = { t: '\t', r: '\r', f: '\f', v: '\v', 0: '\0', a: '\u0007', e: '\u001b' };
const CLASSES: Record<string, CharSet> = {
  d: DIGITS,
  D: negate(DIGITS),
  w: WORD_CHARS,
  W: negate(WORD_CHARS),
  s: SPACES,
  S: negate(SPACES),
};
const ASSERTIONS: Record<string, Assertion> = {
  b: 'word_boundary',
  B: 'no_word_boundary',
  A: 'line_start',
  z: 'line_end',
  Z: 'line_end',
};

/**
 * Parses the common part of JavaScript, RE2 and Rust regular expressions, for one line at a time.
 *
 * @throws InvalidPattern when the text is no regular expression. ServiceError `bad_argument` when it is one that cannot
 * be matched in linear time or within one line: backreferences, look-around, line feeds, very large repetitions.
 */
export function parsePattern(text: string, ignoreCase: boolean): Pattern {
  return new PatternParser(text, ignoreCase).parse();
}

/** The pattern that matches the text as it stands. */
export function literalPattern(text: string, ignoreCase: boolean): Pattern {
  if (text.includes('\n')) throw refusedPattern('a line feed', 'search for one line of it');
  const parts = Array.from({ length: text.length }, (_, at) => charPattern(text.charCodeAt(at), ignoreCase));
  return { type: 'sequence', parts };
}

class PatternParser {
  readonly #text: string;
  #ignoreCase: boolean;
  #at = 0;
  #depth = 0;

  constructor(text: string, ignoreCase: boolean) {
    this.#text = text;
    this.#ignoreCase = ignoreCase;
  }

  parse(): Pattern {
    const flags = /^\(\?([a-zA-Z]+)\)/.exec(this.#text);
    if (flags !== null) {
      // Line by line, `s` and `m` change nothing.
      if (!/^[imsu]+$/.test(flags[1] ?? '')) throw new InvalidPattern('unknown flags');
      this.#ignoreCase ||= flags[1]?.includes('i') === true;
      this.#at = flags[0].length;
    }
    const pattern = this.#choice();
    if (this.#at < this.#text.length) throw new InvalidPattern('a parenthesis is closed that was not opened');
    return pattern;
  }

  #choice(): Pattern {
    if (++this.#depth > DEPTH_LIMIT)
      throw refusedPattern(`more than ${DEPTH_LIMIT} nested groups`, 'use a simpler pattern');
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    this.#depth--;
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { type: 'choice', options };
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    while (this.#at < this.#text.length && !'|)'.includes(this.#peek())) parts.push(this.#repeat(this.#atom()));
    return { type: 'sequence', parts };
  }

  #repeat(part: Pattern): Pattern {
    let result = part;
    for (let count = this.#quantifier(); count !== undefined; count = this.#quantifier()) {
      if (result.type === 'assertion') throw new InvalidPattern('nothing to repeat');
      if (Math.max(count[0], count[1] === Infinity ? 0 : count[1]) > REPEAT_LIMIT)
        throw refusedPattern(`more than ${REPEAT_LIMIT} repetitions`, 'use * or + instead');
      result = { type: 'repeat', part: result, least: count[0], most: count[1] };
    }
    return result;
  }

  /** The bounds of the quantifier here, or nothing. */
  #quantifier(): [number, number] | undefined {
    const counted = /^\{(\d+)(,?)(\d*)\}/.exec(this.#text.slice(this.#at, this.#at + 20));
    let bounds: [number, number];
    if (counted !== null) {
      const least = Number(counted[1]);
      bounds = [least, counted[2] === '' ? least : counted[3] === '' ? Infinity : Number(counted[3])];
      if (bounds[1] < bounds[0]) throw new InvalidPattern('the bounds of a repetition are in the wrong order');
      this.#at += counted[0].length;
    } else if (this.#take('*')) bounds = [0, Infinity];
    else if (this.#take('+')) bounds = [1, Infinity];
    else if (this.#take('?')) bounds = [0, 1];
    else return undefined;
    if (this.#peek() === '+') throw refusedPattern('a possessive quantifier', 'leave out the second +');
    this.#take('?');
    return bounds;
  }

  #atom(): Pattern {
    const char = this.#next();
    switch (char) {
      case '.':
        return { type: 'char', set: ANY };
      case '^':
        return { type: 'assertion', assertion: 'line_start' };
      case '$':
        return { type: 'assertion', assertion: 'line_end' };
      case '(':
        return this.#group();
      case '[':
        return { type: 'char', set: this.#class() };
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw new InvalidPattern('nothing to repeat');
      case '\n':
        throw refusedPattern('a line feed', 'search for one line of it');
      default:
        return charPattern(char.charCodeAt(0), this.#ignoreCase);
    }
  }

  #group(): Pattern {
    const head = /^\?(?:[:=!>]|<[=!]|P?<[A-Za-z_]\w*>|[imsu]+:)/.exec(this.#text.slice(this.#at, this.#at + 80))?.[0];
    if (head === undefined && this.#peek() === '?') throw new InvalidPattern('an unknown kind of group');
    if (head !== undefined && /^\?(?:[=!]|<[=!])/.test(head))
      throw refusedPattern('look-around', 'search for the main part and narrow by path');
    if (head === '?>') throw refusedPattern('an atomic group', 'use a plain group');
    this.#at += head?.length ?? 0;
    const outer = this.#ignoreCase;
    if (head !== undefined && /^\?[msu]*i[imsu]*:/.test(head)) this.#ignoreCase = true;
    const inner = this.#choice();
    this.#ignoreCase = outer;
    if (!this.#take(')')) throw new InvalidPattern('a parenthesis is not closed');
    return inner;
  }

  #escape(): Pattern {
    const char = this.#next();
    const assertion = ASSERTIONS[char];
    if (assertion !== undefined) return { type: 'assertion', assertion };
    if (/[1-9]/.test(char) || (char === 'k' && this.#peek() === '<'))
      throw refusedPattern('a backreference', 'write the text out, or search for its first part');
    const set = this.#escapedSet(char);
    return { type: 'char', set: this.#ignoreCase ? foldCase(set) : set };
  }

  /** The set that stands behind a backslash, in a class or outside. */
  #escapedSet(char: string): CharSet {
    const charClass = CLASSES[char];
    if (charClass !== undefined) return charClass;
    if (char === 'p' || char === 'P') return this.#property(char === 'P');
    if (char === 'n') throw refusedPattern('a line feed', 'search for one line of it');
    const unit = this.#escapedUnit(char);
    return [unit, unit];
  }

  #escapedUnit(char: string): number {
    const code = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|[ux]\{([0-9a-fA-F]{1,4})\})/.exec(
      char + this.#text.slice(this.#at, this.#at + 8),
    );
    if (code !== null) {
      this.#at += code[0].length - 1;
      return Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16);
    }
    const escaped = ESCAPED[char];
    if (escaped === undefined && /[A-Za-z]/.test(char)) throw new InvalidPattern(`\\${char} has no meaning`);
    return (escaped ?? char).charCodeAt(0);
  }

  #property(negated: boolean): CharSet {
    const name = /^(?:\{([\w=]+)\}|([A-Z]))/.exec(this.#text.slice(this.#at));
    const set = name === null ? undefined : propertySet(name[1] ?? name[2] ?? '');
    if (name === null || set === undefined) throw new InvalidPattern('an unknown Unicode property');
    this.#at += name[0].length;
    return negated ? negate(set) : set;
  }

  #class(): CharSet {
    const negated = this.#take('^');
    const sets: CharSet[] = [];
    for (let first = true; first || this.#peek() !== ']'; first = false) {
      const from = this.#classPart();
      if (this.#peek() !== '-' || this.#text[this.#at + 1] === ']' || from.length !== 2 || from[0] !== from[1]) {
        sets.push(from);
        continue;
      }
      this.#at++;
      const to = this.#classPart();
      const [low = 0, high = 0] = [from[0], to[1]];
      if (to.length !== 2 || high < low) throw new InvalidPattern('a range is in the wrong order');
      sets.push([low, high]);
    }
    this.#at++;
    const set = this.#ignoreCase ? foldCase(union(sets)) : union(sets);
    return negated ? negate(set) : set;
  }

  #classPart(): CharSet {
    const named = /^\[:(alpha|digit|alnum|upper|lower|space|punct|word):\]/.exec(
      this.#text.slice(this.#at, this.#at + 12),
    );
    if (named !== null) {
      this.#at += named[0].length;
      return POSIX[named[1] ?? ''] ?? [];
    }
    const char = this.#next();
    if (char === '\\') {
      const escaped = this.#next();
      return escaped === 'b' ? [8, 8] : this.#escapedSet(escaped);
    }
    return [char.charCodeAt(0), char.charCodeAt(0)];
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #next(): string {
    const char = this.#text[this.#at++];
    if (char === undefined) throw new InvalidPattern('the pattern ends too early');
    return char;
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }
}

const POSIX: Record<string, CharSet> = {
  alpha: [65, 90, 97, 122],
  digit: DIGITS,
  alnum: [48, 57, 65, 90, 97, 122],
  upper: [65, 90],
  lower: [97, 122],
  space: [9, 9, 11, 13, 32, 32],
  punct: [33, 47, 58, 64, 91, 96, 123, 126],
  word: WORD_CHARS,
};

function charPattern(unit: number, ignoreCase: boolean): Pattern {
  return { type: 'char', set: ignoreCase ? foldCase([unit, unit]) : [unit, unit] };
}

function refusedPattern(what: string, instead: string): ServiceError {
  return new ServiceError(
    'bad_argument',
    `The pattern has ${what}, which grep cannot match line by line in linear time.`,
    {
      fix: `Without it, ${instead}.`,
    },
  );
}
