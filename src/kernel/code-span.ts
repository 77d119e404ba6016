/** Code between equal fences of backticks, as Markdown reads it. Groups: the fence, and what stands in it. */
export const CODE_SPAN = /(?<!`)(`+)(?!`)([^\n]*?[^`\n])\1(?!`)/g;

/** Code as it stands in a sentence: unchanged, on one line, in a fence of more backticks than stand together in it. */
export function codeSpan(code: string): string {
  const line = onOneLine(code);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  // Markdown takes away one space at each end.
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

export function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
