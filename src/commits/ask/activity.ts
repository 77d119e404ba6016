import { CouplingRow, HotspotRow } from '../outputs/outputs.ts';
import { bodyOfRow } from '../../platform/row-body.ts';
import { roundTo } from '../../kernel/shown-values.ts';
import { dayOfSeconds } from '../../kernel/time.ts';
import { counted } from '../../kernel/counted.ts';
import { CODE_QUERIES } from '../../code/code.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { Row } from '../../kernel/answer.ts';
import { type PathKind, pathKind } from '../../kernel/path-kinds.ts';
import { type Churn, churnOf } from './churn.ts';
import { type Coupling, MOST_COUPLED_FILES, rankCoupling } from '../queries/coupling.ts';
import { type Hotspot, rankHotspots } from '../queries/hotspots.ts';
import type { ActivityCoverage } from '../queries/store-activity.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import {
  type ActionCall,
  type AnswerScope,
  resolveScopes,
  groupName,
  omissionNotes,
  periodNotes,
  rowJson,
  scopeJson,
} from './action.ts';

/** Uses between files that one question about a path reads. */
const MOST_LINKS = 1_000;

/** Kinds of files that change with the code and are no hotspots of it. */
const BESIDE_CODE: ReadonlySet<PathKind> = new Set<PathKind>(['test', 'bench', 'docs']);

/** `hotspots`: files that change often and hold much, with what says so; tests, benchmarks and documents only where `path` names something. */
export async function hotspotsAnswer(call: ActionCall): Promise<Findings> {
  const isNamed = (call.args.path ?? '') !== '';
  const { scopes, missing } = await resolveScopes(call);
  const results = await call.sources.fromEach(scopes, async ({ repository, filter }) => {
    const [activity, sizes] = await Promise.all([
      call.sources.ask(repository, ['fileActivity', { filter }]),
      call.sources.with(CODE_QUERIES).ask(repository, ['fileSizes', {}]),
    ]);
    const bySize = new Map(sizes.map((size) => [size.path, size]));
    const omitted = activity.files.flatMap(({ path }) => bySize.get(path)?.omitted ?? []);
    const code = activity.files.filter(({ path }) => bySize.get(path)?.omitted === undefined);
    const shownFiles = code.filter(({ path }) => isNamed || !BESIDE_CODE.has(pathKind(path)));
    const ranked = rankHotspots(shownFiles, bySize);
    return { repository, filter, ...activity, ranked, omitted, beside: code.length - shownFiles.length };
  });
  const page = results
    .flatMap(({ repository, ranked }) => ranked.map((hotspot) => ({ repository, hotspot })))
    .toSorted((a, b) => b.hotspot.score - a.hotspot.score)
    .slice(call.offset, call.offset + call.args.limit);
  const seriesOf = await timelines(call, results, page);
  const churn = await churnOfPage(call, results, page);
  const rows = page.map(({ repository, hotspot }): Row => {
    const series = seriesOf(repository, hotspot.path);
    const lines = churn.of(repository, hotspot.path);
    return {
      group: groupName(call, repository, ''),
      id: hotspot.path,
      line: hotspotText(hotspot, lines),
      json: rowJson(call, repository, { ...hotspotJson(hotspot, lines), ...(series === undefined ? {} : { series }) }),
    };
  });
  return {
    total: results.reduce((sum, { ranked }) => sum + ranked.length, 0),
    rows,
    notes: [
      ...(rows.length === 0 && call.offset === 0 ? ['no source file changed in this period'] : []),
      ...missing,
      ...churn.notes,
      ...periodNotes(scopes),
      ...coverageNotes(
        results.map(({ coverage }) => coverage),
        {
          beside: results.reduce((sum, { beside }) => sum + beside, 0),
          omitted: results.flatMap(({ omitted }) => omitted),
        },
      ),
    ],
    extra: activityJson(
      scopes,
      results.map(({ coverage }) => coverage),
    ),
  };
}

/** Files of a page, each in its repository. */
type HotspotPage = readonly { repository: IndexedRepository; hotspot: Hotspot }[];

