import { nearestNames } from '../../kernel/edit-distance.ts';
import { checkRefName, findCommit } from './git-refs.ts';

/** `#12`, `!12`, `pull/12`, `pull/12/head`, `merge-requests/12/head`, each with `refs/` before it. */
const REQUEST = /^(?:[#!]|(?:refs\/)?(?:pull|pulls|pr|merge-requests)\/)(\d{1,9})(?:\/head)?$/;

/** Refs that an error offers. */
const MOST_NEAR = 5;

/** Parts of a person's name for a commit. */
interface CommitName {
  /** A branch, tag, commit id or pull request. */
  base: string;
  /** Steps from the base: `~3`, `^2`; '' for the commit itself. */
  steps: string;
  /** Number of the pull request that `base` names. */
  request?: string;
}

/** @throws ServiceError `bad_argument` for what cannot be the name of a commit. */
export function readCommitName(text: string): CommitName {
  const [, base = '', steps = ''] = /^(.*?)((?:\^\d*|~\d*)*)$/s.exec(text.trim()) ?? [];
  const request = REQUEST.exec(base)?.[1];
  if (request !== undefined) return { base, steps, request };
  checkRefName(base);
  return { base, steps };
}

/** The refs under which a host may have what is named. What looks like a commit id may be anywhere. */
export function hostedRefs({ base, request }: CommitName): string[] {
  if (request !== undefined) return [`refs/pull/${request}/head`, `refs/merge-requests/${request}/head`];
  if (base === 'HEAD' || base === '@') return [];
  if (/^[0-9a-f]{7,64}$/.test(base)) return ['refs/heads/*', 'refs/tags/*'];
  return base.startsWith('refs/') ? [base] : [`refs/tags/${base}`, `refs/heads/${base}`];
}

/**
 * The commit that a name means in a repository, as git reads it; of a branch that only `origin` has, that one. Undefined when
 * there is none. `subject` names the repository in errors.
 *
 * @throws ServiceError `bad_argument` when a shortened id means several commits, or git cannot read the repository.
 */
export async function resolveCommitName(
  gitDir: string,
  subject: string,
  name: CommitName,
): Promise<string | undefined> {
  const { base, steps, request } = name;
  const local =
    request === undefined
      ? [base, `refs/remotes/origin/${base}`]
      : [...hostedRefs(name), `refs/remotes/origin/pull/${request}/head`, `refs/remotes/origin/pr/${request}`];
  for (const ref of local) {
    const commit = await findCommit(gitDir, subject, ref + steps);
    if (commit !== undefined) return commit;
  }
  return undefined;
}

/** The refs whose names are spelled most like a name; the newest first of equals. */
export function nearestRefs(refs: readonly string[], name: string): string[] {
  return nearestNames(name, refs, MOST_NEAR);
}
