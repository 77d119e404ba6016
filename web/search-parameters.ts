/** Parameters of a search in an address; everything but `q` is a facet. */
export interface SearchParameters {
  q?: string;
  mode?: SearchMode;
  /** One kind of source; with `all` alone. */
  corpus?: Corpus;
  /** A date or a span such as `30d`; with `all` alone. */
  since?: string;
  repo?: string;
  /** With commas between. */
  kinds?: string;
  path?: string;
  tests?: TestFilter;
}

/** `all`: everything that is indexed. The others: code by meaning, by the names of symbols, by its text. */
const SEARCH_MODES = ['all', 'words', 'symbols', 'text'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

/** Sources that `search-tool` searches. */
export const CORPORA = ['code', 'commits', 'plans', 'documents', 'signals', 'decisions', 'competitors'] as const;
export type Corpus = (typeof CORPORA)[number];

const TEST_FILTERS = ['include', 'exclude', 'only'] as const;
export type TestFilter = (typeof TEST_FILTERS)[number];

/** Reads an address that anybody may have written: what does not fit is left out, as are defaults. */
export function searchParameters(raw: Record<string, unknown>): SearchParameters {
  const mode = oneOf(SEARCH_MODES, raw['mode']);
  const corpus = oneOf(CORPORA, raw['corpus']);
  const tests = oneOf(TEST_FILTERS, raw['tests']);
  return {
    ...text('q', raw['q']),
    ...(mode !== undefined && mode !== 'all' && { mode }),
    ...(corpus !== undefined && { corpus }),
    ...text('since', raw['since']),
    ...text('repo', raw['repo']),
    ...text('kinds', raw['kinds']),
    ...text('path', raw['path']),
    ...(tests !== undefined && tests !== 'include' && { tests }),
  };
}

function text<Name extends string>(name: Name, value: unknown): { [Key in Name]?: string } {
  // A query such as `404` arrives as a number.
  const parameter = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return (parameter === '' ? {} : { [name]: parameter }) as { [Key in Name]?: string };
}

function oneOf<Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((candidate) => candidate === value);
}

/** Reads the filters of a page from its address: texts under these names, without empty ones. */
export function textParameters<Name extends string>(
  names: readonly Name[],
): (raw: Record<string, unknown>) => { [Key in Name]?: string } {
  return (raw) => Object.assign({}, ...names.map((name) => text(name, raw[name]))) as { [Key in Name]?: string };
}
