/** Range of `a..b` and `a...b`; an end that is omitted is ''. */
export interface RefRange {
  from: string;
  to: string;
  /** `a...b`: what the second has since the two parted. */
  isSinceParting: boolean;
}

/** Reads `a..b` or `a...b`, of which either end may be left out, or both; undefined for what is no range. */
export function readRefRange(query: string): RefRange | undefined {
  const [matched, from = '', dots = '', to = ''] = /^\s*([^\s]*?)\s*(\.{2,3})\s*([^\s.]\S*)?\s*$/.exec(query) ?? [];
  return matched === undefined ? undefined : { from, to, isSinceParting: dots === '...' };
}
