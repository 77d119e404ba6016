import type { Entry, Ledger } from '../ledger/ledger.ts';
import type { Paragraph, Sentence } from '../prose/prose.ts';

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
const CITATION = /\s?\[(\d+(?:,\s?\d+)*)\]/g;
const NAME = /`([^`\n]+)`/g;

/**
 * Reads what a model wrote. A sentence keeps only citations of entries of the ledger, and none of them when it names something in
 * backticks that no entry of the ledger has: the model made that up.
 */
export function readAnswer(text: string, ledger: Ledger, question: string): ReadAnswer {
  const seen = [
    question,
    ...ledger.entries.flatMap(({ text: said, title = '', path = '', id }) => [said, title, path, id]),
  ].join('\n');
  const forged: number[] = [];
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((block) => readBlock(block, (part) => readSentence(part, { ledger, seen, forged })))
    .filter(({ sentences }) => sentences.length > 0);
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

function readSentence(
  part: string,
  { ledger, seen, forged }: { ledger: Ledger; seen: string; forged: number[] },
): Sentence {
  const numbers = [...part.matchAll(CITATION)].flatMap(([, list = '']) => list.split(',').map(Number));
  const text = part.replaceAll(CITATION, '').trim();
  const entries = numbers.map((number) => ({ number, entry: ledger.get(number) }));
  forged.push(...entries.flatMap(({ number, entry }) => (entry === undefined ? [number] : [])));
  const known = [...text.matchAll(NAME)].every(([, name = '']) => isSeen(name, seen));
  const sources = known ? entries.flatMap(({ entry }): Entry[] => (entry === undefined ? [] : [entry])) : [];
  return { text, sources: [...new Set(sources)] };
}

/** Whether evidence has a name: whole, or its last part. */
function isSeen(name: string, seen: string): boolean {
  const bare = name.replace(/\(.*$/, '').trim();
  const last = bare.split(/[./#:]+/).findLast((part) => part !== '') ?? bare;
  return bare === '' || seen.includes(bare) || seen.includes(last);
}
