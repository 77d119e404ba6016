import { DefinitionKind, type FileFacts } from '../facts/facts.ts';
import { lineOf } from '../facts/lines.ts';
import { findCulprits, withoutCulprits } from './blame.ts';
import type { SyntaxTree } from './tree.ts';
import { ParseLimitError, type ParserHost, type TreeExtractor, type TreeParser } from './trees.ts';

/** Kinds whose braces hold members. */
const TYPES: ReadonlySet<number> = new Set([
  DefinitionKind.class,
  DefinitionKind.interface,
  DefinitionKind.struct,
  DefinitionKind.trait,
  DefinitionKind.enum,
  DefinitionKind.module,
]);

/**
 * Signs in the layout that a text with errors was read apart, as a number: types in braces that end on a line deeper than
 * the one they start on, so that a bracket of a member closed them, and definitions outside of all types that are
 * indented as members of the type before them.
 */
function countFaults(text: string, { definitions, lines }: Pick<FileFacts, 'definitions' | 'lines'>): number {
  let faults = 0;
  let type: { indent: number; member: number; end: number } | undefined;
  for (let row = 0; row < definitions.count; row += 1) {
    const [start, end] = [definitions.start(row), definitions.end(row)];
    if (definitions.nameStart(row) < 0 || definitions.kind(row) >= DefinitionKind.parameter) continue;
    const first = lineOf(lines, start);
    const indent = indentOf(text, lines[first] ?? 0);
    if (type !== undefined && start < type.end)
      type.member = type.member === -1 && indent > type.indent ? indent : type.member;
    else if (type !== undefined && definitions.owner(row) === -1 && indent > type.indent && indent === type.member)
      faults += 1;
    if (!TYPES.has(definitions.kind(row)) || definitions.owner(row) !== -1) continue;
    const last = lineOf(lines, Math.max(start, end - 1));
    if (text[end - 1] === '}' && last > first && indentOf(text, lines[last] ?? 0) > indent) faults += 1;
    if (last > first) type = { indent, member: -1, end };
  }
  return faults;
}

function indentOf(text: string, lineStart: number): number {
  let at = lineStart;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at - lineStart;
}

/**
 * The facts of a text. One that the grammar cannot read whole is read again without what it does not understand, and
 * that reading is taken unless it lacks something that the first had. What was left out is among the broken lines.
 *
 * @throws ParseLimitError when the text itself takes too long, or too much memory.
 */
export function extractRecovering(host: ParserHost, extractor: TreeExtractor, text: string): FileFacts {
  const facts = extractor.extract(host, text);
  if (facts.errors === 0) return facts;
  const faults = countFaults(text, facts);
  // Of a preprocessor's macros errors are everywhere and mean little, unless something came apart.
  if (extractor.hasPreprocessor === true && faults === 0) return facts;
  try {
    const recovered = extractor.extract(recoveringParser(host, extractor), text);
    return isBetter({ facts: recovered, faults: countFaults(text, recovered) }, { facts, faults }) ? recovered : facts;
  } catch (error) {
    if (error instanceof ParseLimitError) return facts;
    throw error;
  }
}

interface Reading {
  facts: FileFacts;
  faults: number;
}

/** True if a reading knows more than another and lacks nothing, or puts right what came apart and lacks no more than it adds. */
function isBetter(reading: Reading, other: Reading): boolean {
  if (reading.facts.errors === 0) return true;
  const [symbols, others] = [symbolsOf(reading.facts), symbolsOf(other.facts)];
  const gained = [...symbols].filter((start) => !others.has(start)).length;
  const lost = [...others].filter((start) => !symbols.has(start));
  const mended = other.faults - reading.faults;
  if (lost.length > 0) {
    const isReported = lost.every((start) => isBroken(reading.facts, start));
    return (mended > 0 && (isReported || gained >= lost.length)) || (isReported && gained > lost.length);
  }
  if (mended !== 0) return mended > 0;
  const lines = linesIn(other.facts.broken) - linesIn(reading.facts.broken);
  return gained > 0 || lines > 0 || (lines === 0 && reading.facts.errors < other.facts.errors);
}

/** Returns the starts of the names of symbols. */
function symbolsOf({ definitions }: FileFacts): ReadonlySet<number> {
  const starts = new Set<number>();
  for (let row = 0; row < definitions.count; row += 1)
    if (definitions.kind(row) < DefinitionKind.parameter) starts.add(definitions.nameStart(row));
  return starts;
}

/** True if an offset is on one of the lines that are reported as not read. */
function isBroken({ broken, lines }: FileFacts, offset: number): boolean {
  const line = lineOf(lines, offset) + 1;
  return broken.some((first, index) => index % 2 === 0 && first <= line && line <= (broken[index + 1] ?? first));
}

function linesIn(pairs: Int32Array): number {
  return pairs.reduce((sum, line, index) => sum + (index % 2 === 0 ? 1 - line : line), 0);
}

/** A parser that leaves out what its grammar does not understand. */
function recoveringParser(host: ParserHost, { rewrite, hasPreprocessor }: TreeExtractor): TreeParser {
  return {
    leavesOut: true,
    parse: (name, text) => {
      const rewritten = rewrite?.(text) ?? text;
      const tree = host.parse(name, rewritten);
      if (tree.errors === 0) return { ...tree, text };
      const culprits = findCulprits(rewritten, (part) => host.parse(name, part).errors === 0, hasPreprocessor);
      const read = host.parse(name, withoutCulprits(rewritten, culprits));
      const cuts = culprits.flatMap(({ lines }) => [lines[0]?.start ?? 0, lines.at(-1)?.end ?? 0]);
      dropKinds(read, cuts);
      return { ...read, text, errors: read.errors + culprits.length, cuts };
    },
  };
}

/** Clears the kinds of the nodes in some ranges: what stands for something omitted means nothing. */
function dropKinds({ kind, start, end, count }: SyntaxTree, ranges: readonly number[]): void {
  for (let range = 0; range < ranges.length; range += 2) {
    const [from = 0, to = 0] = ranges.slice(range, range + 2);
    for (let node = 1; node <= count; node += 1)
      if ((start[node] ?? 0) >= from && (end[node] ?? 0) <= to) kind[node] = 0;
  }
}
