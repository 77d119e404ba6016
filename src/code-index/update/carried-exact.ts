import { GRADE_CODES, type NameOnlyInput, type OccurrenceInput } from '../format/shard-input.ts';
import { UseCursor } from '../format/store-codec.ts';
import type { FileUses } from '../resolve/occurrences.ts';
import type { BaseShard } from './base-shard.ts';
import type { Layout } from './layout.ts';

const EXACT = GRADE_CODES.indexOf('exact');

/** A use of grade `exact`, with ids of the new shard. */
interface ExactUse {
  line: number;
  column: number;
  use: number;
  target: number;
  enclosing: number;
}

/**
 * Returns what compilers know of the files that stay as they were and are resolved again, by new id: names that lead only to
 * files that stay as well. A name that leads to a changed file may mean something else now.
 */
export function exactUses(
  base: BaseShard,
  { unchangedTo, firstSymbols }: Layout,
  files: ReadonlySet<number>,
): ReadonlyMap<number, readonly ExactUse[]> {
  const carried = new Map<number, ExactUse[]>();
  const unsure = new Map<number, Set<string>>();
  for (const [target, uses] of targetsOf(base, { unchangedTo, firstSymbols })) {
    const at = new UseCursor(uses);
    while (at.next()) {
      const file = unchangedTo[at.file] ?? -1;
      if (at.code >> 3 !== EXACT || file < 0 || !files.has(file)) continue;
      const { line, column, code } = at;
      if (target < 0) {
        unsure.set(file, (unsure.get(file) ?? new Set()).add(locationKey(line, column)));
        continue;
      }
      const enclosing = at.enclosing === 0 ? -1 : (firstSymbols[file] ?? 0) + at.enclosing - 1;
      const list = carried.get(file) ?? [];
      carried.set(file, list);
      list.push({ line, column, use: code & 7, target, enclosing });
    }
  }
  for (const [file, places] of unsure)
    carried.set(file, carried.get(file)?.filter(({ line, column }) => !places.has(locationKey(line, column))) ?? []);
  return carried;
}

/** The uses of a file, with exact ones in the place of what was resolved there. */
export function carryExact(uses: FileUses, exact: readonly ExactUse[] | undefined): FileUses {
  if (exact === undefined || exact.length === 0) return uses;
  const places = new Set(exact.map(({ line, column }) => locationKey(line, column)));
  return {
    ...uses,
    occurrences: withExact(uses.occurrences, places, exact),
    nameOnly: withoutPlaces(uses.nameOnly, places),
  };
}

/** Uses by what is used: its new id, or -1 when its file changed. */
function* targetsOf(
  base: BaseShard,
  { unchangedTo, firstSymbols }: Pick<Layout, 'unchangedTo' | 'firstSymbols'>,
): Generator<[target: number, uses: Uint8Array]> {
  const to = new Int32Array(base.symbols).fill(-1);
  for (const { id, firstSymbol, symbols } of base.files) {
    const first = firstSymbols[unchangedTo[id] ?? -1];
    if (first !== undefined) for (let at = 0; at < symbols; at += 1) to[firstSymbol + at] = first + at;
  }
  for (const [symbol, uses] of base.rows<[number, Uint8Array]>('select symbol, uses from usage order by symbol'))
    yield [to[symbol] ?? -1, uses];
}

function withExact(
  { line, column, use, grade, target, enclosing }: OccurrenceInput,
  places: ReadonlySet<string>,
  exact: readonly ExactUse[],
): OccurrenceInput {
  const rows = rowsBeside({ line, column }, places);
  const joined = (from: ArrayLike<number>, more: (row: ExactUse) => number): number[] => [
    ...rows.map((row) => from[row] ?? 0),
    ...exact.map(more),
  ];
  return {
    line: Int32Array.from(joined(line, (row) => row.line)),
    column: Int32Array.from(joined(column, (row) => row.column)),
    use: Uint8Array.from(joined(use, (row) => row.use)),
    grade: Uint8Array.from(joined(grade, () => EXACT)),
    target: Int32Array.from(joined(target, (row) => row.target)),
    enclosing: Int32Array.from(joined(enclosing, (row) => row.enclosing)),
  };
}

function withoutPlaces(
  { name, grade, line, column, use, enclosing }: NameOnlyInput,
  places: ReadonlySet<string>,
): NameOnlyInput {
  const rows = rowsBeside({ line, column }, places);
  const pick = (from: ArrayLike<number>): number[] => rows.map((row) => from[row] ?? 0);
  return {
    name: rows.map((row) => name[row] ?? ''),
    grade: Uint8Array.from(pick(grade)),
    line: Int32Array.from(pick(line)),
    column: Int32Array.from(pick(column)),
    use: Uint8Array.from(pick(use)),
    enclosing: Int32Array.from(pick(enclosing)),
  };
}

/** The rows that are at none of the places. */
function rowsBeside(
  { line, column }: { line: ArrayLike<number>; column: ArrayLike<number> },
  places: ReadonlySet<string>,
): number[] {
  return Array.from({ length: line.length }, (_, row) => row).filter(
    (row) => !places.has(locationKey(line[row] ?? 0, column[row] ?? 0)),
  );
}

function locationKey(line: number, column: number): string {
  return `${line}:${column}`;
}
