import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { namesOfLanguages } from '../../languages/languages.ts';
import { relationBit } from '../../code-index/format/relations.ts';
import { fileOfSymbolId, USE_CODES } from '../../code-index/format/shard-input.ts';
import type { SymbolKind, Use } from '../../code-index/format/rows.ts';
import { unpackReferences } from '../../code-index/format/store-codec.ts';
import { bytesOfInts, intsOf } from '../../code-index/format/dense-values.ts';
import { firstSymbols } from '../files/store-files.ts';
import { type StoredValue, storedValue } from '../stored/stored.ts';
import { findCycles } from './cycles.ts';

const ERASING = namesOfLanguages(({ erasesTypes }) => erasesTypes === true);
/** What is gone with its types, whatever is done with it. */
const TYPES: ReadonlySet<SymbolKind> = new Set<SymbolKind>(['interface', 'type']);
/** Uses that stay when types are gone. */
const RUN_TIME = (['call', 'read', 'write', 'export', 'test', 'implements'] satisfies Use[]).reduce(
  (bits, use) => bits | (1 << USE_CODES.indexOf(use)),
  0,
);

interface ImportCycles {
  atRunTime: number[][];
  /** Closed by imports that only types need: nothing is run in a circle. */
  ofTypes: number[][];
}

/** Groups of files that import each other in a circle, each ascending. Reads the file table, and references of what is in one. */
export function importCycles(db: ShardDatabase): ImportCycles {
  return storedValue(db, IMPORT_CYCLES);
}

/** How many circles there are of each sort, then the files of each, their number first. */
export const IMPORT_CYCLES: StoredValue<ImportCycles> = {
  name: 'import_cycles',
  compute: findImportCycles,
  pack: ({ atRunTime, ofTypes }) => {
    const groups = [...atRunTime, ...ofTypes].flatMap((files) => [files.length, ...files]);
    return bytesOfInts(Int32Array.from([atRunTime.length, ofTypes.length, ...groups]));
  },
  unpack: (data) => {
    const [atRunTime = 0, , ...numbers] = intsOf(data);
    const groups: number[][] = [];
    for (let at = 0; at < numbers.length; at += 1 + (numbers[at] ?? 0))
      groups.push(numbers.slice(at + 1, at + 1 + (numbers[at] ?? 0)));
    return { atRunTime: groups.slice(0, atRunTime), ofTypes: groups.slice(atRunTime) };
  },
};

function findImportCycles(db: ShardDatabase): ImportCycles {
  const targets = importedFiles(db);
  const { files } = db.prepare('select count(*) as files from file').get() as { files: number };
  const all = findCycles(files, (file) => targets.get(file) ?? []);
  const kept = new Map<number, number[]>();
  for (const group of all) {
    const members = new Set(group);
    for (const file of group) {
      const inside = (targets.get(file) ?? []).filter((target) => members.has(target));
      kept.set(file, withoutTypes(db, file, inside));
    }
  }
  const atRunTime = findCycles(files, (file) => kept.get(file) ?? []);
  const running = new Set(atRunTime.map(([first = -1]) => first));
  const ofTypes = all.filter((group) => !group.some((file) => running.has(file)));
  return { atRunTime, ofTypes };
}

function importedFiles(db: ShardDatabase): Map<number, number[]> {
  const imports = relationBit('imports');
  const rows = db.prepare('select file, depends from file_edge where depends is not null').all() as unknown as {
    file: number;
    depends: Uint8Array;
  }[];
  return new Map(
    rows.map(({ file, depends }) => [
      file,
      unpackReferences(depends).flatMap(({ target, uses }) => ((uses & imports) === 0 ? [] : [target])),
    ]),
  );
}

/** The files of which more than types is imported, or nothing that is known: such an import is there for what it does. */
function withoutTypes(db: ShardDatabase, file: number, imported: readonly number[]): number[] {
  const { language } = db.prepare('select language from file where id = ?').get(file) as { language: string };
  if (!ERASING.has(language)) return [...imported];
  const first = firstSymbols(db);
  const wanted = new Set(imported);
  const seen = new Set<number>();
  const needed = new Set<number>();
  const blobs = db
    .prepare(
      `select refers from file_edge where file = ?1 and refers is not null
        union all select refers from edge where symbol >= ?2 and symbol < ?3 and refers is not null`,
    )
    .all(file, first[file] ?? 0, first[file + 1] ?? Number.MAX_SAFE_INTEGER) as unknown as { refers: Uint8Array }[];
  const symbol = db.prepare('select kind, parent from symbol where id = ?');
  for (const { target, uses } of blobs.flatMap(({ refers }) => unpackReferences(refers))) {
    const to = fileOfSymbolId(first, target);
    if (!wanted.has(to)) continue;
    seen.add(to);
    const { kind, parent } = symbol.get(target) as { kind: SymbolKind; parent: number | null };
    // A member is reached through a value, wherever that came from.
    if (parent === null && !TYPES.has(kind) && (uses & RUN_TIME) !== 0) needed.add(to);
  }
  return imported.filter((target) => needed.has(target) || !seen.has(target));
}
