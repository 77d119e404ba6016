import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { unpackIds } from '../../code-index/format/store-codec.ts';
import type { SymbolKind } from '../../code-index/format/rows.ts';
import { isShown } from '../../kernel/path-kinds.ts';
import { pathOf, testFlags } from '../files/store-files.ts';
import { referencesOfFile } from '../files/store-file-uses.ts';
import { usesOf } from '../usages/store-usages.ts';

interface Candidate {
  id: number;
  file: number;
  path: string;
  kind: SymbolKind;
  exported: number;
  nested: number;
  refs: number;
}

/** Order of kinds by what a name means most likely, before any use is counted: smaller is likelier. */
const KIND_ORDER: Partial<Record<SymbolKind, number>> = { module: 1, variable: 1, table: 2, heading: 3 };

/**
 * Symbols of one name, the likeliest first: code before documents, code before tests and examples, what is offered or belongs to a
 * type before what is local, more used first. Seen from a file: first what that file uses most or defines, then what lies in
 * files that it imports, then by the folders that both paths share. `focused` is how many the file uses or defines.
 */
export function orderDefinitions(
  db: ShardDatabase,
  symbols: readonly number[],
  near: number | undefined,
): { ids: number[]; focused: number } {
  const candidates = db
    .prepare(
      `select s.id, s.file, f.path, s.kind, s.exported, s.parent is not null and not s.member as nested,
              coalesce(u.refs, 0) as refs
         from json_each(?) j join symbol s on s.id = j.value join file f on f.id = s.file
         left join usage u on u.symbol = s.id`,
    )
    .all(JSON.stringify(symbols)) as unknown as Candidate[];
  const view = near === undefined ? undefined : new View(db, near);
  const isTest = testFlags(db);
  const ranked = candidates.map((candidate) => ({
    id: candidate.id,
    isFocused: view !== undefined && view.focus(candidate) > 0,
    keys: [
      KIND_ORDER[candidate.kind] === 3 ? 1 : 0,
      -(view?.focus(candidate) ?? 0),
      view?.imports.has(candidate.file) === true ? 0 : 1,
      isTest[candidate.file] === 1 && isTest[near ?? -1] !== 1 ? 1 : 0,
      -(view?.shared(candidate.path) ?? 0),
      isShown(candidate.path) ? 1 : 0,
      candidate.nested,
      1 - candidate.exported,
      KIND_ORDER[candidate.kind] ?? 0,
      -candidate.refs,
      candidate.id,
    ],
  }));
  ranked.sort((a, b) => compare(a.keys, b.keys));
  return { ids: ranked.map(({ id }) => id), focused: ranked.filter(({ isFocused }) => isFocused).length };
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((key, index) => key !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** Other symbols as one file sees them. */
class View {
  readonly imports: ReadonlySet<number>;
  readonly #db: ShardDatabase;
  readonly #file: number;
  readonly #folders: string[];
  readonly #refers: ReadonlySet<number>;

  constructor(db: ShardDatabase, file: number) {
    this.#db = db;
    this.#file = file;
    this.#folders = pathOf(db, file).split('/').slice(0, -1);
    const links = db.prepare('select imports from link where file = ?').get(file) as
      | { imports: Uint8Array | null }
      | undefined;
    this.imports = new Set(unpackIds(links?.imports ?? null));
    this.#refers = new Set(referencesOfFile(db, file).map(({ target }) => target));
  }

  /** Uses of a symbol in the file; one more when the file defines it; 0 for all that it has nothing to do with. */
  focus({ id, file }: { id: number; file: number }): number {
    const own = file === this.#file ? 1 : 0;
    if (!this.#refers.has(id)) return own;
    return own + usesOf(this.#db, id).filter((entry) => entry.file === this.#file).length;
  }

  /** Number of folders with which both paths begin; one more for the same folder. */
  shared(path: string): number {
    const folders = path.split('/').slice(0, -1);
    const at = folders.findIndex((folder, index) => folder !== this.#folders[index]);
    const sharedCount = at === -1 ? folders.length : at;
    return sharedCount + (sharedCount === folders.length && sharedCount === this.#folders.length ? 1 : 0);
  }
}
