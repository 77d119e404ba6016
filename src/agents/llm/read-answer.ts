import type { Entry, Ledger } from '../ledger/ledger.ts';
import { CODE_SPAN } from '../../kernel/code-span.ts';
import type { Paragraph, Sentence } from '../prose/prose.ts';
import type { GivenAnswer } from '../../answers/model/model.ts';
import { modelText } from '../../answers/model/model.ts';

/** The words of a model as sentences with the entries that they cite. */
interface ReadAnswer {
  paragraphs: Paragraph[];
  /** Sentences that cite something there is, and all that say something. */
  cited: number;
  sentences: number;
  /** Numbers that nothing has. */
  forged: number[];
}

/** A sentence ends at a full stop with its citations behind or before it. */
const SENTENCE = /(?<=[.!?](?:\s?\[\d+(?:,\s?\d+)*\])*)\s+(?=[\p{Lu}`"“(])/u;
/** Numbers in brackets; in code, which is matched first, they are part of it: `argv[2]`. */
const CITATION = new RegExp(String.raw`${CODE_SPAN.source}|\s?\[(\d+(?:,\s?\d+)*)\]`, 'g');

/** Reads the answer that a model gave by calling `answer`, by the rule of `readProse`. */
export function readGiven({ paragraphs }: GivenAnswer, ledger: Ledger, question: string): ReadAnswer {
  const rule = citationRule(ledger, question);
  const read = paragraphs.map(({ sentences, is_list: isList = false }) => ({
    isList,
    sentences: sentences
      .map(({ text, sources }) => readSentence(sources.length === 0 ? text : `${text} [${sources.join(', ')}]`, rule))
      .filter(({ text }) => text !== ''),
  }));
  return countCited(read, rule);
}

/**
 * Reads what a model wrote. A sentence keeps only citations of entries of the ledger, and none of them when it names something in
 * backticks that no entry of the ledger has: the model made that up.
 */
export function readProse(text: string, ledger: Ledger, question: string): ReadAnswer {
  const rule = citationRule(ledger, question);
  const blocks = text.split(/\n\s*\n/).map((block) => readBlock(block, (part) => readSentence(part, rule)));
  return countCited(blocks, rule);
}

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

function countCited(blocks: readonly Paragraph[], { forged }: CitationRule): ReadAnswer {
  const paragraphs = blocks.filter(({ sentences }) => sentences.length > 0);
  const all = paragraphs.flatMap(({ sentences }) => sentences).filter((sentence) => !sentence.text.endsWith(':'));
  const cited = all.filter(({ sources }) => sources.length > 0).length;
  return { paragraphs, cited, sentences: all.length, forged };
}

function readBlock(block: string, read: (text: string) => Sentence): Paragraph {
  const lines = block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^#+\s|^```/.test(line));
  const isList = lines.some((line) => /^(?:[-*]|\d+\.)\s/.test(line));
  const parts = isList ? lines : lines.join(' ').split(SENTENCE);
  return {
    isList,
    sentences: parts.map((part) => read(part.replace(/^(?:[-*]|\d+\.)\s+/, ''))).filter(({ text }) => text !== ''),
  };
}

/** A sentence with its `[n]` as one with the entries that it cites; what it cites and nothing has is noted in the rule. */
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
