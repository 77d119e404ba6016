import { expect, test } from 'vitest';
import { termsOf } from '../../text/terms.ts';
import { similarities, WORD_VECTORS, WordVectors } from './word-vectors.ts';

/** Two terms in two dimensions: a question's `fast` is the `quick` of code, its `slow` stands across. */
const SMALL = new WordVectors({
  dimensions: 2,
  terms: 'fast\nquick\nslow',
  idf: '1 1 2',
  question: Buffer.from(Int8Array.of(100, 0, 0, 0, 0, 100).buffer).toString('base64'),
  code: Buffer.from(Int8Array.of(0, 0, 50, 0, 0, 50).buffer).toString('base64'),
});

const code = (terms: readonly number[]): { text: Map<number, number>; name: number[]; context: number[] } => ({
  text: new Map(terms.map((row) => [row, 1])),
  name: [],
  context: [],
});

test('a question meets the code that says the same in other words', () => {
  const question = SMALL.ofQuestion(['fast']);
  const quick = SMALL.ofCode(code([1]));
  const slow = SMALL.ofCode(code([2]));

  expect([...quick, ...slow]).toEqual([127, 0, 0, 127]);
  expect([...similarities(question ?? new Float32Array(2), Int8Array.of(...quick, ...slow))]).toEqual([1, 0]);
});

test('a few words of code are near to a question that means the same, and unknown ones are not', () => {
  const question = SMALL.ofQuestion(['fast']) ?? new Float32Array(2);

  expect(SMALL.nearness(question, ['quick'])).toBe(1);
  expect(SMALL.nearness(question, ['slow'])).toBe(0);
  expect(SMALL.nearness(question, ['quick', 'slow', 'slow'])).toBeCloseTo(1 / Math.sqrt(5), 5);
  expect(SMALL.nearness(question, ['unheard'])).toBe(0);
});

test('rare terms weigh more, and repeated ones a little more', () => {
  const [common = 0, rare = 0] = SMALL.ofQuestion(['fast', 'slow']) ?? [];
  const [repeated = 0] = SMALL.ofQuestion(['fast', 'fast', 'fast', 'slow']) ?? [];

  expect(rare).toBeCloseTo(2 * common, 5);
  expect(repeated).toBeGreaterThan(common);
});

test('what holds no known term has no direction', () => {
  expect(SMALL.ofQuestion(['unheard'])).toBeUndefined();
  expect([...SMALL.ofCode(code([]))]).toEqual([0, 0]);
});

test('the encoder of this build knows words that mean the same', () => {
  const rows = new Map(WORD_VECTORS.terms.map((term, row) => [term, row]));
  const near = (question: string, words: string): number => {
    const rowIds = termsOf(words).map((term) => rows.get(term) ?? -1);
    expect(rowIds).not.toContain(-1);
    const questionVector = WORD_VECTORS.ofQuestion(termsOf(question)) ?? new Float32Array(WORD_VECTORS.dimensions);
    return similarities(questionVector, WORD_VECTORS.ofCode(code(rowIds)))[0] ?? 0;
  };

  expect(near('delete the entry', 'remove')).toBeGreaterThan(near('delete the entry', 'add'));
  expect(near('whether it is permitted', 'allow')).toBeGreaterThan(near('whether it is permitted', 'write'));
});
