/** What an address says about a search; everything but `q` is a facet. */
export interface SearchParameters {
  q?: string;
  mode?: SearchMode;
  repo?: string;
  /** With commas between. */
  kinds?: string;
  path?: string;
  tests?: TestFilter;
}

export const SEARCH_MODES = ['words', 'symbols', 'text'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export const TEST_FILTERS = ['include', 'exclude', 'only'] as const;
export type TestFilter = (typeof TEST_FILTERS)[number];

/** Reads an address that anybody may have written: what does not fit is left out, as are defaults. */
export function searchParameters(raw: Record<string, unknown>): SearchParameters {
  const mode = oneOf(SEARCH_MODES, raw['mode']);
  const tests = oneOf(TEST_FILTERS, raw['tests']);
  return {
    ...text('q', raw['q']),
    ...(mode !== undefined && mode !== 'words' && { mode }),
    ...text('repo', raw['repo']),
    ...text('kinds', raw['kinds']),
    ...text('path', raw['path']),
    ...(tests !== undefined && tests !== 'include' && { tests }),
  };
}

function text<Name extends string>(name: Name, value: unknown): { [Key in Name]?: string } {
  // A query such as `404` arrives as a number.
  const known = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return (known === '' ? {} : { [name]: known }) as { [Key in Name]?: string };
}

function oneOf<Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((known) => known === value);
}

/** Reads the filters of a page from its address: texts under these names, without empty ones. */
export function textParameters<Name extends string>(
  names: readonly Name[],
): (raw: Record<string, unknown>) => { [Key in Name]?: string } {
  return (raw) => Object.assign({}, ...names.map((name) => text(name, raw[name]))) as { [Key in Name]?: string };
}
