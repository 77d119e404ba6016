/**
 * The keys of one table of a TOML text, with their values as written, without a comment behind them. Undefined when there
 * is no such table. `a.b` is found as `[a.b]`, as keys `b.x` of `[a]`, and as `b = { x = … }`. Of a value over several
 * lines only the first is read, and what is broken elsewhere does not matter: manifests are read for a few keys.
 */
export function readTable(text: string, table: string): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>();
  let [isThere, around] = [false, ''];
  for (const line of text.split('\n')) {
    const header = /^\s*\[\s*([\w."' -]+?)\s*\]\s*(?:#.*)?$/.exec(line)?.[1];
    if (header !== undefined || /^\s*\[\[/.test(line)) {
      around = header === undefined ? '' : plainPath(header);
      isThere ||= header !== undefined && around === table;
      continue;
    }
    const [, key, value = ''] =
      /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key === undefined) continue;
    const path = around === '' ? plainPath(key) : `${around}.${plainPath(key)}`;
    if (path === table) {
      isThere = true;
      for (const [inner, written] of inlineKeys(value)) values.set(inner, written);
    } else if (path.startsWith(`${table}.`)) {
      isThere = true;
      values.set(path.slice(table.length + 1), withoutComment(value));
    }
  }
  return isThere ? values : undefined;
}

/** A value in quotes; undefined when it is none. */
export function tomlString(value: string | undefined): string | undefined {
  const [, double, single] = /^(?:"([^"]*)"|'([^']*)')/.exec(value ?? '') ?? [];
  return double ?? single;
}

/** `a . "b"` is the path `a.b`. */
function plainPath(path: string): string {
  return path.replaceAll(/["']/g, '').replaceAll(/\s*\.\s*/g, '.');
}

/** The keys of `{ a = "x", b = 1 }`, of one line. */
function inlineKeys(value: string): [key: string, value: string][] {
  const inside = /^\{(.*)\}/.exec(value)?.[1] ?? '';
  return [...inside.matchAll(/([\w-]+|"[^"]*"|'[^']*')\s*=\s*("[^"]*"|'[^']*'|[^,]*)/g)].map(
    ([, key = '', written = '']) => [plainPath(key), written.trim()],
  );
}

function withoutComment(value: string): string {
  return (/^(?:"[^"]*"|'[^']*')/.exec(value)?.[0] ?? value.replace(/#.*$/, '')).trim();
}
