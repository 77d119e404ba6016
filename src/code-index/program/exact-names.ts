/**
 * Targets of the names of one file, as reported by a compiler or an index made by one; arrays of one length, ascending by
 * `start`. A name that leads to several locations has several entries. A name that is not listed is one the compiler could not
 * resolve: what was resolved without it stays.
 */
export interface ExactFile {
  /** Offset of the name in the text, UTF-16. */
  start: Int32Array;
  /** File in which the target is defined, or -1: outside the repository. */
  file: Int32Array;
  /** Offset of the target's name in that file, or -1. */
  target: Int32Array;
  /** Roles of the use, as bits of ROLES. Absent: none. */
  roles?: Uint8Array;
}

/** Roles of a name in a use; the values are those of SCIP's `SymbolRole`. */
export const ROLES = { definition: 1, import: 2, write: 4, read: 8 } as const;

/** A member in a file and another that it overrides or implements, both by file id and offset of the name. */
export type ExactPair = readonly [file: number, start: number, otherFile: number, otherStart: number];

/** Names of a commit as compilers resolve them. Ids of files are those of the shard. */
export interface ExactNames {
  files: ReadonlyMap<number, ExactFile>;
  overrides: readonly ExactPair[];
}

/**
 * Puts entries in order and drops repeats; `rows` are start, file, target, one after the other, `roles` one value for
 * each three.
 */
export function exactFile(rows: readonly number[], roles?: readonly number[]): ExactFile {
  const order = Array.from({ length: rows.length / 3 }, (_, row) => row * 3).toSorted(
    (a, b) => at(rows, a) - at(rows, b) || at(rows, a + 1) - at(rows, b + 1) || at(rows, a + 2) - at(rows, b + 2),
  );
  const distinctRows = order.filter((row, index) => {
    const before = order[index - 1];
    return before === undefined || [0, 1, 2].some((column) => at(rows, before + column) !== at(rows, row + column));
  });
  return {
    start: Int32Array.from(distinctRows, (row) => at(rows, row)),
    file: Int32Array.from(distinctRows, (row) => at(rows, row + 1)),
    target: Int32Array.from(distinctRows, (row) => at(rows, row + 2)),
    ...(roles !== undefined && { roles: Uint8Array.from(distinctRows, (row) => roles[row / 3] ?? 0) }),
  };
}

/** Merges the names of several sources: the first that knows a name is believed. */
export function mergeNames(sources: readonly ExactNames[]): ExactNames {
  const files = new Map<number, ExactFile>();
  for (const names of sources)
    for (const [file, exact] of names.files) {
      const before = files.get(file);
      files.set(file, before === undefined ? exact : mergeFiles(before, exact));
    }
  return { files, overrides: sources.flatMap(({ overrides }) => overrides) };
}

function mergeFiles(first: ExactFile, second: ExactFile): ExactFile {
  const starts = new Set(first.start);
  const rows: number[] = [];
  const roles: number[] = [];
  for (const { start, file, target, roles: fileRoles } of [first, second])
    for (const [index, offset] of start.entries()) {
      if (start === second.start && starts.has(offset)) continue;
      rows.push(offset, file[index] ?? -1, target[index] ?? -1);
      roles.push(fileRoles?.[index] ?? 0);
    }
  return exactFile(rows, roles);
}

function at(rows: readonly number[], index: number): number {
  return rows[index] ?? -1;
}
