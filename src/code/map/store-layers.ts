import { compareTexts } from '../../kernel/text-order.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { namesOfLanguages } from '../../languages/languages.ts';
import { unpackReferences } from '../../code-index/format/store-codec.ts';
import { purposeOf, splitFolders } from './folders.ts';
import type { MapFile } from './map.ts';

/** Folders that the code is told apart by. */
const MOST_FOLDERS = 24;

/** A folder and those it uses, most first. `files` of a use counts the pairs of a file and one that it depends on. */
export interface LayerRow {
  path: string;
  files: number;
  uses: { path: string; files: number }[];
}

/**
 * Uses between folders; what uses others and is used by none first, the ground last, then examples and the like. Only code that
 * is no test counts.
 */
export function layers(db: ShardDatabase, all: readonly MapFile[], inside: ReadonlySet<number>): LayerRow[] {
  const own = splitFolders(
    all.filter((file) => inside.has(file.id) && isCode(file)),
    MOST_FOLDERS,
  );
  const others = splitFolders(
    all.filter((file) => !inside.has(file.id) && isCode(file)),
    MOST_FOLDERS,
  );
  const units = [...own, ...others];
  const unitOf = new Map(units.flatMap((unit, index) => unit.files.map((file) => [file, index] as const)));
  const counts = units.map(() => new Map<number, number>());
  const used = units.map(() => 0);
  const select = db.prepare('select depends from file_edge where file = ?');
  for (const [index, { files }] of units.entries())
    for (const file of files) {
      const row = select.get(file) as { depends: Uint8Array | null } | undefined;
      for (const { target } of unpackReferences(row?.depends ?? null)) {
        const to = unitOf.get(target);
        if (to === undefined || to === index) continue;
        counts[index]?.set(to, (counts[index]?.get(to) ?? 0) + 1);
        used[to] = (used[to] ?? 0) + 1;
      }
    }
  const nameOf = (index: number): string => units[index]?.folder || '.';
  return own
    .map(({ files }, index) => {
      const uses = [...(counts[index] ?? [])]
        .map(([to, count]) => ({ path: nameOf(to), files: count }))
        .toSorted((a, b) => b.files - a.files || compareTexts(a.path, b.path));
      const out = uses.reduce((sum, use) => sum + use.files, 0);
      const share = out / (out + (used[index] ?? 0) || 1);
      return { row: { path: nameOf(index), files: files.length, uses }, share };
    })
    .filter(({ row }) => row.files > 0)

    .toSorted(
      (a, b) => rankAside(a.row) - rankAside(b.row) || b.share - a.share || compareTexts(a.row.path, b.row.path),
    )
    .map(({ row }) => row);
}

/** Languages that have symbols and are no code. */
const NOT_CODE = namesOfLanguages(({ isProse, declaresData }) => isProse === true || declaresData === true);

function isCode({ symbols, isTest, language }: MapFile): boolean {
  return symbols > 0 && !isTest && !NOT_CODE.has(language);
}

function rankAside({ path }: LayerRow): number {
  return purposeOf(path) === undefined ? 0 : 1;
}
