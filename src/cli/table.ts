import { visible } from '../kernel/visible.ts';

/** Rows under headings, in columns two spaces apart. No cell can make up a row. */
export function table(headings: readonly string[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(visible));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  return [headings, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
