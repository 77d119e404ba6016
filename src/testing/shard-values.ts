import { expect } from 'vitest';
import { writeSummaries } from '../code/summaries/summaries.ts';
import { writeWholeGraph } from '../graph/stored/stored.ts';

/** Puts into a shard what is computed of all of it, as the indexer does after the shard of `before`. */
export function writeValues(file: string, before?: string): void {
  expect([...writeSummaries(file, before), ...writeWholeGraph(file, before)]).toEqual([]);
}
