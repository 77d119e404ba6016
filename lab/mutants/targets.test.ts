import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TARGETS } from './targets.ts';

test('the files that faults are put into, and their tests, are where they are looked for', () => {
  const named = TARGETS.flatMap(({ files, tests }) => [...files, ...tests]);

  expect(named.filter((file) => !existsSync(join(import.meta.dirname, '../..', file)))).toEqual([]);
  expect(TARGETS.filter(({ tests }) => tests.length === 0)).toEqual([]);
});
