/** The notice at the top of a generated page. */
export const GENERATED_NOTICE = '<!-- Written by `node scripts/reference.ts` from the declarations in src/. -->';

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [tableRow(head), `|${'---|'.repeat(head.length)}`, ...rows.map(tableRow)].join('\n');
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeCell).join(' | ')} |`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** A page of paragraphs, with the notice that it is generated. */
export function page(title: string, ...parts: readonly string[]): string {
  return `${[`# ${title}`, GENERATED_NOTICE, ...parts].join('\n\n')}\n`;
}
