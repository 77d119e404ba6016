import { CODE_QUERIES } from '../../code/code.ts';
import { type IndexedRepository, type Indexes, IndexSources } from '../../indexes/indexes.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { CallContext } from '../../platform/operation/operation.ts';
import type { Report } from '../../localise/localise.ts';

/**
 * Returns the repository that a report is about: of several the one that has most of its frames, then of its names. One query
 * a repository, and none where there is no choice.
 *
 * @throws ServiceError `bad_argument` when the report fits none of several, or two equally; `unknown_repo`, `not_indexed`.
 */
export async function chooseRepository(
  indexes: Indexes,
  { caller, signal }: Pick<CallContext, 'caller' | 'signal'>,
  { report, repo }: { report: Pick<Report, 'frames' | 'names'>; repo: string | undefined },
): Promise<IndexedRepository> {
  const repositories = await indexes.repositories(caller, repo === undefined || repo === '' ? '*' : repo);
  const [only, another] = repositories;
  if (only !== undefined && another === undefined) return only;
  const sources = new IndexSources(indexes, CODE_QUERIES, { caller, signal, repositories });
  const counts = await sources.askAll(['countMentions', { frames: report.frames, names: report.names }]);
  const [first, second] = counts.toSorted(({ result: a }, { result: b }) => b.frames - a.frames || b.names - a.names);
  const isNamed = first !== undefined && first.result.frames + first.result.names > 0;
  const isTied = first?.result.frames === second?.result.frames && first?.result.names === second?.result.names;
  if (isNamed && !isTied) return first.repository;
  const nameOf = (one: typeof first): string => one?.repository.provenance.repo ?? '';
  const why = isNamed
    ? `as much code of ${nameOf(first)} as of ${nameOf(second)}`
    : `no code of ${repositories.length} repositories`;
  throw new ServiceError('bad_argument', `The report names ${why}, so which one it is about is not known.`, {
    fix: `Name it: repo="${nameOf(first)}"`,
  });
}