/** Returns the lines that changed in the files of a page, and notes where they are not known. */
async function churnOfPage(
  call: ActionCall,
  scopes: readonly Pick<AnswerScope, 'repository' | 'filter'>[],
  page: HotspotPage,
): Promise<{ of: (repository: IndexedRepository, path: string) => number | undefined; notes: string[] }> {
  const counts = await Promise.all(
    scopes.map(async ({ repository, filter }): Promise<[string, Churn]> => {
      const paths = page.filter((row) => row.repository === repository).map(({ hotspot }) => hotspot.path);
      return [repository.id, await churnOf(call, { repository, filter, paths })];
    }),
  );
  const byRepository = new Map(counts);
  const states = new Set(counts.map(([, churn]) => churn));
  return {
    of: ({ id }, path) => {
      const churn = byRepository.get(id);
      return typeof churn === 'string' ? undefined : churn?.get(path);
    },
    notes: [
      ...(states.has('late') ? ['churn is being counted: repeat the call'] : []),
      ...(states.has('missing') ? ['no churn where file contents are missing (a partial clone)'] : []),
    ],
  };
}

/** Returns how often the files of a page changed over the period. Only programs draw it, so only the JSON form has it. */
async function timelines(
  call: ActionCall,
  scopes: readonly Pick<AnswerScope, 'repository' | 'filter'>[],
  page: HotspotPage,
): Promise<(repository: IndexedRepository, path: string) => readonly number[] | undefined> {
  const seriesByFile = new Map<string, readonly number[]>();
  for (const { repository, filter } of call.args.format === 'json' ? scopes : []) {
    const paths = page.filter((row) => row.repository === repository).map(({ hotspot }) => hotspot.path);
    if (paths.length === 0) continue;
    const series = await call.sources.ask(repository, ['fileTimelines', { filter, paths }]);
    for (const [at, path] of paths.entries()) seriesByFile.set(`${repository.id} ${path}`, series[at] ?? []);
  }
  return ({ id }, path) => seriesByFile.get(`${id} ${path}`);
}

function hotspotText(hotspot: Hotspot, churn: number | undefined): string {
  const { path, score, revisions, authors, complexity, trend, fixShare } = hotspot;
  const direction = trend > 0.2 ? 'rising' : trend < -0.2 ? 'falling' : 'steady';
  const lines = churn === undefined ? '' : `churn ${churn}, `;
  const facts = `revisions ${revisions}, ${lines}authors ${authors}, complexity ${complexity}`;
  return `${score.toFixed(0).padStart(3)} ${path}  ${facts}, fixes ${Math.round(100 * fixShare)}%, ${direction}`;
}

function hotspotJson(hotspot: Hotspot, churn: number | undefined): Record<string, unknown> {
  const { score, trend, fixShare, lastAt } = hotspot;
  return bodyOfRow(HotspotRow, hotspot, {
    score: roundTo(1, score),
    churn,
    trend: roundTo(2, trend),
    fix_share: roundTo(2, fixShare),
    last: dayOfSeconds(lastAt),
  });
}

/** `coupling`: files that change in the same commits. With a path, what changes with the files in it. */
export async function couplingAnswer(call: ActionCall): Promise<Findings> {
  const { scopes, missing } = await resolveScopes(call);
  const results = await call.sources.fromEach(scopes, async ({ repository, filter }) => {
    const links = await linksOf(call, repository, filter.path);
    const { pairs, isCut, coverage } = await call.sources.ask(repository, ['filePairs', { filter, links }]);
    return {
      repository,
      coverage,
      isCut,
      ranked: rankCoupling(pairs, { commits: coverage.commits, isAboutPath: filter.path !== undefined }),
    };
  });
  const page = results
    .flatMap(({ repository, ranked }) => ranked.map((coupling) => ({ repository, coupling })))
    .toSorted((a, b) => b.coupling.score - a.coupling.score)
    .slice(call.offset, call.offset + call.args.limit);
  const rows = (await withLinks(call, page)).map(({ repository, coupling }): Row => ({
    group: groupName(call, repository, coupling.a),
    id: coupling.b,
    line: couplingText(coupling),
    json: rowJson(call, repository, couplingJson(coupling)),
  }));
  const coverage = results.map((answer) => answer.coverage);
  const isCut = results.some((answer) => answer.isCut);
  return {
    isCut,
    total: results.reduce((sum, { ranked }) => sum + ranked.length, 0),
    rows,
    notes: [
      ...(rows.length === 0 && call.offset === 0 ? [nothingTogether(call)] : []),
      ...(isCut
        ? ['only the 2,000 pairs that changed together most often are ranked: narrow by path or a shorter period']
        : []),
      ...missing,
      ...periodNotes(scopes),
      ...coverageNotes(coverage),
    ],
    extra: activityJson(scopes, coverage),
  };
}

