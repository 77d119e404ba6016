import type { QueryOptions, ShardDatabase, ShardReaders, ShardRef } from '../../indexes/shards/shards.ts';
import { CODE_QUERIES } from '../queries/code-queries.ts';
import { sourceOf } from '../files/store-files.ts';
import {
  type CodePlace,
  filePlaces,
  foldersAmong,
  placesAround,
  placesWithSyntax,
  symbolPlaces,
} from '../symbols/store-syntax.ts';

export type { CodePlace } from '../symbols/store-syntax.ts';

/** Locations of files and symbols in one index, and what identifies them. Answers are in the order of the questions. */
export interface CodePlaces {
  /** Files at exactly these paths. */
  files(paths: readonly string[]): Promise<(CodePlace | undefined)[]>;
  /** Paths among these that have files below them. */
  folders(paths: readonly string[]): Promise<string[]>;
  /** Symbols by qualified name or its last parts, in a file or, without a path, anywhere; at most 50 each. */
  symbols(requests: readonly { symbol: string; path?: string | undefined }[]): Promise<CodePlace[][]>;
  /** The innermost symbol around each range of lines. */
  around(requests: readonly { path: string; from: number; to: number }[]): Promise<(CodePlace | undefined)[]>;
  /** Files or symbols with this syntax anywhere, whatever their name; at most 20 each. */
  withSyntax(requests: readonly { syntax: string; isFile: boolean }[]): Promise<CodePlace[][]>;
}

/** @throws ShardDamaged from each question when the shard cannot be read. */
export function codePlaces(readers: ShardReaders, shard: ShardRef, options: QueryOptions): CodePlaces {
  return {
    files: (paths) => readers.query(shard, CODE_QUERIES, ['filePlaces', { paths }], options),
    folders: (paths) => readers.query(shard, CODE_QUERIES, ['foldersAmong', { paths }], options),
    symbols: (requests) => readers.query(shard, CODE_QUERIES, ['symbolPlaces', { asked: requests }], options),
    around: (requests) => readers.query(shard, CODE_QUERIES, ['placesAround', { asked: requests }], options),
    withSyntax: (requests) => readers.query(shard, CODE_QUERIES, ['placesWithSyntax', { asked: requests }], options),
  };
}

/** The same over a shard that this process has open: for a small one that nobody else reads. */
export function placesInShard(db: ShardDatabase): CodePlaces {
  return {
    files: async (paths) => filePlaces(db, { paths }),
    folders: async (paths) => foldersAmong(db, { paths }),
    symbols: async (requests) => symbolPlaces(db, { asked: requests }),
    around: async (requests) => placesAround(db, { asked: requests }),
    withSyntax: async (requests) => placesWithSyntax(db, { asked: requests }),
  };
}

/** All lines of a file of such a shard, or nothing when it is not there. */
export function textInShard(db: ShardDatabase, path: string): string[] | undefined {
  return sourceOf(db, { path, from: 1, to: Number.MAX_SAFE_INTEGER })?.lines;
}
