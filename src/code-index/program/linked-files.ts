import { linkTarget } from '../format/symbolic-links.ts';
import { dirnameOf, joinPath } from './paths.ts';

/** Links that one path may lead through, as in Linux (`path_resolution(7)`). */
const MOST_HOPS = 40;

/** A file of the commit, as far as looking it up by path needs it. */
export interface ListedFile {
  path: string;
  /** Of a symbolic link it names the target. */
  reason?: string | null | undefined;
}

/** File ids by path. */
export function fileIdsOf(files: readonly ListedFile[]): Map<string, number> {
  const ids = new Map(files.map(({ path }, file) => [path, file]));
  const links = new Map<string, string>();
  for (const { path, reason } of files) {
    const target = linkTarget(reason);
    // What leads out of the repository is in no commit.
    if (target !== undefined && !target.startsWith('/')) links.set(path, joinPath(dirnameOf(path), target));
  }
  return links.size === 0 ? ids : new LinkedFileIds(ids, links);
}

/** File ids by path, where a path may lead through symbolic links of files and folders. */
class LinkedFileIds extends Map<string, number> {
  readonly #links: ReadonlyMap<string, string>;

  constructor(ids: ReadonlyMap<string, number>, links: ReadonlyMap<string, string>) {
    super(ids);
    this.#links = links;
  }

  override get(path: string): number | undefined {
    const file = this.#follow(path);
    return file === undefined ? undefined : super.get(file);
  }

  override has(path: string): boolean {
    return this.get(path) !== undefined;
  }

  /** The path of the file behind the links of a path; undefined for circles. */
  #follow(path: string): string | undefined {
    let at = path;
    for (let hop = 0; hop < MOST_HOPS; hop += 1) {
      if (super.has(at) && !this.#links.has(at)) return at;
      const next = this.#followOnce(at);
      if (next === undefined) return at;
      at = next;
    }
    return undefined;
  }

  /** The path without its first link; undefined when it has none. */
  #followOnce(path: string): string | undefined {
    for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      const folder = end === -1 ? path : path.slice(0, end);
      const target = this.#links.get(folder);
      if (target !== undefined) return end === -1 ? target : joinPath(target, path.slice(end + 1));
      if (end === -1) return undefined;
    }
  }
}
