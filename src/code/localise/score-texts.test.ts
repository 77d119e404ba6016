import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { withIndexed } from '../../testing/indexed-code.ts';
import { symbolRows } from '../symbols/store-symbols.ts';
import { fileIds } from './path-features.ts';
import { functionTexts, scoreTexts } from './score-texts.ts';

const filler = (lines: number): string =>
  Array.from({ length: lines }, (_, at) => `  step${at}(other${at});`).join('\n');
const holding = (name: string, body: string): string => `export function ${name}() {\n${body}\n}\n`;

const FILES = {
  'src/short.ts': holding('first', '  parcel();'),
  'src/long.ts': holding('second', `  parcel();\n${filler(30)}`),
  'src/often.ts': holding('third', '  parcel(); parcel(); parcel(); parcel();'),
  'src/named.ts': holding('sendParcel', '  other();'),
  'src/parcel/fourth.ts': holding('fourth', '  other();'),
  'src/value.ts': 'export const options = { parcel: 1 };\nexport class Parcel {\n  parcel = 1;\n}\n',
  'src/held.ts': 'export class Held {\n  onParcel = () => {\n    return parcel();\n  };\n}\n',
  'test/short.test.ts': holding('tested', '  parcel();'),
  'src/rare.ts': holding('rare', '  quartz();'),
};

let db: ShardDatabase;
let close: () => void;
let closed: Promise<void>;

beforeAll(async () => {
  await new Promise<void>((opened) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    close = resolve;
    closed = withIndexed(FILES, async (shard) => {
      db = shard;
      opened();
      await promise;
    });
  });
});
afterAll(async () => {
  close();
  await closed;
});

/** Scores of functions by name, and of files by path. */
function scoresOf(words: Record<string, number>): Record<string, number> {
  const { functions, files } = scoreTexts(db, new Map(Object.entries(words)));
  const ids = [...functions.keys()].filter((id) => (functions[id] ?? 0) > 0);
  const named = symbolRows(db, ids).map(({ qualified }, at) => [qualified, functions[ids[at] ?? 0] ?? 0] as const);
  const paths = Array.from(fileIds(db), ([path, file]) => [path, files[file] ?? 0] as const);
  return Object.fromEntries([...named, ...paths]);
}

test('functions outside of tests are scored, also those that a property holds', () => {
  const scores = scoresOf({ parcel: 1 });

  expect(Object.keys(scores).filter((name) => !name.includes('.'))).toEqual(
    expect.arrayContaining(['first', 'second', 'third', 'sendParcel', 'fourth', 'Held/onParcel']),
  );
  expect(scores).not.toHaveProperty('tested');
  expect(scores).not.toHaveProperty('Parcel');
  expect(functionTexts(db).functions).toBe(7);
});

test('a word counts twice in the name of a function and once in its path', () => {
  const { first = 0, second = 0, third = 0, sendParcel = 0, fourth = 0 } = scoresOf({ parcel: 1 });

  expect(sendParcel).toBeGreaterThan(first);
  expect(third).toBeGreaterThan(sendParcel);
  expect(first).toBeGreaterThan(second);
  expect(fourth).toBeGreaterThan(0);
});

test('the length of a function counts little', () => {
  const { first = 0, second = 0 } = scoresOf({ parcel: 1 });

  // With all of the length (b 1) this is below .3, without any it is 1.
  expect(second / first).toBeGreaterThan(0.4);
  expect(second / first).toBeLessThan(0.8);
});

test('a rare word counts more than one that many functions have, and a weight as it is', () => {
  const { first = 0, rare = 0 } = scoresOf({ parcel: 1, quartz: 1 });
  const half = scoresOf({ parcel: 0.5 });

  expect(rare).toBeGreaterThan(first);
  expect(half['first']).toBeCloseTo((scoresOf({ parcel: 1 })['first'] ?? 0) / 2, 4);
});

test('a file has the words of its functions, and those of its path four times', () => {
  const scores = scoresOf({ parcel: 1 });

  expect(scores['src/parcel/fourth.ts']).toBeGreaterThan(scores['src/often.ts'] ?? 0);
  expect(scores['src/often.ts']).toBeGreaterThan(scores['src/short.ts'] ?? 0);
  expect(scores['src/rare.ts']).toBe(0);
});
