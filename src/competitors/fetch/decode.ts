/** Where a page says how its text is written. */
const HEAD_BYTES = 2_048;

/**
 * The text of a page: its encoding is told by its first bytes, else by the header, else by the page itself, else it is UTF-8
 * where that fits and windows-1252 otherwise. Names of encodings that nobody knows count as not told.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const marked = markOf(bytes);
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes);
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  const told = [
    /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(contentType)?.[1],
    /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1],
    /^<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1],
  ];
  for (const label of told) {
    const text = decodeAs(bytes, label);
    if (text !== undefined) return text;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function markOf([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined;
}

/** Nothing for an encoding that nobody knows. */
function decodeAs(bytes: Uint8Array, label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return undefined;
  }
}
