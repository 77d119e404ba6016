import { expect, test } from 'vitest';
import type { Counts } from './entry-terms.ts';
import { pushPosting, readPostings } from './postings.ts';

test('a posting comes back with the count of each field, and takes two bytes where the text has the term once', () => {
  const all: Counts[] = [1, 2].flatMap((text) =>
    [0, 300].flatMap((title) =>
      [0, 1].flatMap((section) => [0, 1].map((tags): Counts => [text, title, section, tags])),
    ),
  );
  const bytes: number[] = [];
  const plain: number[] = [];
  for (const [at, counts] of all.entries()) pushPosting(bytes, at * 100, counts);
  pushPosting(plain, 100, [1, 0, 0, 0]);

  const read: [number, Counts][] = [];
  readPostings(Uint8Array.from(bytes), (offset, counts) => void read.push([offset, [...counts]]));
  expect(read).toEqual(all.map((counts, at) => [at * 100, counts]));
  expect(plain).toHaveLength(2);
});
