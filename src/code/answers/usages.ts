import { cutPage, pageOf } from '../../kernel/page.ts';
import type { Row } from '../../kernel/answer.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { type FoundSymbol, findSymbols, unknownSymbol } from './definition.ts';
import { emptyNotes, GRADE_MARKS, requireQuery, type RowMaker, rowMaker, symbolHandle } from './rows.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import type { ActionCall } from './action.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { UsageRow, Use } from '../../code-index/format/rows.ts';
import type { ApartRow } from '../usages/store-usages.ts';

const MOST_CANDIDATES = 5;

/** Places that are named in the note about uses that only the name suggests. */
const MOST_POSSIBLE = 5;

/** Members of the override family that are named in the note about those looked for apart. */
const MOST_APART = 3;

/** Overloads that are named in the note about those that are counted together. */
const MOST_OVERLOADS = 10;

/** The letter of each use in the text. */
const USE_LETTERS: Record<Use, string> = {
  call: 'c',
  import: 'i',
  type: 't',
  read: 'r',
  write: 'w',
  export: 'e',
  test: 'x',
  implements: 'm',
};

/**
 * `usages`: every place that uses a symbol, its override family included (in Python told in a note). What only the name suggests is told in a note,
 * apart from the totals; it makes the rows only when nothing better is known.
 */
export async function usagesAnswer(call: ActionCall): Promise<Findings> {
  const query = requireQuery(call.args, 'sendMail');
  const { symbols, path, notes } = await chooseSymbol(call, query);
  const scoped = { ...call, args: { ...call.args, path } };
  const answers = await Promise.all(
    [...symbols].map(async ([repository, ids]) => {
      const search = { symbols: ids, path, tests: call.args.tests, ...pageOf(call) };
      return { make: rowMaker(call, repository), result: await call.sources.ask(repository, ['usages', search]) };
    }),
  );
  const total = answers.reduce((sum, { result }) => sum + result.total, 0);
  const possible = answers.reduce((sum, { result }) => sum + result.named.total, 0);
  const known = answers.flatMap(({ make, result }) => result.rows.map((row) => usageRow(make, row)));
  const named = answers.flatMap(({ make, result }) => result.named.rows.map((row) => usageRow(make, row)));
  notes.push(...apartNotes(answers.flatMap(({ result }) => result.apart)));
  if (total === 0 && possible > 0) {
    return { total: possible, rows: cutPage(call, named), counts: { 'by name alone': possible }, notes };
  }
  const rows = named.slice(0, MOST_POSSIBLE).map((row) => row.json);
  return {
    total,
    counts: countUses(answers.map(({ result }) => result.byUse)),
    rows: cutPage(call, known),
    notes: [
      ...notes,
      ...(total === 0 ? await emptyNotes(scoped) : []),
      ...(possible === 0 ? [] : [possibleNote(possible, named)]),
    ],
    extra: possible === 0 ? {} : { possible: { total: possible, rows } },
  };
}

interface Choice {
  /** Ids of the symbols that count as one, by repository. */
  symbols: Map<IndexedRepository, number[]>;
  /** Where what uses it is looked for; everywhere when absent. */
  path: string | undefined;
  notes: string[];
}

/**
 * The one symbol that is meant: declarations of one name in one file, or one override family. `path` picks among several:
 * the file that defines one of them picks it and limits nothing; a folder or glob picks when one is inside, and limits.
 *
 * @throws ServiceError `unknown_symbol`, or `ambiguous_symbol` with up to 5 candidates.
 */
export async function chooseSymbol(call: ActionCall, query: string): Promise<Choice> {
  const { path } = call.args;
  const anywhere = { ...call, args: { ...call.args, path: undefined, tests: 'include' as const } };
  const { found } = await findSymbols(anywhere, query);
  if (found.length === 0) throw await unknownSymbol(anywhere, query);
  const file = path?.replace(/^(?:\.?\/)+/, '');
  const defined = found.filter(({ symbol }) => symbol.path === file);
  if (defined.length > 0) {
    const isChoice = handlesOf(found).size > 1;
    const shown = call.args.action === 'impact' ? 'users' : call.args.action;
    const notes = isChoice ? [] : [`path is the file that defines it, so ${shown} in all files are shown`];
    return { symbols: await oneSymbol(call, query, defined), path: undefined, notes: [...notes, ...together(defined)] };
  }
  const inside =
    path !== undefined && handlesOf(found).size > 1
      ? (await findSymbols({ ...anywhere, args: { ...anywhere.args, path } }, query)).found
      : [];
  const meant = inside.length > 0 ? inside : found;
  return { symbols: await oneSymbol(call, query, meant), path, notes: together(meant) };
}

/** Says which overloads a name means: all of them, until one is asked for by its handle. */
function together(found: readonly FoundSymbol[]): string[] {
  const overloads = found.filter(
    ({ symbol }) => symbol.parameters !== '' && symbol.qualified === found[0]?.symbol.qualified,
  );
  const [first] = overloads;
  if (first === undefined || overloads.length < 2) return [];
  const shown = overloads.slice(0, MOST_OVERLOADS).map(({ symbol }) => `${symbol.parameters} line ${symbol.line}`);
  const more = overloads.length > MOST_OVERLOADS ? ` and ${overloads.length - MOST_OVERLOADS} more` : '';
  const handle = symbolHandle(first.symbol);
  return [
    `${overloads.length} overloads of ${first.symbol.qualified} counted together: ${shown.join('; ')}${more}; for a single one: query="${handle}"`,
  ];
}

