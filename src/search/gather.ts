import { HISTORY_QUERIES, type HistorySources } from '../commits/commits.ts';
import { type IndexedRepository, IndexSources } from '../indexes/indexes.ts';
import { ServiceError } from '../kernel/errors.ts';
import { CORPORA, type Corpus } from '../knowledge/knowledge.ts';
import type { CallContext } from '../platform/operation/operation.ts';
import { Tally } from '../platform/operation/tally.ts';
import { type CorpusFindings, SEARCH_CORPORA, type SearchCorpus } from './candidate.ts';
import { selectIn } from '../code/catalog/catalog.ts';
import { codeHits, type CodeSearch } from './code-hits.ts';
import { commitHits } from './commit-hits.ts';
import { knowledgeHits } from './knowledge-hits.ts';
import type { SearchParts } from './parts.ts';
import type { Question } from './question.ts';

/** The findings of all corpora. */
export interface Gathered {
  findings: ReadonlyMap<SearchCorpus, CorpusFindings>;
  /** Reasons why a corpus could not be searched. */
  failures: ReadonlyMap<SearchCorpus, string>;
  /** The repositories that were searched; undefined when there was none to search. */
  sources: HistorySources | undefined;
  /** Changes whenever something that was searched does. */
  generation: string;
}

interface SearchRequest {
  question: Question;
  corpora: readonly SearchCorpus[];
  repo: string | undefined;
  /** Most candidates of each corpus. */
  limit: number;
}

/**
 * Asks all corpora at once. One that fails leaves the others as they are.
 *
 * @throws ServiceError `unknown_repo` for a repository that is named and not there, and what the first corpus threw when
 * none could be searched.
 */
export async function gather(parts: SearchParts, context: CallContext, request: SearchRequest): Promise<Gathered> {
  const { question, corpora, limit } = request;
  const findings = new Map<SearchCorpus, CorpusFindings>();
  const failures = new Map<SearchCorpus, string>();
  const errors: unknown[] = [];
  const keep = async (names: readonly SearchCorpus[], search: () => Promise<void>): Promise<void> => {
    try {
      if (names.some((name) => corpora.includes(name))) await search();
    } catch (error) {
      context.signal.throwIfAborted();
      errors.push(error);
      if (!(error instanceof ServiceError)) parts.onFault(error);
      const why = error instanceof ServiceError ? error.message : 'it could not be searched';
      for (const name of names) if (corpora.includes(name)) failures.set(name, why);
    }
  };
  const tally = new Tally(context.progress, 'searches have finished');
  let sources: HistorySources | undefined;
  let revision = 0;
  const isRepoNamed = request.repo !== undefined && request.repo !== '' && request.repo !== '*';
  const listing = parts.indexes.repositories(context.caller, isRepoNamed ? request.repo : '*');
  // Whoever needs it hears of a failure.
  listing.catch(() => undefined);
  const repositories = async (): Promise<void> => {
    sources = openSources(parts, context, { repositories: await listing, tally });
    const opened = sources;
    const search = codeSearchOf(parts, context, limit);
    await Promise.all([
      keep(['code'], async () => void findings.set('code', await codeHits(opened, question, search))),
      keep(['commits'], async () => void findings.set('commits', await commitHits(opened, question, search))),
    ]);
  };
  const people = CORPORA.filter((corpus): corpus is Corpus => corpora.includes(corpus));
  tally.expect(people.length);
  await Promise.all([
    keep(['code', 'commits'], repositories),
    keep(people, async () => {
      const namedRepositories = (await unlessUnknown(listing)).map(({ id, provenance }) => ({
        id,
        name: provenance.repo,
      }));
      const only = isRepoNamed ? (namedRepositories[0] ?? { id: '', name: request.repo ?? '' }) : undefined;
      const search = {
        question,
        corpora: people,
        limit,
        repositories: namedRepositories,
        only,
        signal: context.signal,
      };
      const knowledge = await knowledgeHits(parts, context.caller, search);
      revision = knowledge.revision;
      for (const [corpus, corpusFindings] of knowledge.byCorpus) findings.set(corpus, corpusFindings);
    }).then(() => tally.count(people.length)),
  ]);
  const unknown = errors.find((error) => error instanceof ServiceError && error.code === 'unknown_repo');
  if (isRepoNamed && unknown !== undefined) throw unknown;
  if (findings.size === 0 && errors.length > 0) throw errors[0];
  return { findings, failures, sources, generation: `${sources?.generation ?? ''} ${revision}` };
}

/** The second line of the header: what there is of each corpus that was asked. */
export function coverageLine({ findings, failures }: Gathered): string {
  const parts = SEARCH_CORPORA.flatMap((corpus) => {
    const why = failures.get(corpus);
    if (why !== undefined) return [`${corpus}: not searched (${why})`];
    const corpusFindings = findings.get(corpus);
    return corpusFindings === undefined ? [] : [`${corpus} ${corpusFindings.coverage}`];
  });
  return `searched: ${parts.join(' · ')}`;
}

/** The repositories; none where there is no index yet. @throws ServiceError `unknown_repo`, and what is no answer. */
async function unlessUnknown(listing: Promise<IndexedRepository[]>): Promise<IndexedRepository[]> {
  try {
    return await listing;
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'unknown_repo') return [];
    throw error;
  }
}

/** Limits and helpers of the searches in repositories. */
function codeSearchOf({ indexes }: SearchParts, context: CallContext, limit: number): CodeSearch {
  const { questionVectors: vectors, catalogs } = indexes;
  const select: CodeSearch['select'] = (repositories, request) =>
    selectIn(catalogs, { ...context, repositories }, request);
  return { limit, vectors, select };
}

function openSources(
  { indexes }: SearchParts,
  { caller, signal }: CallContext,
  { repositories, tally }: { repositories: IndexedRepository[]; tally: Tally },
): HistorySources {
  return new IndexSources(indexes, HISTORY_QUERIES, { caller, signal, repositories, tally });
}
