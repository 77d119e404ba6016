import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A place of code, as its repository has it: nested names by `/`; '' for a place outside of any symbol. */
interface GoldLocation {
  path: string;
  symbol: string;
}

/** A question about code, written by hand, and what was found by reading the sources. */
export interface GoldQuestion {
  /** `owner/name` on GitHub, and the commit that was read. */
  repository: string;
  commit: string;
  question: string;
  kind: 'how' | 'happens' | 'where' | 'value' | 'why' | 'difference' | 'change';
  /** Locations that answer the question; one of them is to lead the answer. */
  lead: GoldLocation[];
  /** Facts that an answer must state, each in one of several wordings: regular expressions, case-insensitive. */
  facts: string[][];
}

/** The questions of `questions.jsonl`, one a line. */
export function readQuestions(): GoldQuestion[] {
  const lines = readFileSync(join(import.meta.dirname, 'questions.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as GoldQuestion);
}

/** True if a location is one of those that are to lead: by file and name, and by the type around it where both have one. */
export function isLead({ lead }: Pick<GoldQuestion, 'lead'>, location: GoldLocation): boolean {
  return lead.some(({ path, symbol }) => path === location.path && isSameName(symbol, location.symbol));
}

/** Namespaces and modules around a type are no part of how people name it. */
function isSameName(expected: string, symbol: string): boolean {
  return (
    expected === symbol ||
    (expected !== '' && (symbol.endsWith(`/${expected}`) || symbol.endsWith(`/${expected.split('/').at(-1) ?? ''}`)))
  );
}
