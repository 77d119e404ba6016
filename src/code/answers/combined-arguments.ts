import type { CombinedArguments } from '../../platform/operation/operation.ts';
import { OtherArguments } from '../../platform/operation/other-arguments.ts';

type Given = Record<string, unknown>;

/** Actions whose query may be a place. */
const OF_PLACES: readonly unknown[] = ['definition', 'usages', 'implementations', 'dependencies', 'impact', 'tests'];

/**
 * Translates arguments of editors and other tools for `code-tool`: a line and column, or a range of lines, beside a file; a
 * glob beside a folder; the switches of `grep`; whether a body or tests are requested.
 */
export function combineCodeArguments(given: Given, others: Given): CombinedArguments {
  const other = new OtherArguments(others);
  let args = withSwitches(given, other);
  args = args['action'] === 'grep' ? asPattern(args, other) : args;
  args = withGlob(args, other);
  if (OF_PLACES.includes(args['action'])) args = atPlace(args, other);
  if (args['action'] === 'outline') args = withoutQuery(args);
  const hasQualifier = args['kind'] !== undefined || args['path'] !== undefined;
  if (args['action'] === 'search_symbols' && args['query'] === undefined && hasQualifier)
    args = { ...args, query: '*' };
  return { args, used: other.used };
}

/** `include_body: true` and `include_tests: false`. */
function withSwitches(args: Given, other: OtherArguments): Given {
  const isBody = other.says(true, 'include_body', 'include_source', 'include_code', 'with_body');
  const noTests = other.says(false, 'include_tests') || other.says(true, 'exclude_tests');
  return { ...(isBody && { detail: 'body' }), ...(noTests && { tests: 'exclude' }), ...args };
}

/** `-i` and its like, and patterns that are plain text. */
function asPattern(args: Given, other: OtherArguments): Given {
  const { query } = args;
  if (typeof query !== 'string') return args;
  const isPlain =
    other.says(true, 'fixed_strings', 'literal', '_f') || other.says(false, 'is_regex', 'regexp', 'use_regex');
  const isAnyCase =
    other.says(true, '_i', 'ignore_case', 'case_insensitive') || other.says(false, 'case_sensitive', 'match_case');
  const pattern = isPlain ? query.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&') : query;
  return { ...args, query: isAnyCase && !pattern.startsWith('(?i') ? `(?i)${pattern}` : pattern };
}

/** A folder, and a glob that holds within it. */
function withGlob(args: Given, other: OtherArguments): Given {
  const { path } = args;
  if (typeof path !== 'string' || /[*?]/.test(path) || /\.\w+$/.test(path)) return args;
  const glob = other.text('glob', 'include', 'include_pattern', 'file_pattern');
  if (glob === undefined) return args;
  const inside = glob.startsWith('**/') || glob.includes('/') ? glob : `**/${glob}`;
  const folder = path.replaceAll(/^(?:\.?\/)+|\/+$/g, '');
  return { ...args, path: folder === '' || folder === '.' ? inside : `${folder}/${inside}` };
}

/**
 * A file with a line, a column or a range of lines as one query, and a file alone as what is to be read. Beside a query
 * the location decides: the word at the column, or without one the name of the query on that line.
 */
function atPlace(args: Given, other: OtherArguments): Given {
  const { path, query, ...rest } = args;
  if (typeof path !== 'string' || /[*?]/.test(path)) return args;
  if (query !== undefined) return atNamedPlace(args, other);
  const [from, to] = other.range('view_range', 'line_range', 'range', 'lines') ?? [
    other.number('line', 'line_number', 'start_line', 'from_line', 'line_start'),
    other.number('end_line', 'to_line', 'line_end'),
  ];
  if (from !== undefined && to !== undefined && args['action'] === 'definition')
    return { ...rest, query: `${path}:${from}-${to}` };
  const column = columnOf(other);
  if (from !== undefined) return { ...rest, query: [path, from, ...(column === undefined ? [] : [column])].join(':') };
  return args['action'] === 'definition' || /[:#]L?\d/.test(path) ? { ...rest, query: path } : args;
}

function atNamedPlace(args: Given, other: OtherArguments): Given {
  const { path, query, ...rest } = args;
  const line = other.number('line', 'line_number', 'start_line');
  if (line === undefined || typeof query !== 'string') return args;
  const name = /[\p{L}\p{N}_$]+(?=\W*$)/u.exec(query)?.[0];
  const place = columnOf(other) ?? name;
  return { ...rest, query: [path, line, ...(place === undefined ? [] : [place])].join(':') };
}

/** A column from 0, as editors count characters. */
function columnOf(other: OtherArguments): number | undefined {
  return other.count('column', 'character', 'col');
}

/** The files of an outline are a path: the end of one (`store.ts`) is it anywhere. */
function withoutQuery({ query, ...args }: Given): Given {
  return query === undefined || args['path'] !== undefined ? { query, ...args } : { ...args, path: query };
}
