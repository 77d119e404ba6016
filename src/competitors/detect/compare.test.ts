import { expect, test } from 'vitest';
import { blocksOfText } from '../page/page-text.ts';
import { compareBlocks, likeness, retainedShare } from './compare.ts';

const retained = (before: string, after: string): number => retainedShare(blocksOfText(before), blocksOfText(after));

test('likeness is the share of their words that two texts have in common, each word as often as both have it', () => {
  expect(likeness('send the mail', 'the mail comes back')).toBeCloseTo(4 / 7);
  expect(likeness('mail mail', 'mail')).toBeCloseTo(2 / 3);
  expect(likeness('mail', 'MAIL')).toBe(1);
  expect([likeness('mail', 'post'), likeness('', ''), likeness('', 'mail')]).toEqual([0, 0, 0]);
});

test('the share that is retained of a page counts each word as often as it is still there', () => {
  expect(retained('one two\nthree four', '# three\none')).toBe(0.5);
  expect(retained('one one one one', 'one more')).toBe(0.25);
  expect([retained('one', 'two'), retained('one two', 'two one'), retained('', 'one')]).toEqual([0, 1, 1]);
});

const differenceOf = (before: string, after: string): string[] => {
  const { added, removed } = compareBlocks(blocksOfText(before), blocksOfText(after));
  return [...added.map(({ text }) => `+${text}`), ...removed.map(({ text }) => `-${text}`)];
};

test('the same words cut into other blocks are no difference', () => {
  expect(differenceOf('one two\nthree', 'one\ntwo three')).toEqual([]);
  expect(differenceOf('one\ntwo', 'two\none\none')).toEqual(['+one']);
  expect(differenceOf('one two', 'two one')).toEqual(['+two one', '-one two']);
});
