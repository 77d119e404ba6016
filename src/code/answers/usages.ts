import { CODE_ROWS } from '../outputs/outputs.ts';
import { baseName } from '../../kernel/paths.ts';
import { cutPage, pageOf } from '../../kernel/page.ts';
import type { Row } from '../../kernel/answer.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { answerEach } from './each-definition.ts';
import { type Choice, chooseSymbols } from './find-symbols.ts';
import { emptyNotes, GRADE_MARKS, requireQuery, type RowMaker, rowMaker } from './rows.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import type { ActionCall } from './code-tool-input.ts';
import type { UsageRow, Use } from '../../code-index/format/rows.ts';
import type { ApartRow, UsagePage } from '../usages/store-usages.ts';
import { wordPattern } from '../usages/unparsed-lines.ts';

/** Places that are named in the note about uses that only the name suggests. */
const MOST_POSSIBLE = 5;

/** Members of the override family that are named in the note about those looked for apart. */
const MOST_APART = 3;

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

const USES = Object.keys(USE_LETTERS) as Use[];

/**
 * `usages`: every place that uses a symbol, its override family included (in Python told in a note). What only the name suggests is told in a note,
 * apart from the totals; it makes the rows only when nothing better is known.
 */
export async function usagesAnswer(call: ActionCall): Promise<Findings> {
  const query = requireQuery(call.args, 'sendMail');
  const uses = parseUses(call.args);
  return answerEach(call, await chooseSymbols(call, query), (one, choice) => usagesOf(one, uses, choice));
}

async function usagesOf(
  call: ActionCall,
  uses: Use[] | undefined,
  { symbols, path, notes: choiceNotes }: Choice,
): Promise<Findings> {
  const notes = [...choiceNotes];
  const scoped = { ...call, args: { ...call.args, path } };
  const answers = await Promise.all(
    [...symbols].map(async ([repository, ids]) => {
      const search = { symbols: ids, uses, path, tests: call.args.tests, ...pageOf(call) };
      return { make: rowMaker(call, repository), result: await call.sources.ask(repository, ['usages', search]) };
    }),
  );
  const total = answers.reduce((sum, { result }) => sum + result.total, 0);
  const possible = answers.reduce((sum, { result }) => sum + result.named.total, 0);
  const resolved = answers.flatMap(({ make, result }) => result.rows.map((row) => usageRow(make, row)));
  const named = answers.flatMap(({ make, result }) => result.named.rows.map((row) => usageRow(make, row)));
  const own = answers.reduce((sum, { result }) => sum + result.own, 0);
  if (own < total) notes.push(`${own} of these use it itself and come first, ${total - own} use its override family`);
  notes.push(...apartNotes(answers.flatMap(({ result }) => result.apart)));
  const inText = joinTextUses(call, answers);
  if (inText.total > 0) notes.push(inText.note);
  const shortfall = inText.total > 0 ? { inText: inText.json } : {};
  if (total === 0 && possible > 0) {
    const counts = { 'by name alone': possible };
    return { total: possible, rows: cutPage(call, named), counts, notes, extra: shortfall };
  }
  const rows = named.slice(0, MOST_POSSIBLE).map((row) => row.json);
  return {
    total,
    isCut: answers.some(({ result }) => result.isCut),
    counts: countUses(answers.map(({ result }) => result.byUse)),
    rows: cutPage(call, resolved),
    notes: [
      ...notes,
      ...(total === 0 ? await emptyNotes(scoped) : []),
      ...(possible === 0 ? [] : [possibleNote(possible, named)]),
    ],
    extra: { own, ...(possible > 0 && { possible: { total: possible, rows } }), ...shortfall },
  };
}

/** Adds the matches of the names in the text beyond all uses, and the call that shows them. */
function joinTextUses(
  { args }: ActionCall,
  answers: readonly { make: RowMaker; result: UsagePage }[],
): { total: number; note: string; json: Record<string, unknown> } {
  const total = answers.reduce((sum, { result }) => sum + result.inText.total, 0);
  const rows = answers.flatMap(({ make, result }) => result.inText.rows.map((row) => usageRow(make, row)));
  const names = [...new Set(answers.flatMap(({ result }) => result.inText.names))];
  const grep = { action: 'grep', query: wordPattern(names), ...(args.path !== undefined && { path: args.path }) };
  const shown = rows.slice(0, MOST_POSSIBLE);
  const where = shown.map(({ group, id }) => `${group}:${id}`).join(', ');
  return {
    total,
    note: `${total} more in text, in code that was not understood: ${where}${total > shown.length ? ', …' : ''}; code-tool grep ${grep.query} shows them`,
    json: { total, rows: shown.map(({ json }) => json), call: grep },
  };
}

/** @throws ServiceError `bad_argument` for a word that is no use. */
function parseUses({ kind }: ActionCall['args']): Use[] | undefined {
  if (kind === undefined || kind.length === 0) return undefined;
  return kind.map((word) => {
    const match = USES.find((use) => [use, `${use}s`].includes(word.trim().toLowerCase()));
    if (match !== undefined) return match;
    throw new ServiceError('bad_argument', `"${word}" is not a use.`, {
      fix: `code-tool usages with kind from: ${USES.join(', ')}`,
    });
  });
}

function usageRow(make: RowMaker, row: UsageRow): Row {
  const { path, line, use, enclosing, text, grade, family, overridden } = row;
  const inside = withoutFileName(enclosing, path);
  const relation = overridden === true ? ['overridden by it'] : family === true ? ['of its family'] : [];
  const where = [...(inside === '' ? [] : [`in ${inside}`]), ...relation];
  const around = where.length === 0 ? '' : `  ${where.join(', ')}`;
  return {
    group: make.group(path),
    id: `${line}`,
    line: `${line} ${USE_LETTERS[use]} ${text} ${GRADE_MARKS[grade]}${around}`,
    json: make.json(CODE_ROWS.usage, row, {}),
  };
}

/** The class that a file is called by is not said again in each of its rows. */
function withoutFileName(enclosing: string, path: string): string {
  const file = baseName(path);
  const stem = file.slice(0, file.indexOf('.', 1));
  return stem !== '' && enclosing.startsWith(`${stem}/`) ? enclosing.slice(stem.length + 1) : enclosing;
}

function countUses(counts: readonly Partial<Record<Use, number>>[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const counted of counts) {
    for (const [use, count] of Object.entries(counted)) totals[use] = (totals[use] ?? 0) + count;
  }
  return totals;
}

/** Notes on uses of the other members of an override family, which are not counted as the member itself. */
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
