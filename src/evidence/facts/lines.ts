import { isShown, isTestPath } from '../../kernel/path-kinds.ts';
import type { Reference } from '../model/brief.ts';

/** `sym:Class/method@src/a.ts` and `src/a.ts` are of src/a.ts. */
export function pathOf(handle: string): string {
  return handle.startsWith('sym:') ? handle.slice(handle.lastIndexOf('@') + 1) : handle;
}

/** True for a line that is a comment alone, as languages and quoted sessions begin one. */
export function isComment(line: string): boolean {
  return /^\s*(?:\*|\/[/*]|#(?!\s*include\b)|--|>>>)/.test(line);
}

/** A line of code as what a fact rests on. */
export function lineReference(repo: string, path: string, line: number | undefined, why: string): Reference {
  if (line === undefined) return { id: path, kind: 'code', repo, path, why: [why] };
  return { id: `${path}:${line}`, kind: 'code', repo, path, lines: { start: line, end: line }, why: [why] };
}

/** Rows of the product before those of tests, examples and documentation, each in its order: a list is cut at its end. */
export function productFirst<Row>(rows: Iterable<Row>, pathOfRow: (row: Row) => string): Row[] {
  const isBeside = (row: Row): number => Number(isTestPath(pathOfRow(row)) || isShown(pathOfRow(row)));
  return [...rows].toSorted((a, b) => isBeside(a) - isBeside(b));
}

/** Rows by their file, in the same order. */
export function groupByFile<Row>(rows: Iterable<Row>, pathOfRow: (row: Row) => string): [string, Row[]][] {
  return productFirst(Map.groupBy(rows, pathOfRow), ([path]) => path);
}

/** The first names of a list, and how many more there are. */
export function listSome(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** Returns the total that an answer states: `at least` where its search ended at a limit. */
export function totalOf({ total, at_least: isCut }: { total: number; at_least: boolean }): string {
  return `${isCut ? 'at least ' : ''}${total.toLocaleString('en')}`;
}
