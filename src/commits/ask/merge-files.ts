import { GitFailure } from '../../platform/git/git.ts';
import { openObjects } from '../../platform/git/git-objects.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import { readDiff } from '../mine/diff.ts';
import type { CommitDetail } from '../queries/store-show.ts';
import type { ActionCall } from './action.ts';

/** A merge of a long branch takes a second; of one that takes longer the files are not told. */
const DEADLINE_MS = 5_000;

/** A commit whose files are known, or why they are not. */
export type WithFiles<Commit> = Commit & { filesUnknown?: string };

/**
 * A commit with its files. The history keeps none of a merge, because the merged commits have them: these are read from git,
 * as what the merge brought to its first parent.
 */
export async function withMergedFiles<Commit extends CommitDetail>(
  call: ActionCall,
  repository: IndexedRepository,
  commit: Commit,
): Promise<WithFiles<Commit>> {
  const [from] = commit.parents;
  if (commit.parents.length < 2 || commit.files.length > 0) return commit;
  const gitDir = await repository.gitDir?.();
  if (gitDir === undefined) return { ...commit, filesUnknown: 'the contents are not here' };
  const limit = AbortSignal.any([call.signal, AbortSignal.timeout(DEADLINE_MS)]);
  try {
    await using objects = await openObjects(gitDir);
    const { changes, counted } = await readDiff(objects, { from, to: commit.sha }, limit);
    const states = await call.sources.ask(repository, ['pathStates', { paths: changes.map(({ path }) => path) }]);
    const files = changes.map(({ path, status, oldPath, added, deleted }, at) => {
      const { omitted = '', alive = false } = states[at] ?? {};
      return { path, status, oldPath, added, deleted, omitted, alive };
    });
    return { ...commit, counted, files };
  } catch (error) {
    if (limit.aborted && !call.signal.aborted) {
      return { ...commit, filesUnknown: 'git needed more than 5 s; repeat the call' };
    }
    if (error instanceof GitFailure) return { ...commit, filesUnknown: 'the contents are not here' };
    throw error;
  }
}
