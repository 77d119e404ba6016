import { type IndentUnit, indentUnits, isUnit, type Line, linesOf } from './indent-units.ts';

/** Token of a text for a reader that knows no language: a word, a literal, a mark, or brackets with what they enclose. */
interface Token extends Line {
  /** Tokens that brackets enclose. */
  inside?: Token[];
}

/** A part of a text, and what is written in its place. */
interface Cut {
  range: Line;
  filling: '' | '0';
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`|[\p{L}\p{N}_$@]+|\S/gu;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** A longer run of tokens is no slip of the grammar: the whole is given up. */
const LONGEST_RUN = 8;
/** More tokens side by side are too many to try all runs of them. */
const MOST_TOKENS = 60;

/**
 * The smallest run of tokens without which a text is understood, inside of as many brackets as possible. A run stands
 * between other tokens of its own brackets, so that all that is left has its brackets. Undefined when none is short.
 *
 * `isUnderstood` is asked for runs in ascending length, at most 16 times for each token.
 */
function narrowDown(text: string, range: Line, isUnderstood: (cut: Cut) => boolean): Cut | undefined {
  return narrowIn(tokensOf(text, range), isUnderstood);
}

function narrowIn(tokens: readonly Token[], isUnderstood: (cut: Cut) => boolean): Cut | undefined {
  if (tokens.length > MOST_TOKENS) return undefined;
  for (const { start, end, inside = [] } of tokens) {
    if (inside.length === 0) continue;
    const range = { start: start + 1, end: end - 1 };
    for (const filling of ['', '0'] as const)
      if (isUnderstood({ range, filling })) return narrowIn(inside, isUnderstood) ?? { range, filling };
  }
  const longest = Math.min(LONGEST_RUN, tokens.length - 1);
  for (let length = 1; length <= longest; length += 1)
    for (let first = 0; first + length <= tokens.length; first += 1) {
      const range = { start: tokens[first]?.start ?? 0, end: tokens[first + length - 1]?.end ?? 0 };
      for (const filling of ['', '0'] as const) if (isUnderstood({ range, filling })) return { range, filling };
    }
  return undefined;
}

/** The tokens of a range, those in brackets inside of them. A bracket without its partner is a mark. */
function tokensOf(text: string, { start, end }: Line): Token[] {
  const open: { token: Token; outer: Token[]; closing: string }[] = [];
  let tokens: Token[] = [];
  for (const { 0: word, index } of text.slice(start, end).matchAll(TOKEN)) {
    const token: Token = { start: start + index, end: start + index + word.length };
    const closing = CLOSING[word];
    const last = open.at(-1);
    if (closing !== undefined) {
      token.inside = [];
      tokens.push(token);
      open.push({ token, outer: tokens, closing });
      tokens = token.inside;
    } else if (last !== undefined && word === last.closing) {
      last.token.end = token.end;
      tokens = last.outer;
      open.pop();
    } else tokens.push(token);
  }
  for (const { token, outer } of open.toReversed()) {
    outer.push(...(token.inside ?? []));
    delete token.inside;
  }
  return open[0]?.outer ?? tokens;
}

/** Part of a text that a grammar does not understand: some lines, or parts of lines. */
interface Culprit {
  lines: readonly Line[];
  /** Something must stand there for the rest to be understood: the value behind a `=`. */
  isNeeded: boolean;
}

/** Units up to this many lines are given up as a whole when their first line is at fault; of longer ones the inside is read. */
const SMALL_UNIT_LINES = 25;
/** Most characters that are tried: so many times the text, and at least so many. */
const TRIED_TIMES = 16;
const TRIED_TIMES_BRIEFLY = 4;
const TRIED_AT_LEAST = 50_000;
const MOST_CULPRITS = 40;
/** Characters that are tried to make culprits smaller than their lines: of one of them, and as many times the text. */
const TRIED_TO_NARROW = 30_000;
const NARROWED_TIMES = 4;

/** Something that stands for an expression and for a statement in most grammars. */
const PLACEHOLDER = '0';

/** A unit that is kept around what is tried: which of its units is gone on in, none for those that are tried themselves. */
interface Shell {
  unit: IndentUnit;
  at?: IndentUnit;
}

/** Units that are tried, in the shells around them. */
interface Trial {
  shells: readonly Shell[];
  units: readonly IndentUnit[];
  /** Replacement of their inside. */
  inside?: '' | typeof PLACEHOLDER;
}

interface Search {
  text: string;
  isUnderstood: (text: string) => boolean;
  /** Characters that may still be tried, and to make culprits smaller. */
  remaining: number;
  narrowing: number;
  culprits: Culprit[];
}

/**
 * The smallest parts of a text that a grammar does not understand, each alone inside of the lines around it. A parser
 * that meets one may lose everything behind; without them it reads the rest.
 *
 * Parts are what the indentation shows. For each culprit about log2 of the lines are tried, of shrinking length, and no
 * more than 16 times the text in all: what is not found by then stays. A text with more than 40 is not worth it, or has
 * macros everywhere: the search ends. `isBrief` tries a quarter, and leaves out whole lines.
 */
export function findCulprits(text: string, isUnderstood: (text: string) => boolean, isBrief = false): Culprit[] {
  const remaining = Math.max(TRIED_AT_LEAST, text.length * (isBrief ? TRIED_TIMES_BRIEFLY : TRIED_TIMES));
  const narrowing = isBrief ? 0 : Math.max(TRIED_AT_LEAST, text.length * NARROWED_TIMES);
  const search: Search = { text, isUnderstood, remaining, narrowing, culprits: [] };
  // Two lines that are at fault only together may be parted by the search: it is made again without what was found.
  for (let before = -1; before < search.culprits.length && search.remaining > 0;) {
    before = search.culprits.length;
    search.text = withoutCulprits(text, search.culprits);
    blame(search, { shells: [], units: indentUnits(search.text) }, false);
  }
  return search.culprits;
}

/** A text with blanks instead of culprits, as long as before. */
export function withoutCulprits(text: string, culprits: readonly Culprit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { lines, isNeeded } of culprits.toSorted((a, b) => (a.lines[0]?.start ?? 0) - (b.lines[0]?.start ?? 0))) {
    for (const [index, { start, end }] of lines.entries()) {
      const line = text.slice(start, end);
      const [indent = ''] = /^\s*/.exec(line) ?? [];
      const filling = indent + (isNeeded && index === 0 ? PLACEHOLDER : '');
      pieces.push(text.slice(at, start), filling.padEnd(line.length));
      at = end;
    }
  }
  return pieces.join('') + text.slice(at);
}

/** Blames units that are side by side; nothing when they are understood. */
function blame(search: Search, { shells, units }: Trial, isNeeded: boolean): void {
  if (units.length === 0 || isFine(search, { shells, units })) return;
  const [unit] = units;
  if (units.length === 1 && unit !== undefined) {
    blameOne(search, shells, unit, isNeeded);
    return;
  }
  const before = search.culprits.length;
  const middle = units.length >> 1;
  blame(search, { shells, units: units.slice(0, middle) }, isNeeded);
  blame(search, { shells, units: units.slice(middle) }, isNeeded);
  if (search.culprits.length === before) giveUp(search, shells, blameTogether(search, { shells, units }), isNeeded);
}

/** Blames a unit that is not understood, or what of its inside is not. */
function blameOne(search: Search, shells: readonly Shell[], unit: IndentUnit, isNeeded: boolean): void {
  const units = unit.parts.filter(isUnit);
  const before = search.culprits.length;
  const last = shells.at(-1);
  const outerShells = last === undefined ? [] : [...shells.slice(0, -1), { ...last, at: unit }];
  if (units.length > 0) {
    const inside = { shells: [...outerShells, { unit }], units };
    if (isFine(search, { shells, units: [unit], inside: '' })) blame(search, inside, false);
    else if (isFine(search, { shells, units: [unit], inside: PLACEHOLDER })) blame(search, inside, true);
    // Its first lines are at fault: what they hold is read as if it stood beside them.
    else if (linesOf(unit).length > SMALL_UNIT_LINES) blame(search, { shells: outerShells, units }, false);
  }
  if (search.culprits.length === before) giveUp(search, shells, [unit], isNeeded);
}

/** The fewest of units side by side that are not understood together. */
function blameTogether(search: Search, { shells, units }: Trial): readonly IndentUnit[] {
  const isEnough = (some: readonly IndentUnit[]): boolean => !isFine(search, { shells, units: some });
  let [first, last] = [0, units.length];
  while (last - first > 1 && isEnough(units.slice(first + 1, last))) first += 1;
  while (last - first > 1 && isEnough(units.slice(first, last - 1))) last -= 1;
  return units.slice(first, last);
}

function giveUp(search: Search, shells: readonly Shell[], units: readonly IndentUnit[], isNeeded: boolean): void {
  const lines = units.flatMap(linesOf);
  const [first, last] = [lines[0], lines.at(-1)];
  if (lines.length > SMALL_UNIT_LINES || first === undefined || last === undefined) return;
  const cut = narrowDown(
    search.text,
    { start: first.start, end: last.end },
    createTrialTest(search, { shells, units }),
  );
  search.culprits.push(cut === undefined ? { lines, isNeeded } : culpritOf(search.text, cut));
}

/** Returns the test of whether units are understood without a part of them. A trial beyond the limit counts as not understood. */
function createTrialTest(search: Search, trial: Trial): (cut: Cut) => boolean {
  const { text, isUnderstood } = search;
  const least = search.narrowing - Math.min(search.narrowing, TRIED_TO_NARROW);
  return (cut) => {
    if (search.narrowing <= least) return false;
    const written: string[] = [];
    writeShells(withoutCulprits(text, [culpritOf(text, cut)]), trial, 0, written);
    const tried = `${written.join('\n')}\n`;
    search.narrowing -= tried.length;
    return isUnderstood(tried);
  };
}

/** The lines of a part of a text. */
function culpritOf(text: string, { range: { start, end }, filling }: Cut): Culprit {
  const lines: Line[] = [];
  for (let from = start; from < end;) {
    const next = text.indexOf('\n', from);
    const to = next === -1 || next > end ? end : next;
    if (to > from) lines.push({ start: from, end: to });
    from = to + 1;
  }
  return { lines, isNeeded: filling !== '' };
}

/** True if the units of a trial are understood. A trial beyond the limit counts as understood. */
function isFine(search: Search, trial: Trial): boolean {
  if (search.remaining <= 0 || search.culprits.length > MOST_CULPRITS) return true;
  const written: string[] = [];
  writeShells(search.text, trial, 0, written);
  const text = `${written.join('\n')}\n`;
  search.remaining -= text.length;
  return search.isUnderstood(text);
}

function writeShells(text: string, trial: Trial, depth: number, written: string[]): void {
  const shell = trial.shells[depth];
  if (shell === undefined) {
    for (const unit of trial.units) writeUnit(text, unit, trial.inside, written);
    return;
  }
  for (const part of shell.unit.parts) {
    if (!isUnit(part)) written.push(text.slice(part.start, part.end));
    else if (part === shell.at) writeShells(text, trial, depth + 1, written);
    else if (shell.at === undefined && trial.units.includes(part)) writeUnit(text, part, trial.inside, written);
  }
}

function writeUnit(text: string, unit: IndentUnit, inside: Trial['inside'], written: string[]): void {
  for (const part of unit.parts) {
    if (!isUnit(part)) written.push(text.slice(part.start, part.end));
    else if (inside === undefined) writeUnit(text, part, inside, written);
    else if (written.at(-1) !== inside) written.push(inside);
  }
}
