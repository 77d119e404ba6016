import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { openShard } from '../../indexes/shards/shards.ts';
import { DEAD_CODE } from '../dead-code/store-dead-code.ts';
import { TEXT_CLUES } from '../dead-code/store-texts.ts';
import { addStoredValues, isSmall } from '../stored/stored.ts';
import { WHOLE_MAP } from '../map/map.ts';
import { CENTRAL_ORDER } from '../map/central-order.ts';
import { IMPORT_CYCLES } from '../smells/import-cycles.ts';
import { DUPLICATES } from '../smells/stored-duplicates.ts';

/**
 * Puts into a finished shard what answers need of all of it: the order of central symbols, circles of imports, duplicates,
 * dead code, the map. Readers then compute nothing that grows with the repository. What is the same as in `before`, a shard of an earlier
 * commit, is taken from there. `onStep` is called before each.
 *
 * @returns What could not be computed, and why.
 */
export function writeSummaries(file: string, before?: string, onStep?: () => void): string[] {
  // Dead code reads the clues.
  const faults = addStoredValues(file, [TEXT_CLUES], { before });
  faults.push(...addStoredValues(file, [CENTRAL_ORDER, IMPORT_CYCLES, DUPLICATES, DEAD_CODE], { before, onStep }));
  // The map shows central symbols, which a reader of a large shard does not order.
  return [...faults, ...addStoredValues(file, [WHOLE_MAP], { onStep })];
}

/** True if a reader can compute all this of a shard while somebody waits. */
export function canWaitForSummaries(file: string): boolean {
  const shard = openShard(file, CODE_FORMAT);
  try {
    return isSmall(shard);
  } finally {
    shard.close();
  }
}
