import { expect, test } from 'vitest';
import { type Duplicate, findDuplicates } from './duplicates.ts';

/** A fingerprint: its hash, its token and its line. */
type Print = readonly [hash: number, token: number, line: number];

/** Fingerprints of files, of which each is followed by a row of none, as an index has them. */
function find(files: readonly (readonly Print[])[], leastTokens = 50, mostRuns?: number) {
  const rows = files.flatMap((prints, file) => [...prints.map((print) => ({ file, print })), undefined]);
  const column = (valueOf: (print: Print) => number): Int32Array =>
    Int32Array.from(rows, (row) => (row === undefined ? 0 : valueOf(row.print)));
  return findDuplicates(
    {
      count: rows.length,
      files: Int32Array.from(rows, (row) => row?.file ?? -1),
      hashes: column(([hash]) => hash),
      tokens: column(([, token]) => token),
      lines: column(([, , line]) => line),
      endLines: column(([, , line]) => line + 1),
    },
    leastTokens,
    mostRuns,
  );
}

/** Fingerprints with these hashes, each 20 tokens and 4 lines after the one before, from a line on. */
const run = (hashes: readonly number[], line = 1): Print[] =>
  hashes.map((hash, at) => [hash, at * 20, line + at * 4] as const);
const shown = ({ block, copy, tokens }: Duplicate): string =>
  `${block.file}:${block.line}-${block.end} ${copy.file}:${copy.line}-${copy.end} ${tokens}`;

test('a copy goes from the first to the last fingerprint that both places have, and is found once', () => {
  const { duplicates, isCut } = find([run([7, 1, 2, 3, 8]), run([1, 2, 3, 9])]);

  expect(duplicates.map(shown)).toEqual(['0:5-14 1:1-10 60']);
  expect(isCut).toBe(false);
  expect(find([run([1, 2, 3]), run([1, 2, 3])], 60).duplicates).toHaveLength(1);
  expect(find([run([1, 2, 3]), run([1, 2, 3])], 61).duplicates).toEqual([]);
  expect(find([run([1, 2]), run([3, 4])]).duplicates).toEqual([]);
  // The end of a file ends a copy.
  expect(find([run([1, 2]), run([3]), run([1, 2]), run([3])], 20).duplicates.map(shown)).toEqual(['0:1-6 2:1-6 40']);
});

test('the longest copies come first, those of one length by file and line', () => {
  const files = [
    [...run([5, 6]), ...run([1, 2], 20), ...run([9], 40)],
    run([1, 2]),
    [...run([5, 6]), ...run([9], 40)],
    run([11, 12, 13]),
    run([11, 12, 13]),
  ];

  expect(find(files, 40).duplicates.map(shown)).toEqual(['3:1-10 4:1-10 60', '0:1-6 2:1-6 40', '0:20-25 1:1-6 40']);
});

const findBoth = (line: number): string[] => find([[...run([1, 2]), ...run([1, 2], line)]], 40).duplicates.map(shown);

test('two places in one file that share a line are no copies of each other', () => {
  expect(findBoth(6)).toEqual([]);
  expect(findBoth(7)).toEqual(['0:1-6 0:7-12 40']);
});

test('of more runs than are looked at the longest half goes on, and shorter ones are left out', () => {
  const two = [run([1, 2]), run([1, 2]), run([3, 4, 5]), run([3, 4, 5])];
  const four = [...two, run([6, 7, 8, 9]), run([6, 7, 8, 9]), run([10, 11]), run([10, 11])];

  expect(find(two, 40, 2)).toMatchObject({ isCut: false, duplicates: [{ tokens: 60 }, { tokens: 40 }] });
  expect(find(four, 40, 2)).toMatchObject({ isCut: true, duplicates: [{ tokens: 80 }] });
});

/** The duplicates of so many equal places with two fingerprints, of so many lines together. */
function copies(places: number, lines: number): Duplicate[] {
  return find(Array.from({ length: places }, (): Print[] => run([1]).concat([[2, 100, lines - 1]]))).duplicates;
}

test('a copy has six lines at least, and what stands in more than thirty places is boilerplate', () => {
  expect(copies(2, 5)).toEqual([]);
  expect(copies(2, 6)).toMatchObject([{ block: { file: 0, line: 1, end: 6 }, copy: { file: 1, line: 1, end: 6 } }]);
  expect(copies(30, 6)).toHaveLength(29);
  expect(copies(31, 6)).toEqual([]);
});
