import { ServiceError } from '../kernel/errors.ts';
import { expectedFailure } from '../platform/failures.ts';
import { hostedRefs, nearestRefs, readCommitName, resolveCommitName } from '../platform/git/git-names.ts';
import { listRefs } from '../platform/git/git-refs.ts';
import { fetchRefs, type TransferProgress } from '../platform/git/git-transfer.ts';
import { mirrorFolder, type Repositories } from './context.ts';
import { inMirror } from './mirror.ts';
import { tipOf } from './tip.ts';
import type { RepositoryRow } from './store.ts';

/** A commit that a call named. */
export interface NamedCommit {
  gitDir: string;
  commit: string;
  /** Absent when it is what the repository has under this name; otherwise why that could not be asked just now. */
  unsure?: ServiceError;
}

/**
 * The commit that a name means in a repository now: a branch, a tag, a commit id (short or long), a pull request (`#12`,
 * `pull/12/head`), each with `~3` and `^2` behind it. A name that the mirror of a remote repository does not have is fetched, and
 * a pull request is fetched again after a minute; a local repository is only read.
 *
 * @throws ServiceError `unknown_id` with the nearest names, `bad_argument` for what names no commit or several, `upstream_failed`
 * when what is not here cannot be fetched.
 */
export async function namedCommit(
  context: Repositories,
  repository: RepositoryRow,
  text: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (progress: TransferProgress) => void },
): Promise<NamedCommit> {
  const name = readCommitName(text);
  const { gitDir } = await tipOf(context, repository);
  const { id, url, source } = repository;
  const local = await resolveCommitName(gitDir, repository.name, name);
  const moves = name.request !== undefined;
  if (source !== 'remote' || (local !== undefined && !moves)) return findNamed(repository, gitDir, text, local);
  const key = `${id} ${name.base}`;
  if (!context.fetched.has(key)) {
    const { allowsFiles: allowFile, privateHosts } = context.policy;
    const credential = await context.credentialFor(repository, url);
    const policy = { allowFile, privateHosts, credential };
    const options = { ...policy, subject: url, signal, ...(onProgress !== undefined && { onProgress }) };
    const fetch = (): Promise<boolean> => fetchRefs(mirrorFolder(context, id), url, hostedRefs(name), options);
    try {
      await inMirror(context, repository, signal, fetch);
      context.fetched.set(key, true);
    } catch (error) {
      const failure = expectedFailure(error);
      // Without it there is no answer, so the next call tries again.
      if (failure === undefined || local === undefined || signal.aborted) throw error;
      context.fetched.set(key, failure);
    }
  }
  const failure = context.fetched.get(key);
  const now = await findNamed(repository, gitDir, text, await resolveCommitName(gitDir, repository.name, name));
  return failure === undefined || failure === true ? now : { ...now, unsure: failure };
}

async function findNamed(
  repository: RepositoryRow,
  gitDir: string,
  text: string,
  commit: string | undefined,
): Promise<NamedCommit> {
  if (commit !== undefined) return { gitDir, commit };
  throw await unknownName(repository, gitDir, text);
}

async function unknownName({ name, source }: RepositoryRow, gitDir: string, text: string): Promise<ServiceError> {
  const { base, steps, request } = readCommitName(text);
  const message = `${name} has no branch, tag, commit or pull request "${base}".`;
  if (request !== undefined) {
    const fix =
      source === 'remote'
        ? 'Use the number of a pull request, or the name of its branch.'
        : `Fetch it in the checkout, then repeat the call: git fetch origin pull/${request}/head:refs/pull/${request}/head`;
    return new ServiceError('unknown_id', message, { fix });
  }
  if (steps !== '' && (await resolveCommitName(gitDir, name, { base, steps: '' })) !== undefined) {
    return new ServiceError('unknown_id', `${name} has no commit "${base}${steps}": there are not as many before it.`, {
      fix: 'Use a smaller number behind ~ or ^.',
    });
  }
  const near = nearestRefs(await listRefs(gitDir), base);
  const fix = near.length === 0 ? 'Use a branch, a tag or a commit id.' : `Use one of the nearest: ${near.join(', ')}.`;
  return new ServiceError('unknown_id', message, { fix });
}