function nothingTogether({ args: { path } }: ActionCall): string {
  return path === undefined
    ? 'no files changed together often enough in this period'
    : `no commit of this period changed ${path} with another file; code-tool dependencies path=${JSON.stringify(path)} tells what uses it`;
}

interface CoupledRow {
  repository: IndexedRepository;
  coupling: Coupling;
}

/** Rows with whether their files use each other, which was asked before for the only file of a path. A query for each first file. */
async function withLinks(call: ActionCall, rows: readonly CoupledRow[]): Promise<CoupledRow[]> {
  const linksByFile = new Map<string, Promise<[string, string][]>>();
  const isLinked = async ({ repository, coupling: { a, b } }: CoupledRow): Promise<boolean> => {
    const key = `${repository.id} ${a}`;
    const links = linksByFile.get(key) ?? linksOf(call, repository, a);
    linksByFile.set(key, links);
    return (await links).some((pair) => pair.includes(b));
  };
  return Promise.all(
    rows.map(async (row) =>
      row.coupling.linked || !(await isLinked(row)) ? row : { ...row, coupling: { ...row.coupling, linked: true } },
    ),
  );
}

/** Returns what a file uses and what uses it. None for folders: uses inside of them would have to be reported too. */
async function linksOf(
  { sources }: ActionCall,
  repository: IndexedRepository,
  path: string | undefined,
): Promise<[string, string][]> {
  const code = sources.with(CODE_QUERIES);
  if (path === undefined || (await code.ask(repository, ['countFiles', { path }])) !== 1) return [];
  const search = { root: { path }, direction: 'both', depth: 1, offset: 0, limit: MOST_LINKS } as const;
  const { rows } = await code.ask(repository, ['dependencies', search]);
  return rows.map(({ from, to }) => [from.path, to.path]);
}

function couplingText({ b, degreePercent, shared, revisionsOfA, revisionsOfB, linked }: Coupling): string {
  const counts = `${shared} shared of ${revisionsOfA} and ${revisionsOfB}`;
  return `${Math.round(degreePercent)}% ${b}  ${counts}${linked ? ', one uses the other' : ''}`;
}

function couplingJson(pair: Coupling): Record<string, unknown> {
  return bodyOfRow(CouplingRow, pair, {
    degree_pct: roundTo(1, pair.degreePercent),
    support: roundTo(4, pair.support),
    revisions_a: pair.revisionsOfA,
    revisions_b: pair.revisionsOfB,
  });
}

const WIDE = `more than ${MOST_COUPLED_FILES} files`;
const UNCOUNTED = 'lock, generated and vendored files';
const BESIDE = 'tests, benchmarks and documents (path="." ranks them too)';

function coverageNotes(
  coverage: readonly ActivityCoverage[],
  { beside, omitted }: { beside: number; omitted: readonly ('data' | 'generated')[] } = { beside: 0, omitted: [] },
): string[] {
  const sum = (count: (part: ActivityCoverage) => number): number =>
    coverage.reduce((all, part) => all + count(part), 0);
  return [
    `${counted(
      sum(({ commits }) => commits),
      'commit',
    )} counted`,
    ...omissionNotes(coverage, [
      [sum(({ releases }) => releases), 'commit that makes a release', 'commits that make a release'],
      [sum(({ large }) => large), `commit of ${WIDE}`, `commits of ${WIDE}`],
      [sum(({ omittedChanges }) => omittedChanges), `change to ${UNCOUNTED}`, `changes to ${UNCOUNTED}`],
      [beside, BESIDE, BESIDE],
      [omitted.filter((kind) => kind === 'data').length, 'data file'],
      [omitted.filter((kind) => kind === 'generated').length, 'generated file'],
    ]),
  ];
}

/** Returns how many commits count, in which period, and what was omitted, as JSON fields. */
function activityJson(scopes: readonly AnswerScope[], coverage: readonly ActivityCoverage[]): Record<string, unknown> {
  return { commits: coverage.reduce((sum, { commits }) => sum + commits, 0), ...scopeJson(scopes, coverage) };
}
