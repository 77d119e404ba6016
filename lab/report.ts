/** One figure. `goal` says what it should be, for people. */
export interface Row {
  topic: string;
  name: string;
  value: number | undefined;
  unit: string;
  goal?: string;
  note?: string;
}

/** The rows of one subject as a table for people: largest unit that keeps three digits, goals beside. */
export function tableOf(title: string, rows: readonly Row[]): string {
  const cells = rows.map(({ topic, name, value, unit, goal = '', note = '' }) => [
    topic,
    name,
    value === undefined ? 'not known' : `${showNumber(value)} ${unit}`.trim(),
    goal,
    note,
  ]);
  return gridOf(title, ['topic', 'what', 'value', 'goal', 'note'], cells);
}

/** Cells below their heads, as a table of Markdown. */
export function gridOf(title: string, head: readonly string[], cells: readonly (readonly string[])[]): string {
  const widths = head.map((text, column) => Math.max(text.length, ...cells.map((cell) => cell[column]?.length ?? 0)));
  const line = (cell: readonly string[]): string =>
    `| ${cell.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return ['', `### ${title}`, '', line(head), rule, ...cells.map(line), ''].join('\n');
}

/** A number with three digits, or all that are before the point. */
export function showNumber(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en');
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
