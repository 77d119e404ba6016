import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { addStoredValues, storedBytes } from '../../code/stored/stored.ts';
import { openShard } from '../../indexes/shards/shards.ts';
import { writeGraph } from '../build/build.ts';
import { CODE_ADJACENCY, FILE_ADJACENCY } from '../queries/store-adjacency.ts';

export { writeFindings } from '../build/build.ts';

/** Edges that take less fit into the least memory that a service may have. */
const SMALL_BYTES = 8 * 1024 * 1024;

/**
 * Puts the graph of a finished shard and its edges into it, before it is published: the first question reads them. `before`
 * is a shard of an earlier commit. `onStep` is called before each step.
 *
 * @returns What could not be made of this code, and why.
 */
export function writeWholeGraph(file: string, before?: string, onStep?: () => void): string[] {
  onStep?.();
  const fault = writeGraph(file, before);
  const faults = addStoredValues(file, [CODE_ADJACENCY], { before, onStep });
  if (bytesOfEdges(file) > SMALL_BYTES) faults.push(...addStoredValues(file, [FILE_ADJACENCY], { before, onStep }));
  return fault === undefined ? faults : [`graph: ${fault}`, ...faults];
}

function bytesOfEdges(file: string): number {
  const shard = openShard(file, CODE_FORMAT);
  try {
    return storedBytes(shard, CODE_ADJACENCY.name);
  } finally {
    shard.close();
  }
}
