import { expect, test } from 'vitest';
import { limitWords, MOST_WORDS } from './limit-words.ts';

const sentence = (text: string) => ({ text, sources: [] });
const words = (count: number) => sentence(Array.from({ length: count }, () => 'word').join(' '));

test('an answer ends before the sentence that has more words than are left', () => {
  const paragraphs = [
    { sentences: [sentence('Mails are sent.'), sentence('They are kept.')] },
    {
      sentences: [sentence('See also:'), sentence('a queue'), sentence('and a list of them'), sentence('b')],
      isList: true,
    },
    { sentences: [sentence('c')] },
  ];

  expect(limitWords(paragraphs, 10)).toEqual([
    paragraphs[0],
    { sentences: [sentence('See also:'), sentence('a queue')], isList: true },
  ]);
  expect(limitWords(paragraphs, 100)).toEqual(paragraphs);
});

test('the first sentence stays, and four hundred words are read', () => {
  expect(limitWords([{ sentences: [words(5), words(1)] }], 3)).toEqual([{ sentences: [words(5)] }]);
  expect(MOST_WORDS).toBe(400);
  expect(limitWords([{ sentences: [words(200), words(200), words(1)] }])).toEqual([
    { sentences: [words(200), words(200)] },
  ]);
});
