import { expect, test } from 'vitest';
import {
  type FileColumns,
  FUNCTION_FEATURES,
  type FunctionColumns,
  type FunctionFeature,
  joinRanks,
  scoreFilesByFormula,
  scoreFunctions,
  scoreFunctionTexts,
  TEXT_FEATURES,
  type TextFeature,
} from './rank-functions.ts';

type FunctionRow = Partial<Record<FunctionFeature | 'file' | 'length', number>>;
type FileRow = Partial<Record<TextFeature | 'stated', number>>;

function functionsOf(rows: readonly FunctionRow[]): FunctionColumns {
  const column = (name: keyof FunctionRow): Float32Array => Float32Array.from(rows, (row) => row[name] ?? 0);
  const features = Object.fromEntries(FUNCTION_FEATURES.map((name) => [name, column(name)]));
  return {
    ...(features as Record<FunctionFeature, Float32Array>),
    file: Int32Array.from(rows, ({ file = 0 }) => file),
    length: column('length'),
  };
}

function filesOf(rows: readonly FileRow[]): FileColumns {
  const names = [...TEXT_FEATURES, 'stated'] as const;
  const columns = names.map((name) => [name, Float32Array.from(rows, (row) => row[name] ?? 0)]);
  return Object.fromEntries(columns) as FileColumns;
}

const ownScore = (row: FunctionRow): number => scoreFunctionTexts(functionsOf([row]))[0] ?? 0;

test('a function is scored by its whole text first, then its name, its best lines and whether it is named', () => {
  const scores = FUNCTION_FEATURES.map((name) => [name, Number(ownScore({ [name]: 1 }).toFixed(2))]);

  expect(Object.fromEntries(scores)).toEqual({
    words: 2,
    name: 0.5,
    lines: 0.6,
    named: 0.6,
    literal: 1.5,
    frame: 7,
  });
});

test('a frame counts more than all words, and the second one of a trace half as much', () => {
  const words = ownScore({ words: 1, name: 1, lines: 1, named: 1 });

  expect(ownScore({ frame: 1 })).toBeGreaterThan(words);
  expect(ownScore({ frame: 1 / 2 })).toBeLessThan(words);
});

const scoreFile = (row: FileRow, functions: readonly FunctionRow[] = []): number => {
  const columns = functionsOf(functions);
  return scoreFilesByFormula(filesOf([row]), columns, scoreFunctionTexts(columns))[0] ?? 0;
};

test('a file is scored by its words, then identifiers, and by what its history, name and path say', () => {
  const scores = TEXT_FEATURES.map((name) => [name, Number(scoreFile({ [name]: 1 }).toFixed(2))]);

  expect(Object.fromEntries(scores)).toEqual({
    words: 1,
    messages: 0.5,
    fixes: 0.4,
    identifiers: 0.6,
    name: 0.5,
    together: 0.2,
    path: 0.5,
  });
  expect(scoreFile({ stated: -4 })).toBe(-4);
});

test('a file has its three best functions, the second for a half and the third for a third', () => {
  const files = filesOf([{}, {}, {}]);
  const functions = functionsOf([
    { file: 0, words: 1 },
    { file: 1, words: 0.5 },
    { file: 1, words: 0.4 },
    { file: 1, words: 0.3 },
    { file: 1, words: 0.2 },
    { file: 2, words: 0.9 },
    { file: 2, words: 0.2 },
  ]);
  const scores = scoreFilesByFormula(files, functions, scoreFunctionTexts(functions));

  expect(scores[0]).toBe(1);
  expect(scores[1]).toBeCloseTo(0.5 + 0.4 / 2 + 0.3 / 3);
  // Divided by the best file, which then has 1.
  expect(scores[2]).toBeCloseTo(1);
});

test('lists are joined by rank: first ranks differ most, and neither list overrules the other', () => {
  const [first = 0, second = 0, third = 0, fourth = 0] = joinRanks([9, 5, 4, 1], [1, 8, 0.5, 0.2]);

  // Ranks 0 and 1, 1 and 0, 2 and 2, 3 and 3.
  expect(first).toBeCloseTo(-Math.log(3) - Math.log(4));
  expect(first).toBeCloseTo(second);
  expect(first - third).toBeGreaterThan(third - fourth);
  expect(joinRanks([1, 1], [1, 1])[0]).toBeGreaterThan(joinRanks([1, 1], [1, 1])[1] ?? 0);
});

const scoresOf = (rows: readonly FunctionRow[], files: readonly number[]): number[] => {
  const columns = functionsOf(rows);
  return [...scoreFunctions(columns, scoreFunctionTexts(columns), Float32Array.from(files))];
};

test('of two functions with the same words the longer one comes first', () => {
  const [short = 0, long = 0] = scoresOf([{ length: 5 }, { length: 60 }], [0]);

  expect(long - short).toBeCloseTo(0.3 * Math.log(61 / 6), 4);
});

test('a function in a likelier file comes first, and a far worse file counts no less than a bad one', () => {
  const rows = [0, 1, 2, 3].map((file) => ({ file, words: 0.5 }));
  const [best = 0, next = 0, bad = 0, worst = 0] = scoresOf(rows, [-2, -3, -7, -9]);

  expect(best - next).toBeCloseTo(0.75);
  expect(best - bad).toBeCloseTo(3);
  expect(worst).toBe(bad);
});
