import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { Row } from '../../kernel/answer.ts';
import { cutPage, pageOf } from '../../kernel/page.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import type { Root } from '../dependencies/store-dependencies-nodes.ts';
import { TEST_REASONS, type TestPage, type TestRow, type Untested } from '../reach/store-tests.ts';
import type { ActionCall } from './code-tool-input.ts';
import { handleOf } from './dependencies.ts';
import { answerEach } from './each-definition.ts';
import { type ChosenRoot, chooseRoots } from './root.ts';
import { GRADE_MARKS, type RowMaker, rowMaker } from './rows.ts';

/** Steps from a test that are followed when a call does not say. */
export const TESTS_DEFAULTS = { depth: 3 } as const;

/** Functions without tests that the text names; the JSON form has up to 20. */
const MOST_NAMED = 8;

const MOST_HOPS = 5;

const CUT = 'stopped after 5,000 symbols: farther tests are missing; use a smaller depth';

interface Answer {
  make: RowMaker;
  result: TestPage;
}

/**
 * `tests`: the tests that reach a symbol, a path, some lines or a difference of commits, the nearest first, then those that its
 * documentation holds, that are named like it and that changed with it; the commands that run them, and what none of them
 * reaches.
 */
export async function testsAnswer(call: ActionCall): Promise<Findings> {
  return answerEach(call, await chooseRoots(call), testsOfRoot);
}

async function testsOfRoot(call: ActionCall, { roots, path, notes }: ChosenRoot): Promise<Findings> {
  const { depth } = call.args;
  const answers = await Promise.all(
    [...roots].map(async ([repository, root]): Promise<Answer> => {
      const companions = await companionsOf(call, repository, root);
      const search = { root, depth, path, companions, ...pageOf(call) };
      return { make: rowMaker(call, repository), result: await call.sources.ask(repository, ['testsOf', search]) };
    }),
  );
  const sum = (count: (page: TestPage) => number): number =>
    answers.reduce((total, { result }) => total + count(result), 0);
  const rows = answers.flatMap(({ make, result }) => result.rows.map((row) => testRow(make, row)));
  const total = sum((page) => page.total);
  const isCut = answers.some(({ result }) => result.isCut);
  const commands = [...new Set(answers.flatMap(({ result }) => result.commands))];
  const counts = TEST_REASONS.map((reason) => [reason, sum((page) => page.byReason[reason] ?? 0)] as const);
  return {
    total,
    isCut,
    counts: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    rows: cutPage(call, rows),
    notes: [
      ...notes,
      ...commands.map((command) => `run: ${command}`),
      ...(total > 0 && commands.length === 0 ? ['the repository does not say how they are run'] : []),
      ...(total === 0
        ? [nothingNear(depth, sum(({ untested }) => untested.of - untested.total - untested.byName) > 0)]
        : []),
      ...untestedNotes(answers.map(({ make, result }) => ({ make, untested: result.untested }))),
      ...(isCut ? [CUT] : []),
    ],
    extra: {
      commands,
      ...(call.offset === 0 && {
        untested: {
          of: sum(({ untested }) => untested.of),
          total: sum(({ untested }) => untested.total),
          by_name: sum(({ untested }) => untested.byName),
          rows: answers.flatMap(({ make, result }) =>
            result.untested.rows.map((row) => ({
              ...make.repo,
              path: row.path,
              line: row.line,
              symbol: row.symbol,
              id: handleOf(row),
            })),
          ),
        },
      }),
    },
  };
}

function nothingNear(depth: number, isReached: boolean): string {
  const near = `no test is known to reach it within ${depth} hops, is named like it or changed with it`;
  return isReached && depth < MOST_HOPS ? `${near}; depth=${MOST_HOPS} looks for those farther away` : near;
}

/** The files that changed with those asked about; none of a test, which is what is looked for. */
async function companionsOf(call: ActionCall, repository: IndexedRepository, root: Root) {
  if (call.history === undefined) return [];
  const paths = await call.sources.ask(repository, ['filesOfRoot', { root }]);
  return call.history.changedWith(repository, paths);
}

function testRow(make: RowMaker, row: TestRow): Row {
  const { path, line, test, reason, hop, via, grade, shared, revisions, command } = row;
  const name = test === '' ? 'file' : test;
  return {
    group: make.group(path),
    id: `${line} ${name}`,
    line: `${line} ${name} ${GRADE_MARKS[grade]}  ${reasonText(row)}`,
    json: {
      ...make.repo,
      path,
      line,
      test,
      reason,
      ...(hop > 0 && { hop }),
      ...(via !== '' && { via }),
      grade,
      ...(shared !== undefined && { shared, revisions }),
      ...(command !== undefined && { command }),
    },
  };
}

function reasonText({ reason, hop, via, shared = 0, revisions = 0 }: TestRow): string {
  if (reason === 'changed together') return `changed together in ${shared} of ${revisions} commits`;
  if (hop === 0) return reason;
  return `${reason}, hop ${hop}${via === '' ? '' : ` via ${via}`}`;
}

/** Functions of what was asked about that no test reaches, in a sentence or two. */
export function untestedNotes(answers: readonly { make: RowMaker; untested: Untested }[]): string[] {
  const total = answers.reduce((sum, { untested }) => sum + untested.total, 0);
  const of = answers.reduce((sum, { untested }) => sum + untested.of, 0);
  const byName = answers.reduce((sum, { untested }) => sum + untested.byName, 0);
  const notes = byName === 0 ? [] : [`${byName} of ${of} are reached at most by name alone (?)`];
  if (total === 0) return notes;
  const named = answers.flatMap(({ make, untested }) =>
    untested.rows.map(({ path, line, symbol }) => `${symbol} ${make.group(path)}:${line}`),
  );
  const more = total > MOST_NAMED ? `, and ${total - MOST_NAMED} more` : '';
  return [`no test is known to reach ${total} of ${of}: ${named.slice(0, MOST_NAMED).join(', ')}${more}`, ...notes];
}
