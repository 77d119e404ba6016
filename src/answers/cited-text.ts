import { partsOf } from '../text/terms.ts';
import type { Source, Statement } from '../evidence/model/brief.ts';
import { contentTerms } from '../evidence/evidence.ts';
import type { GivenAnswer } from './model/model.ts';
import { modelText } from './model/model.ts';

/** A sentence ends at a full stop with its citations behind or before it. */
const SENTENCE = /(?<=[.!?](?:\s?\[\d+(?:,\s?\d+)*\])*)\s+(?=[\p{Lu}`"“(])/u;
const CITATION = /\s?\[(\d+(?:,\s?\d+)*)\]/g;
const NUMBER = /\d+(?:[.,]\d+)*/g;

/** Sentences of a model, checked against the sources that they cite. */
interface CheckedAnswer {
  statements: Statement[];
  /** Sentences whose citations named nothing. */
  removed: number;
  /** Sentences whose sources do not say what they say. */
  unverified: number;
}

/** Reads prose with `[n]` as sentences with their sources. */
export function readProse(text: string): GivenAnswer {
  const lines = text.split('\n').map((line) => line.trim().replace(/^(?:[-*]|\d+\.|#+)\s+/, ''));
  const sentences = lines
    .filter((line) => line !== '' && !line.startsWith('```'))
    .flatMap((line) => line.split(SENTENCE))
    .map((part) => ({
      text: part.replaceAll(CITATION, ''),
      sources: [...part.matchAll(CITATION)].flatMap(([, list = '']) => list.split(',').map(Number)),
    }));
  return { paragraphs: [{ sentences }] };
}

/**
 * Checks what a model answered. A citation of nothing is removed with its sentence; a sentence without any, or with a number
 * or a word that none of its sources has (nor the question), begins with `unverified:`. Markdown becomes plain text.
 */
export function checkAnswer(answer: GivenAnswer, sources: readonly Source[], question: string): CheckedAnswer {
  const byNumber = new Map(sources.map((source) => [source.number, source]));
  const checked: CheckedAnswer = { statements: [], removed: 0, unverified: 0 };
  for (const { text, sources: cites } of answer.paragraphs.flatMap(({ sentences }) => sentences)) {
    const cited = cites.flatMap((number) => byNumber.get(number) ?? []);
    const texts = cited.map(textOf);
    const sentence = modelText(text, texts);
    if (sentence === '') continue;
    if (cited.length < cites.length) {
      checked.removed += 1;
      continue;
    }
    const isBacked = cited.length > 0 && says(texts.join('\n'), sentence, question);
    if (!isBacked) checked.unverified += 1;
    checked.statements.push({
      sentence: isBacked ? sentence : `unverified: ${sentence}`,
      cites: [...new Set(cited.map(({ number }) => number))],
    });
  }
  return checked;
}

/** All that a source says. */
function textOf({ id, path = '', symbol = '', why, shown }: Source): string {
  return [id, path, symbol, ...why, ...shown.map(({ text }) => text)].join('\n');
}

/** True if sources have every number of a sentence, and they or the question every word that says something. */
function says(sources: string, sentence: string, question: string): boolean {
  const numbers = new Set(sources.match(NUMBER));
  if ((sentence.match(NUMBER) ?? []).some((number) => !numbers.has(number))) return false;
  const words = new Set(partsOf(`${sources} ${question}`));
  return contentTerms(sentence).every((term) => words.has(term));
}