/**
 * What a name means: code rather than a heading of a document.
 *
 * @throws ServiceError `ambiguous_symbol` unless these are one symbol, or one override family.
 */
async function oneSymbol(
  call: ActionCall,
  query: string,
  found: readonly FoundSymbol[],
): Promise<Map<IndexedRepository, number[]>> {
  const code = found.filter(({ symbol }) => symbol.kind !== 'heading');
  const { meant, candidates } = outermost(code.length > 0 ? code : found);
  const handles = handlesOf(candidates);
  const groups = Map.groupBy(meant, ({ repository }) => repository);
  const symbols = new Map([...groups].map(([one, members]) => [one, members.map(({ symbol }) => symbol.id)] as const));
  if (handles.size === 1) return symbols;
  const [[repository, ids] = []] = symbols;
  if (symbols.size > 1 || repository === undefined || ids === undefined) {
    throw ambiguous(call.args.action, query, [...handles.values()]);
  }
  const families = await call.sources.ask(repository, ['countFamilies', { symbols: ids }]);
  if (families > 1) throw ambiguous(call.args.action, query, [...handles.values()]);
  return symbols;
}

/**
 * Who names something that holds a namesake means the outer one: a class, not its constructor, whose uses are its own; a
 * function, not a local one of the same name inside it.
 */
function outermost(found: readonly FoundSymbol[]): {
  meant: readonly FoundSymbol[];
  candidates: readonly FoundSymbol[];
} {
  const outer = found.find((one) =>
    found.every((other) => handleKey(other) === handleKey(one) || isInside(other, one)),
  );
  if (outer === undefined) return { meant: found, candidates: found };
  const same = found.filter((one) => handleKey(one) === handleKey(outer));
  const constructors = found.filter(({ symbol }) => symbol.kind === 'method' && outer.symbol.kind !== 'function');
  return { meant: [...same, ...constructors.filter((one) => isInside(one, outer))], candidates: same };
}

function isInside({ repository, symbol }: FoundSymbol, outer: FoundSymbol): boolean {
  const { path, qualified } = outer.symbol;
  return repository === outer.repository && symbol.path === path && symbol.qualified.startsWith(`${qualified}/`);
}

/** What overloads of one name in one file share. */
function handleKey({ repository, symbol: { qualified, path } }: FoundSymbol): string {
  return `${repository.id} ${symbolHandle({ qualified, path })}`;
}

/** One symbol a handle: declarations of the same name in the same file are one, and so are overloads. */
function handlesOf(found: readonly FoundSymbol[]): Map<string, FoundSymbol> {
  return new Map(found.map((one) => [handleKey(one), one]));
}

function ambiguous(action: string, query: string, candidates: readonly FoundSymbol[]): ServiceError {
  const shown = candidates
    .slice(0, MOST_CANDIDATES)
    .map(({ symbol }) => `${symbol.kind} ${symbolHandle(symbol)} line ${symbol.line}`);
  const more = candidates.length > MOST_CANDIDATES ? ` and ${candidates.length - MOST_CANDIDATES} more` : '';
  const [first] = candidates;
  const handle = first === undefined ? query : symbolHandle(first.symbol);
  return new ServiceError(
    'ambiguous_symbol',
    `"${query}" names ${candidates.length} symbols: ${shown.join('; ')}${more}.`,
    {
      fix: `code-tool ${action} query=${JSON.stringify(handle)}`,
    },
  );
}

function usageRow(make: RowMaker, row: UsageRow): Row {
  const { path, line, column, use, enclosing, text, grade, test } = row;
  const around = enclosing === '' ? '' : `  in ${enclosing}`;
  return {
    group: make.group(path),
    id: `${line}`,
    line: `${line} ${USE_LETTERS[use]} ${text} ${GRADE_MARKS[grade]}${around}`,
    json: make.json({ path, line, column, use, enclosing, text, grade, test }),
  };
}

function countUses(counts: readonly Partial<Record<Use, number>>[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const one of counts) {
    for (const [use, count] of Object.entries(one)) totals[use] = (totals[use] ?? 0) + count;
  }
  return totals;
}

/** What uses the rest of an override family that is not counted as the member itself. */
function apartNotes(apart: readonly ApartRow[]): string[] {
  if (apart.length === 0) return [];
  const shown = apart
    .toSorted((a, b) => b.uses - a.uses)
    .slice(0, MOST_APART)
    .map(({ path, qualified, uses }) => `${path}#${qualified} (${uses})`);
  const more = apart.length > MOST_APART ? ` and ${apart.length - MOST_APART} more` : '';
  return [`not included, uses of its override family: ${shown.join(', ')}${more}`];
}

function possibleNote(possible: number, named: readonly Row[]): string {
  const places = named.slice(0, MOST_POSSIBLE).map((row) => `${row.group}:${row.id}`);
  const where = places.length === 0 ? '' : `: ${places.join(', ')}${possible > places.length ? ', …' : ''}`;
  return `${possible} more by name alone (?), not resolved${where}`;
}
