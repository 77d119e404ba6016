import { counted } from '../../kernel/counted.ts';
import { cutPage, mergeLists, pageOf } from '../../kernel/page.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { Row } from '../../kernel/answer.ts';
import { cutHistory } from '../../kernel/freshness.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { type ContentQuery, MOST_SEARCHED, parseContentQuery, searchContents } from './content-search.ts';
import type { CommitGrouping, CommitPage } from '../queries/store-commits.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import { Tally } from '../../platform/operation/tally.ts';
import {
  type ActionCall,
  type AnswerScope,
  resolveScopes,
  chosenPeriodNotes,
  commitRow,
  omissionNotes,
  periodNotes,
  scopeJson,
  withRemoved,
} from './action.ts';

/** A search of the last year that finds fewer goes on through the whole history, whatever the page: pages are of one search. */
const FEW_HITS = 20;
/** It does too where the best older commit fits the words that much better: enough commits have any one word of a question. */
const MUCH_BETTER = 1.5;
/** Groups that the header names. */
const MOST_NAMED_GROUPS = 12;
/** Groups that the JSON form lists. */
const MOST_GROUPS = 100;

/**
 * `search`: commits whose message or paths fit some words, or all of a filter, newest first. `+text` and `-text` ask for
 * commits that added or removed a text.
 */
export async function searchAnswer(call: ActionCall): Promise<Findings> {
  const query = call.args.query?.trim() ?? '';
  const { scopes, missing } = await resolveScopes(call);
  const content = parseContentQuery(query);
  if (content !== undefined) return withNotes(await contentAnswer(call, scopes, content), missing);
  const results = await searchAll(call, scopes, query);
  const recent = sumTotals(results);
  if (!scopes.every(({ isDefaultRange }) => isDefaultRange) || (query === '' && recent >= FEW_HITS))
    return withNotes(await pageAnswer(call, scopes, results), missing);
  const whole = scopes.map((request) => ({
    ...request,
    period: wholeHistory(request.repository),
    filter: { ...request.filter, range: { ...request.filter.range, since: undefined } },
  }));
  const all = await searchAll(call, whole, query);
  const isRecentEnough =
    recent >= FEW_HITS ? bestScore(all) < MUCH_BETTER * bestScore(results) : recent > 0 && sumTotals(all) === recent;
  if (isRecentEnough) return withNotes(await pageAnswer(call, scopes, results), missing);
  const answer = await pageAnswer(call, whole, all);
  // Rows have their dates.
  const notes = recent === 0 ? [`nothing in the ${scopes[0]?.period ?? ''}; these are older`] : [];
  return withNotes(sumTotals(all) === 0 ? answer : { ...answer, notes }, missing);
}

function wholeHistory({ provenance }: IndexedRepository): string {
  const cut = cutHistory(provenance.index);
  return cut === undefined ? 'the whole history' : `the history, cut at ${counted(cut, 'commit')}`;
}

function withNotes(findings: Findings, notes: readonly string[]): Findings {
  return { ...findings, notes: [...(findings.notes ?? []), ...notes] };
}

/** `classify`: commits by group with what each is and who says so. A word search narrows them. */
export async function classifyAnswer(call: ActionCall): Promise<Findings> {
  const { group_by: by, query } = call.args;
  const { scopes, missing } = await resolveScopes(call);
  const results = await call.sources.fromEach(scopes, async (request) => {
    const search = { filter: request.filter, query, ...pageOf(call), by: by satisfies CommitGrouping };
    const page = await call.sources.ask(request.repository, ['groupCommits', search]);
    const shas = page.rows.map(({ sha }) => sha);
    return { ...request, page, removed: await call.removedExports.of(call, request.repository, { shas }) };
  });
  const groups = mergeGroups(results.flatMap(({ page }) => page.groups));
  const rows = results.flatMap(({ repository, page, removed }) =>
    page.rows.map((row, at) => {
      const shown = withRemoved(row, removed.bySha.get(row.sha));
      return commitRow(call, { repository, group: page.groupOf[at] ?? '' }, shown);
    }),
  );
  const more = groups.length - MOST_NAMED_GROUPS;
  return {
    total: results.reduce((sum, { page }) => sum + page.total, 0),
    counts: Object.fromEntries(groups.slice(0, MOST_NAMED_GROUPS).map(({ name, commits }) => [name, commits])),
    rows: cutPage(call, rows),
    notes: [
      ...missing,
      ...periodNotes(scopes),
      ...omissionNotes(results.map(({ page }) => page.omitted)),
      ...new Set(results.flatMap(({ removed }) => removed.gaps)),
      ...(more > 0 ? [`${more} more groups; format=json lists up to ${MOST_GROUPS}`] : []),
    ],
    extra: {
      ...scopeJson(
        scopes,
        results.map(({ page }) => page.omitted),
      ),
      group_by: by,
      groups: groups.slice(0, MOST_GROUPS),
      groups_total: groups.length,
    },
  };
}

type ScopeResults = AnswerScope & { page: CommitPage };

async function searchAll(call: ActionCall, scopes: readonly AnswerScope[], query: string): Promise<ScopeResults[]> {
  return call.sources.fromEach(scopes, async (request) => {
    const search = { filter: request.filter, query: query === '' ? undefined : query, ...pageOf(call) };
    return { ...request, page: await call.sources.ask(request.repository, ['searchCommits', search]) };
  });
}

