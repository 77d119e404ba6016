import { CODE_ROWS } from '../outputs/outputs.ts';
import { cutPage, pageOf } from '../../kernel/page.ts';
import type { Row } from '../../kernel/answer.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { EntryPointRow, EntryReason } from '../dependencies/store-entry-points.ts';
import type { ImpactPage, ImpactRow } from '../dependencies/store-impact.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import { type ActionCall, MOST_DEPTH } from './code-tool-input.ts';
import { type NamedPlace, namingTexts, somePlaces } from '../naming/naming.ts';
import { findSymbols } from './find-symbols.ts';
import { handleOf, possibleNotes } from './dependencies.ts';
import { answerEach } from './each-definition.ts';
import { type ChosenRoot, chooseRoots } from './root.ts';
import { GRADE_MARKS, type RowMaker, rowMaker } from './rows.ts';
import { reviewOfChange } from './review-change.ts';

/** Entry points and tests that the text names; the JSON form has up to 20 of each. */
const MOST_NAMED = 5;

const REASONS: Record<EntryReason, string> = {
  main: 'a program starts here',
  package: 'exported by a package',
  unused: 'no code here uses it, tests aside',
};

interface Answer {
  repository: IndexedRepository;
  make: RowMaker;
  result: ImpactPage;
}

/**
 * `impact`: who is affected by a change of a symbol, a path, some lines or a difference of commits, by hop, with the tests and entry points that
 * are reached; of a difference also what of it no test reaches and who knows its files.
 */
export async function impactAnswer(call: ActionCall): Promise<Findings> {
  return answerEach(call, await chooseRoots(call), impactOf);
}

async function impactOf(call: ActionCall, chosen: ChosenRoot): Promise<Findings> {
  const { depth, tests } = call.args;
  const { roots, path, notes } = chosen;
  const search = { depth, path, tests, ...pageOf(call) };
  const answers = await Promise.all(
    [...roots].map(async ([repository, root]) => {
      const result = await call.sources.ask(repository, ['impact', { root, ...search }]);
      return { repository, make: rowMaker(call, repository), result };
    }),
  );
  const sum = (count: (page: ImpactPage) => number): number =>
    answers.reduce((total, { result }) => total + count(result), 0);
  const total = sum((page) => page.total);
  const hops = Array.from({ length: depth }, (_, at) => [`hop${at + 1}`, sum((page) => page.byHop[at] ?? 0)] as const);
  const entryPoints = sum((page) => page.entryPoints.total);
  const testFiles = sum((page) => page.testFiles.total);
  const hits = answers.flatMap(({ result }) => result.rows.flatMap(placesOf));
  const work = await call.naming(somePlaces([...(await rootPlaces(call, chosen)), ...hits]));
  const review = await reviewOfChange(call, chosen);
  const rows = answers.flatMap(({ make, result }) => result.rows.map((row) => impactRow(make, row)));
  const isCut = answers.some(({ result }) => result.isCut);
  const followed = sum((page) => page.reached);
  return {
    total,
    isCut,
    counts: { ...Object.fromEntries(hops), 'entry points': entryPoints, 'test files': testFiles },
    rows: cutPage(call, rows),
    notes: [
      ...notes,
      ...(total === 0 ? [noDependents(followed)] : []),
      ...entriesNote(entryPoints, answers),
      ...listNames('tests reached', testFiles, answers.flatMap(testsOf)),
      ...namingTexts(work).map(({ kind, count, text }) => `${kind} ${count}: ${text}`),
      ...(isCut ? [CUT] : []),
      ...(depth < MOST_DEPTH && answers.some(({ result }) => result.goesOn)
        ? [`stopped at hop ${depth}: depth=${Math.min(MOST_DEPTH, depth + 2)} goes on`]
        : []),
      ...(await possibleNotes(call, roots)),
      ...review.notes,
    ],
    extra: {
      followed,
      entry_points: { total: entryPoints, rows: answers.flatMap(entryRows) },
      tests: { total: testFiles, paths: answers.flatMap(testsOf) },
      named_by: work,
      ...review.extra,
    },
  };
}

