import type { IndexedRepository } from '../indexes/indexes.ts';
import type { HistorySources } from '../commits/commits.ts';
import { termsOf } from '../text/terms.ts';
import type { Candidate, CorpusFindings } from './candidate.ts';
import type { CodeSearch } from './code-hits.ts';
import type { Question } from './question.ts';

/** The commits that fit a question, of the whole history or since a moment, from all repositories. */
export async function commitHits(
  sources: HistorySources,
  question: Question,
  { limit, select }: Pick<CodeSearch, 'limit' | 'select'>,
): Promise<CorpusFindings> {
  const { searchWords, terms } = question;
  const withHistory = sources.repositories.filter(({ history }) => history !== undefined);
  const selection = await select(withHistory, { messages: searchWords, counted: terms });
  const apart = await sources.askAll(['hitTerms', { terms, shas: [] }], selection.apart);
  const counts = [selection, ...apart.map(({ result }) => result)];
  const results = await searchHistories(sources, selection.may, question, limit);
  const best = Math.max(0, ...results.flatMap(({ scores }) => scores));
  const commits = counts.reduce((sum, { documents }) => sum + documents, 0);
  return {
    candidates: results.flatMap((answer) => candidatesOf(answer, question.terms, best)),
    total: results.reduce((sum, { total }) => sum + total, 0),
    isCut: results.some((answer) => answer.isCut),
    counts,
    coverage: `${commits}`,
  };
}

interface CommitResults {
  repository: IndexedRepository;
  rows: { sha: string; time: number; author: string; subject: string; type: string; terms: readonly string[] }[];
  scores: readonly number[];
  total: number;
  isCut: boolean;
}

async function searchHistories(
  sources: HistorySources,
  repositories: readonly IndexedRepository[],
  { searchWords, terms, since }: Question,
  limit: number,
): Promise<CommitResults[]> {
  const range = since === undefined ? {} : { since: Math.ceil(since.getTime() / 1000) };
  const search = { filter: { range }, query: searchWords, limit, offset: 0 };
  const pages = await sources.askAll(['searchCommits', search], repositories);
  const requests = pages.flatMap(({ repository, result: { rows } }) =>
    rows.length === 0 ? [] : [{ repository, args: { terms, shas: rows.map(({ sha }) => sha) } }],
  );
  const hits = new Map(
    (await sources.askEach('hitTerms', requests)).map(({ repository, result }) => [repository, result.matchedTerms]),
  );
  return pages.map(({ repository, result: { scores, total, isCut, ...page } }) => {
    const rows = page.rows.map((row, place) => ({ ...row, terms: hits.get(repository)?.[place] ?? [] }));
    return { repository, rows, scores, total, isCut };
  });
}

function candidatesOf(
  { repository, rows, scores }: CommitResults,
  terms: readonly string[],
  best: number,
): Candidate[] {
  const { repo } = repository.provenance;
  return rows.map(({ sha, time, author, subject, type, terms: own }, at): Candidate => {
    const head = new Set(termsOf(subject));
    return {
      corpus: 'commits',
      id: `c:${sha.slice(0, 7)}`,
      title: subject,
      where: `${repo}, ${type} by ${author}`,
      date: new Date(time * 1000),
      terms: own,
      headTerms: terms.filter((term) => head.has(term)),
      relevance: best > 0 ? (scores[at] ?? 0) / best : 0,
      // The same change on several branches, or a merge that repeats its only commit.
      sameness: `commit ${subject.toLowerCase().replaceAll(/\W+/g, ' ').trim()}`,
      thing: `commit ${sha}`,
      repo,
      snippet: '',
    };
  });
}
