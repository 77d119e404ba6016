import { LRUCache } from 'lru-cache';
import { type FileNames, type PastText, readOfferedNames } from '../../code-index/offered-names/offered-names.ts';
import { type GitObjects, splitBytes } from '../../platform/git/git-objects.ts';
import { decodeAnyText } from '../../text/decode.ts';

/** Texts whose names are remembered: about 1 KB each. */
const MOST_CACHED = 20_000;
const NOTHING: FileNames = { offered: new Set(), present: new Set(), sources: new Map() };

/** A file as it was in some commit. */
interface PastFile {
  path: string;
  blob: string;
}

export interface PastObjects {
  objects: GitObjects;
  signal: AbortSignal;
}

/** The names that past files offer to others. A text is parsed once, however many commits have it. */
export class OfferedNames {
  readonly #cache = new LRUCache<string, { names: FileNames | undefined }>({ max: MOST_CACHED });

  /** By file, in their order; undefined for a content that is not here or cannot be read. A file without content offers nothing. */
  async of(past: PastObjects, files: readonly PastFile[]): Promise<(FileNames | undefined)[]> {
    const namesByKey = new Map(files.map((file) => [keyOf(file), this.#cache.get(keyOf(file))]));
    const missing = files.filter((file) => file.blob !== '' && namesByKey.get(keyOf(file)) === undefined);
    if (missing.length > 0) {
      for (const [key, names] of await readNames(past, missing)) {
        namesByKey.set(key, { names });
        this.#cache.set(key, { names });
      }
    }
    return files.map((file) => (file.blob === '' ? NOTHING : namesByKey.get(keyOf(file))?.names));
  }
}

function keyOf({ path, blob }: PastFile): string {
  // How a text is read depends on its path.
  return `${blob} ${path}`;
}

async function readNames(
  { objects, signal }: PastObjects,
  files: readonly PastFile[],
): Promise<Map<string, FileNames | undefined>> {
  const texts = new Map<string, string>();
  for await (const { blob, bytes } of objects.readBlobs(new Set(files.map((file) => file.blob)), signal))
    if (bytes !== undefined) texts.set(blob, decodeAnyText(bytes));
  const pastTexts = new Map<string, PastText>();
  for (const file of files) {
    const text = texts.get(file.blob);
    if (text !== undefined) pastTexts.set(keyOf(file), { path: file.path, text });
  }
  const names = await readOfferedNames([...pastTexts.values()], signal);
  return new Map([...pastTexts.keys()].map((key, at) => [key, names[at]]));
}

/** Paths of a commit with their contents; one without content is not in it. */
export async function filesAt(
  { objects, signal }: PastObjects,
  commit: string,
  paths: readonly string[],
): Promise<PastFile[]> {
  const listed = await objects.run(['ls-tree', '-z', '--full-tree', commit, '--', ...paths], signal);
  const blobs = new Map(
    Array.from(splitBytes(listed, 0), (entry) => {
      const [head = '', path = ''] = entry.toString().split('\t');
      return [path, head.split(' ')[2] ?? ''] as const;
    }),
  );
  return paths.map((path) => ({ path, blob: blobs.get(path) ?? '' }));
}