/** Locations that the question starts from, as plans and decisions may name them. */
async function rootPlaces(call: ActionCall, { roots }: ChosenRoot): Promise<NamedPlace[]> {
  const places: NamedPlace[] = [];
  const ids = new Map<IndexedRepository, readonly number[]>();
  for (const [repository, root] of roots) {
    if ('path' in root) places.push({ path: root.path });
    else if ('changed' in root) places.push(...root.changed.map(({ path }) => ({ path })));
    else ids.set(repository, root.symbols);
  }
  if (ids.size === 0) return places;
  const anywhere = { ...call, args: { ...call.args, path: undefined, tests: 'include' as const } };
  const { found } = await findSymbols(anywhere, call.args.query ?? '');
  const own = found.filter(({ repository, symbol }) => ids.get(repository)?.includes(symbol.id) === true);
  const symbols = own.flatMap(({ symbol: { path, qualified, parameters } }) =>
    [...new Set([qualified, qualified + parameters])].map((symbol) => ({ path, symbol })),
  );
  return [...places, ...symbols];
}

/** The places that a row stands for: a plan may name an overload, or all of its name. */
function placesOf({ kind, path, symbol }: ImpactRow): NamedPlace[] {
  if (kind === 'file' || symbol === '') return [{ path }];
  const name = /^(function|method)$/.test(kind) ? symbol.replace(/\([^/]*\)$/, '') : symbol;
  return name === symbol
    ? [{ path, symbol }]
    : [
        { path, symbol },
        { path, symbol: name },
      ];
}

const CUT = 'stopped after 5,000 symbols: the farthest are missing; use a smaller depth';

function noDependents(reached: number): string {
  if (reached === 0) return 'no resolved reference uses it';
  return `${reached} places are affected, but none in the files selected by path and tests`;
}

function impactRow(make: RowMaker, row: ImpactRow): Row {
  const { path, line, symbol, kind, hop, grade, test } = row;
  const what = kind === 'file' ? 'file' : `${kind} ${symbol}`;
  return {
    group: make.group(path),
    id: `${line} ${symbol === '' ? 'file' : symbol}`,
    line: `${line} ${what} ${GRADE_MARKS[grade]}  hop ${hop}${test ? ', test' : ''}`,
    json: make.json(CODE_ROWS.impact, row, { is_test: test, id: handleOf(row) }),
  };
}

/** Entry points with each reason and each file once: `entry points 3: Link, Route src/index.js (exported by a package)`. */
function entriesNote(total: number, answers: readonly Answer[]): string[] {
  if (total === 0) return [];
  const named = answers
    .flatMap(({ make, result }) => result.entryPoints.rows.map((row) => ({ ...row, file: make.group(row.path) })))
    .slice(0, MOST_NAMED);
  const reasons = [...Map.groupBy(named, ({ reason }) => reason)].map(([reason, rows]) => {
    const files = [...Map.groupBy(rows, ({ file }) => file)].map(([file, inFile]) =>
      `${inFile.map(({ symbol }) => symbol).join(', ')} ${file}`.trim(),
    );
    return `${files.join('; ')} (${REASONS[reason]})`;
  });
  return [`entry points ${total}: ${reasons.join('; ')}${total > named.length ? '; …' : ''}`];
}

function entryRows({ make, result }: Answer): Record<string, unknown>[] {
  return result.entryPoints.rows.map((row: EntryPointRow) => make.json(CODE_ROWS.entry, row, { id: handleOf(row) }));
}

function testsOf({ make, result }: Answer): string[] {
  return result.testFiles.paths.map((path) => make.group(path));
}

function listNames(what: string, total: number, names: readonly string[]): string[] {
  if (total === 0) return [];
  return [`${what} ${total}: ${names.slice(0, MOST_NAMED).join(', ')}${total > MOST_NAMED ? ', …' : ''}`];
}