async function pageAnswer(
  call: ActionCall,
  scopes: readonly AnswerScope[],
  results: readonly ScopeResults[],
): Promise<Findings> {
  const total = sumTotals(results);
  // Each repository gives its best first; over several the best of all, then the newest, come first.
  const rows = mergeLists(
    results.map(({ repository, page }) =>
      page.rows.map((row, at) => ({ repository, row, score: page.scores[at] ?? 0 })),
    ),
    (a, b) => b.score - a.score || b.row.time - a.row.time,
  ).map(({ repository, row }) => commitRow(call, { repository, group: '' }, row));
  const isCut = results.some(({ page }) => page.isCut);
  return {
    total,
    isCut,
    rows: cutPage(call, rows),
    notes: [
      ...(total === 0 ? await emptyNotes(call, results) : []),
      ...(isCut ? ['only the best 200 are ranked: narrow by more words, path, author or a shorter period'] : []),
      ...(total === 0 ? periodNotes(scopes) : chosenPeriodNotes(scopes)),
      ...omissionNotes(results.map(({ page }) => page.omitted)),
    ],
    extra: scopeJson(
      scopes,
      results.map(({ page }) => page.omitted),
    ),
  };
}

/** Returns notes for an empty answer: what was searched, and what is near. */
async function emptyNotes(call: ActionCall, scopes: readonly AnswerScope[]): Promise<string[]> {
  const { path, author } = call.args;
  const facts = await Promise.all(
    scopes.map(({ repository, filter }) => call.sources.ask(repository, ['explainEmpty', { filter }])),
  );
  const commits = facts.reduce((sum, answer) => sum + answer.commits, 0);
  const given = (['query', 'path', 'author', 'types'] as const).filter((name) => call.args[name] !== undefined);
  const nearPaths = facts.flatMap((near) => near.nearPaths);
  const nearAuthors = facts.flatMap((near) => near.nearAuthors);
  return [
    `nothing found in ${counted(commits, 'commit')}${given.length === 0 ? '' : ` (${given.join(', ')})`}`,
    ...(facts.some(({ hasPath }) => hasPath) ? [] : [`no file of this history matches path=${JSON.stringify(path)}`]),
    ...(nearPaths.length === 0 ? [] : [`nearest paths: ${nearPaths.join(', ')}`]),
    ...(author === undefined || nearAuthors.length === 0 ? [] : [`similar authors: ${nearAuthors.join(', ')}`]),
  ];
}

/** Commits that added or removed a text, newest first. */
async function contentAnswer(
  call: ActionCall,
  scopes: readonly AnswerScope[],
  content: ContentQuery,
): Promise<Findings> {
  const tally = new Tally(call.progress, 'commits have been searched');
  const results = await Promise.all(scopes.map((request) => contentIn({ ...call, tally }, request, content)));
  const rows = results.flatMap((answer) => answer.rows);
  const cut = results.find(({ isWhole }) => !isWhole);
  return {
    total: rows.length,
    isCut: cut !== undefined,
    rows: rows.slice(call.offset, call.offset + call.args.limit),
    notes: [
      ...(rows.length === 0
        ? [
            `no commit ${content.change} ${JSON.stringify(content.text)} in ${counted(
              results.reduce((sum, answer) => sum + answer.searched, 0),
              'commit',
            )}`,
          ]
        : []),
      ...(cut === undefined
        ? []
        : [`stopped after ${counted(cut.searched, 'commit')}: narrow by path, author or a shorter period`]),
      ...results.flatMap(({ missing }) =>
        missing > 0 ? [`${counted(missing, 'commit')} could not be searched, for want of the contents`] : [],
      ),
      ...periodNotes(scopes),
    ],
    extra: scopeJson(scopes, []),
  };
}

interface ContentFindings {
  rows: Row[];
  searched: number;
  missing: number;
  isWhole: boolean;
}

async function contentIn(
  call: ActionCall & { tally: Tally },
  { repository, filter }: AnswerScope,
  content: ContentQuery,
): Promise<ContentFindings> {
  const gitDir = await repository.gitDir?.();
  if (gitDir === undefined) {
    throw new ServiceError('not_indexed', `The contents of ${repository.provenance.repo} cannot be read now.`, {
      fix: 'Search by words instead: leave out the + or -.',
    });
  }
  const listed = await call.sources.ask(repository, ['listCommits', { filter, limit: MOST_SEARCHED }]);
  call.tally.expect(listed.length);
  const answer = await searchContents(
    {
      gitDir,
      commits: listed,
      signal: call.signal,
      limitMs: call.contentLimitMs,
      onSearched: (commits) => call.tally.count(commits),
    },
    content,
  );
  const rows = await call.sources.ask(repository, ['commitsOf', { shas: answer.shas }]);
  return {
    rows: rows.map((row) => commitRow(call, { repository, group: '' }, row)),
    searched: answer.searched,
    missing: answer.missing,
    isWhole: answer.searched === listed.length && listed.length < MOST_SEARCHED,
  };
}

function mergeGroups(groups: readonly { name: string; commits: number }[]): { name: string; commits: number }[] {
  const merged = new Map<string, number>();
  for (const { name, commits } of groups) merged.set(name, (merged.get(name) ?? 0) + commits);
  return Array.from(merged, ([name, commits]) => ({ name, commits }));
}

function bestScore(results: readonly ScopeResults[]): number {
  return Math.max(...results.map(({ page }) => page.bestScore));
}

function sumTotals(results: readonly ScopeResults[]): number {
  return results.reduce((sum, { page }) => sum + page.total, 0);
}
