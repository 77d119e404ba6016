import type { Entry, Ledger } from '../ledger/ledger.ts';
import { CODE_SPAN } from '../../kernel/code-span.ts';
import type { Sentence } from '../prose/prose.ts';
import { modelText } from '../../answers/model/model.ts';

/** Numbers in brackets; in code, which is matched first, they are part of it: `argv[2]`. */
const CITATION = new RegExp(String.raw`${CODE_SPAN.source}|\s?\[(\d+(?:,\s?\d+)*)\]`, 'g');

/** What citations are checked against, and those that failed. */
interface CitationRule {
  ledger: Ledger;
  /** All that a name in backticks may be taken from. */
  seen: string;
  forged: number[];
}

/** The rule for sentences about a question and what its ledger has. */
export function citationRule(ledger: Ledger, question: string): CitationRule {
  return { ledger, seen: [question, ...ledger.entries.flatMap(textsOf)].join('\n'), forged: [] };
}

/**
 * A sentence with its `[n]` as one with the entries that it cites; numbers that nothing has are added to the rule. It has no
 * citation when it names something in backticks that no entry of the ledger has: the model made that up.
 */
export function readSentence(part: string, { ledger, seen, forged }: CitationRule): Sentence {
  const numbers = [...part.matchAll(CITATION)].flatMap(([, , , list]) => list?.split(',').map(Number) ?? []);
  const written = part.replaceAll(CITATION, (found, ...[, , list]) => (list === undefined ? found : '')).trim();
  const entries = numbers.map((number) => ({ number, entry: ledger.get(number) }));
  forged.push(...entries.flatMap(({ number, entry }) => (entry === undefined ? [number] : [])));
  const known = [...written.matchAll(CODE_SPAN)].every(([, , name = '']) => isSeen(name, seen));
  const sources = known ? entries.flatMap(({ entry }): Entry[] => (entry === undefined ? [] : [entry])) : [];
  return { text: modelText(written, sources.flatMap(textsOf)), sources: [...new Set(sources)] };
}

/** All that a piece of evidence says. */
export function textsOf({ text, title = '', path = '', id }: Entry): string[] {
  return [text, title, path, id];
}

/** Whether evidence has a name: whole, or its last part. */
function isSeen(name: string, seen: string): boolean {
  const bare = name.replace(/\(.*$/, '').trim();
  const last = bare.split(/[./#:]+/).findLast((part) => part !== '') ?? bare;
  return bare === '' || seen.includes(bare) || seen.includes(last);
}
