import { type CodePlaces, codePlaces, type IndexedRepository } from '../code/code.ts';
import type { ShardReaders } from '../shards/shards.ts';

/** Where files and symbols stand in the snapshot of a repository that is served now. */
export interface CodeLookup extends CodePlaces {
  repositoryId: string;
  commit: string;
  /** Names the snapshot. */
  snapshot: string;
}

export function codeLookup(readers: ShardReaders, { id, provenance, shard }: IndexedRepository): CodeLookup {
  return { ...codePlaces(readers, shard), repositoryId: id, commit: provenance.commit, snapshot: shard.hash };
}
