/** Value of a JSON text. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * A JSON object as artifacts are written: sorted keys, and a list at the top one entry a line, so that a diff shows what
 * changed and nothing else. The same content gives the same bytes.
 */
export function rowText(document: Readonly<Record<string, Json>>): string {
  const entries = sortedEntries(document).map(([key, value]) => {
    const name = JSON.stringify(key);
    if (!isList(value)) return `${name}: ${lineOf(value)}`;
    return value.length === 0 ? `${name}: []` : `${name}: [\n${value.map(lineOf).join(',\n')}\n]`;
  });
  return `{\n${entries.join(',\n')}\n}\n`;
}

/** A value in one line, its keys sorted. */
export function lineOf(value: Json): string {
  return JSON.stringify(value, (_, inner: Json) =>
    typeof inner === 'object' && inner !== null && !isList(inner) ? Object.fromEntries(sortedEntries(inner)) : inner,
  );
}

/** Entries sorted by code unit, which no language setting changes. */
function sortedEntries(object: Readonly<Record<string, Json>>): [string, Json][] {
  return Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
