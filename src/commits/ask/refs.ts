import type { IndexedRepository } from '../../indexes/indexes.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { type RefRange, readRefRange } from '../../kernel/ref-range.ts';
import { GitFailure } from '../../platform/git/git.ts';
import { nearestRefs } from '../../platform/git/git-names.ts';
import { openObjects } from '../../platform/git/git-objects.ts';
import { listRefs } from '../../platform/git/git-refs.ts';
import type { RefLookup } from './action.ts';
import { inHistory, refOfGit } from './range.ts';

/** Reads `a..b` or `a...b`; an end that is left out is `HEAD`, as in git. Undefined for what is no range. */
export function parseRange(query: string): RefRange | undefined {
  const range = readRefRange(query);
  if (range === undefined || (range.from === '' && range.to === '')) return undefined;
  return { ...range, from: range.from || 'HEAD', to: range.to || 'HEAD' };
}

/**
 * The commit that a client's name means in a repository, in the indexed history or beside it: a branch, a tag, an object id, `HEAD`,
 * each with `~3` and `^2` behind it. `HEAD` is the indexed commit.
 *
 * @throws ServiceError `unknown_id` with the nearest refs, `bad_argument` when a shortened id means several commits or the
 * repository's objects are not here.
 */
export async function resolveRef(call: RefLookup, repository: IndexedRepository, name: string): Promise<string> {
  const [indexedCommit] = await inHistory(call, repository, name);
  if (indexedCommit !== undefined) return indexedCommit.sha;
  const [, base = '', steps = ''] = /^(.*?)((?:\^\d*|~\d*)*)$/.exec(name.trim()) ?? [];
  const sha = await refOfGit(call, repository, base);
  const commit = sha !== undefined && steps !== '' ? await stepBack(call, repository, sha + steps) : sha;
  if (commit !== undefined) return commit;
  throw await unknownRef(repository, name, sha === undefined ? base : undefined);
}

async function stepBack(call: RefLookup, repository: IndexedRepository, name: string): Promise<string | undefined> {
  const gitDir = await repository.gitDir?.();
  if (gitDir === undefined) return undefined;
  await using objects = await openObjects(gitDir);
  try {
    // An object id with steps: no option, no path.
    const output = await objects.run(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], call.signal);
    return output.toString().trim();
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

/** `base` is the name that nothing has; absent when the commit has not as many before it. */
async function unknownRef(
  { provenance: { repo }, gitDir }: IndexedRepository,
  name: string,
  base: string | undefined,
): Promise<ServiceError> {
  if (base === undefined)
    return new ServiceError('unknown_id', `${repo} has no commit "${name}": there are not as many before it.`, {
      fix: 'Use a smaller number behind ~ or ^.',
    });
  const folder = await gitDir?.();
  const near = folder === undefined ? [] : nearestRefs(await listRefs(folder), base);
  return new ServiceError('unknown_id', `${repo} has no branch, tag or commit "${base}".`, {
    fix:
      near.length === 0
        ? 'Use a branch, a tag, a commit id or HEAD~3.'
        : `Use one of the nearest refs: ${near.join(', ')}`,
  });
}
