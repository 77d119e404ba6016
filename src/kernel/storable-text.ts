const MOST_PATH_CHARACTERS = 200;

/**
 * Returns where a string is that neither a database nor a file can hold (U+0000 or half of a character), as `signals[3].text`;
 * undefined where there is none. Without recursion, because a value may be nested a million deep.
 */
export function findUnstorableText(value: unknown): string | undefined {
  const open: { part: unknown; at: string }[] = [{ part: value, at: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, at } = next;
    if (typeof part === 'string' && !isText(part)) return at;
    if (Array.isArray(part))
      for (const [index, item] of part.entries()) open.push({ part: item, at: pathIn(at, index) });
    else if (typeof part === 'object' && part !== null)
      for (const [key, item] of Object.entries(part)) {
        if (!isText(key)) return `a name in ${at === '' ? 'it' : at}`;
        open.push({ part: item, at: pathIn(at, key) });
      }
  }
  return undefined;
}

/** A text without what neither a database nor a file can hold. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The path of a field or item, cut where it is nested deep. */
function pathIn(at: string, key: string | number): string {
  const path = typeof key === 'number' ? `${at}[${key}]` : `${at === '' ? '' : `${at}.`}${key}`;
  return path.slice(0, MOST_PATH_CHARACTERS);
}
