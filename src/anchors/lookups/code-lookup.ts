import { baseName } from '../../kernel/paths.ts';
import { CODE_QUERIES } from '../../code/code.ts';
import { type CodePlace, type CodePlaces, codePlaces } from '../../code/places/places.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { ShardReaders } from '../../indexes/shards/shards.ts';
import { textPlaces } from './text-places.ts';

/** Longest file in which names are looked for that are no symbols, in lines. */
const LONGEST_FILE = 20_000;

/** Lookup of files and symbols in the snapshot of a repository that is served now. */
export interface CodeLookup extends CodePlaces {
  repositoryId: string;
  /** Name of the repository. */
  repo: string;
  commit: string;
  /** Names the snapshot. */
  snapshot: string;
  /** Definitions of a name in the text of a file, by its last part: for names that are no symbols of the index. */
  inText(path: string, symbol: string): Promise<CodePlace[]>;
}

export function codeLookup(
  readers: ShardReaders,
  { id, provenance, shard }: IndexedRepository,
  background: boolean,
): CodeLookup {
  const source = async (path: string): Promise<readonly string[] | undefined> =>
    (await readers.query(shard, CODE_QUERIES, ['sourceOf', { path, from: 1, to: LONGEST_FILE }], { background }))
      ?.lines;
  const places = textLookup(codePlaces(readers, shard, { background }), source);
  return { ...places, repositoryId: id, repo: provenance.repo, commit: provenance.commit, snapshot: shard.hash };
}

/** Adds what is found in the text of files to what an index knows of them. */
export function textLookup(
  places: CodePlaces,
  source: (path: string) => Promise<readonly string[] | undefined>,
): CodePlaces & Pick<CodeLookup, 'inText'> {
  return {
    ...places,
    // What has no parser here, such as a configuration, is the same while its bytes are.
    files: async (paths) =>
      (await places.files(paths)).map((file) =>
        file === undefined ? undefined : { ...file, syntax: file.syntax ?? `blob:${file.blob}` },
      ),
    inText: async (path, symbol) => {
      const lines = await source(path);
      if (lines === undefined) return [];
      const name = baseName(symbol);
      return textPlaces(lines, name, path).map(({ scope, line, syntax, sketch }) => ({
        path,
        symbol: [...scope, name].join('/'),
        kind: 'function',
        line,
        end: line,
        syntax,
        sketch,
        blob: null,
        exported: false,
        test: false,
      }));
    },
  };
}
