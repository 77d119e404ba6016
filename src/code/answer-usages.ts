import type { Row } from '../kernel/answer.ts';
import { ServiceError } from '../kernel/errors.ts';
import { type FoundSymbol, findSymbols, unknownSymbol } from './answer-definition.ts';
import {
  cutPage,
  emptyNotes,
  GRADE_MARKS,
  pageOf,
  requireQuery,
  type RowMaker,
  rowMaker,
  symbolHandle,
} from './answer-rows.ts';
import type { ActionCall, Findings } from './code-tool.ts';
import type { IndexedRepository } from './code-sources.ts';
import type { UsageRow, Use } from './rows.ts';

const MOST_CANDIDATES = 5;

/** Places that are named in the note about uses that only the name suggests. */
const MOST_POSSIBLE = 5;

/** The letter of each use in the text. */
const USE_LETTERS: Record<Use, string> = {
  call: 'c',
  import: 'i',
  type: 't',
  read: 'r',
  write: 'w',
  export: 'e',
  test: 'x',
};

/**
 * `usages`: every place that uses a symbol, its override family included. What only the name suggests is told in a note,
 * apart from the totals; it makes the rows only when nothing better is known.
 */
export async function usagesAnswer(call: ActionCall): Promise<Findings> {
  const query = requireQuery(call.args, 'sendMail');
  const groups = oneSymbol(call, query, (await findSymbols(call, query)).found);
  if (groups.size === 0) throw await unknownSymbol(call, query);
  const { path, tests } = call.args;
  const answers = await Promise.all(
    [...groups].map(async ([repository, symbols]) => {
      const search = { symbols, path, tests, ...pageOf(call) };
      return { make: rowMaker(call, repository), result: await call.sources.ask(repository, ['usages', search]) };
    }),
  );
  const total = answers.reduce((sum, { result }) => sum + result.total, 0);
  const possible = answers.reduce((sum, { result }) => sum + result.named.total, 0);
  const known = answers.flatMap(({ make, result }) => result.rows.map((row) => usageRow(make, row)));
  const named = answers.flatMap(({ make, result }) => result.named.rows.map((row) => usageRow(make, row)));
  if (total === 0 && possible > 0) {
    return { total: possible, rows: cutPage(call, named), counts: { 'by name alone': possible }, notes: [] };
  }
  const places = named.slice(0, MOST_POSSIBLE).map((row) => `${row.group}:${row.id}`);
  return {
    total,
    counts: countUses(answers.map(({ result }) => result.byUse)),
    rows: cutPage(call, known),
    notes: [
      ...(total === 0 ? await emptyNotes(call) : []),
      ...(possible === 0 ? [] : [possibleNote(possible, places)]),
    ],
    extra:
      possible === 0
        ? {}
        : { possible: { total: possible, rows: named.slice(0, MOST_POSSIBLE).map((row) => row.json) } },
  };
}

/**
 * The symbols that count as one: declarations of the same name in the same file.
 *
 * @throws ServiceError `ambiguous_symbol` with up to 5 candidates.
 */
function oneSymbol(
  { args }: ActionCall,
  query: string,
  found: readonly FoundSymbol[],
): Map<IndexedRepository, number[]> {
  const handles = new Map<string, FoundSymbol>();
  for (const one of found) handles.set(`${one.repository.id} ${symbolHandle(one.symbol)}`, one);
  if (handles.size > 1) throw ambiguous(args.action, query, [...handles.values()]);
  const groups = new Map<IndexedRepository, number[]>();
  for (const { repository, symbol } of found) {
    groups.set(repository, [...(groups.get(repository) ?? []), symbol.id]);
  }
  return groups;
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

function possibleNote(possible: number, places: readonly string[]): string {
  const where = places.length === 0 ? '' : `: ${places.join(', ')}${possible > places.length ? ', …' : ''}`;
  return `${possible} more by name alone (?), not resolved${where}`;
}
