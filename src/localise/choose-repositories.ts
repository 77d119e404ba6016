import { CODE_QUERIES } from '../code/code.ts';
import { type IndexedRepository, type Indexes, IndexSources } from '../indexes/indexes.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Tenant } from '../kernel/tenant.ts';

/** Repositories in which the functions of one subject are looked for. */
const MOST_REPOSITORIES = 16;

interface Subjects {
  /** Terms of each subject with their weights. */
  subjects: ReadonlyMap<string, readonly { term: string; weight: number }[]>;
  repositories: readonly IndexedRepository[];
}

/**
 * Returns, by subject, the repositories that may have functions of it: of more than 16 those whose code has most of its terms, by
 * weight, then those that have them most densely. Costs one query of each repository for all subjects together; to look for the
 * functions of each subject in each of 500 would take days. A repository that cannot be read now is none.
 *
 * @throws the signal's reason when it stops.
 */
export async function chooseRepositories(
  indexes: Pick<Indexes, 'readers' | 'rebuild'>,
  { caller, signal }: { caller: Tenant; signal: AbortSignal },
  { subjects, repositories }: Subjects,
): Promise<ReadonlyMap<string, readonly IndexedRepository[]>> {
  if (repositories.length <= MOST_REPOSITORIES)
    return new Map([...subjects.keys()].map((subject) => [subject, repositories]));
  const terms = [...new Set([...subjects.values()].flat().map(({ term }) => term))];
  const sources = new IndexSources(indexes, CODE_QUERIES, { caller, signal, repositories });
  const counted: { repository: IndexedRepository; shareOf: ReadonlyMap<string, number> }[] = [];
  for (const repository of repositories) {
    signal.throwIfAborted();
    const counts = await sources.ask(repository, ['hitTexts', { terms, places: [] }]).catch((error: unknown) => {
      if (error instanceof ServiceError) return undefined;
      throw error;
    });
    if (counts === undefined) continue;
    const { documents, having } = counts;
    const shareOf = new Map(terms.flatMap((term, at) => (having[at] ? [[term, having[at] / documents]] : [])));
    counted.push({ repository, shareOf });
  }
  return new Map(
    [...subjects].map(([subject, own]) => {
      const scored = counted.map(({ repository, shareOf }) => ({
        repository,
        score: sum(own.map(({ term, weight }) => (shareOf.has(term) ? weight : 0))),
        density: sum(own.map(({ term, weight }) => weight * (shareOf.get(term) ?? 0))),
      }));
      const best = scored
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score || b.density - a.density)
        .slice(0, MOST_REPOSITORIES);
      return [subject, best.map(({ repository }) => repository)];
    }),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
