import { expect, test } from 'vitest';
import { extractTypeScript } from '../typescript/typescript.ts';
import type { FileFacts } from './facts.ts';
import { FactsMemory } from './held-facts.ts';

const facts = Array.from({ length: 10 }, (_, n) => extractTypeScript('typescript', `export const name${n} = ${n};`));

/** Holds the facts of ten files, and counts how often each is read again. */
function holdAll(limitBytes: number): { held: FileFacts[]; reads: number[] } {
  const memory = new FactsMemory(limitBytes);
  const reads = facts.map(() => 0);
  const held = facts.map((one, n) =>
    memory.hold(one, () => {
      reads[n] = (reads[n] ?? 0) + 1;
      return one;
    }),
  );
  return { held, reads };
}

function readNames(held: readonly FileFacts[]): string[] {
  return held.map(({ definitions, strings }) => strings[definitions.name(0)] ?? '');
}

test('facts within the limit are never read again', () => {
  const { held, reads } = holdAll(Infinity);

  readNames(held);

  expect(held).toEqual(facts);
  expect(reads).toEqual(facts.map(() => 0));
});

test('facts beyond the limit are the same, and read again once for each turn', () => {
  const { held, reads } = holdAll(0);

  const names = [readNames(held), readNames(held)];

  const expected = facts.map((_, n) => `name${n}`);
  expect(names).toEqual([expected, expected]);
  expect(reads).toEqual(facts.map(() => 2));
});

test('within a limit the first facts stay, and of the others those that were read last', () => {
  const { held, reads } = holdAll(leastLimitThatRetains(3));

  readNames(held);
  const [last, fourth] = [held.slice(-1), held.slice(3, 4)];
  readNames(last);
  readNames(fourth);

  expect(reads).toEqual([0, 0, 0, 2, 1, 1, 1, 1, 1, 1]);
});

/** The least limit with which so many of the facts stay, in steps of 100 bytes. */
function leastLimitThatRetains(count: number): number {
  for (let limit = 0; ; limit += 100) {
    const { held, reads } = holdAll(limit);
    readNames(held);
    if (reads.filter((times) => times === 0).length >= count) return limit;
  }
}
