const OPENING = '([{<';
const CLOSING = ')]}>';

/** Returns the index at which the bracket closes that opens at `open`; -1 when it does not. */
export function endOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const isArrow = text[at] === '>' && (text[at - 1] === '=' || text[at - 1] === '-');
    if (OPENING.includes(text[at] ?? '')) depth += 1;
    else if (CLOSING.includes(text[at] ?? '') && !isArrow) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** The parts between commas that are in no brackets. */
export function splitTop(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && OPENING.includes(text[at] ?? '')) {
      const end = endOf(text, at);
      if (end !== -1) at = end;
    } else if (at === text.length || text[at] === ',') {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return parts.filter((part) => part !== '');
}
