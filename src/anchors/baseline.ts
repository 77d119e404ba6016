import { ServiceError } from '../kernel/errors.ts';
import { type Anchors, lookIntoPast, type Lookups } from './lookups/lookups.ts';
import { resolveAnchors } from './resolve-anchors.ts';
import { type AnchorRow, hasTarget } from './store/store.ts';
import type { collectCandidates } from './mentions/mentions.ts';

/** The commit at which a plan was written, when that is not the indexed one. */
interface Baseline {
  lookups: Lookups;
  commit: string;
}

/**
 * Returns the commit at which a plan was written: the one that its front matter names, or of a file of a repository the one
 * that last touched it. Undefined when that is the indexed one, or unknown.
 *
 * @throws ServiceError `bad_argument` when no indexed repository has the commit that the front matter names.
 */
export async function baselineOf(
  lookups: readonly Lookups[],
  { commit, file }: { commit: string | undefined; file: { repositoryId: string; path: string } | undefined },
): Promise<Baseline | undefined> {
  for (const lookup of lookups) {
    const { code, history, repository } = lookup;
    if (history === undefined) continue;
    const named = commit === undefined ? undefined : await history.findCommit(commit.toLowerCase());
    const touching =
      file?.repositoryId === repository.id && commit === undefined
        ? await history.commitsTouching(undefined, [file.path], 1)
        : [];
    const baselineSha = named ?? touching[0]?.sha;
    if (baselineSha !== undefined)
      return baselineSha === code.commit ? undefined : { lookups: lookup, commit: baselineSha };
  }
  if (commit === undefined || file !== undefined || lookups.length === 0) return undefined;
  throw new ServiceError('bad_argument', `No indexed repository has the commit "${commit.slice(0, 40)}".`, {
    fix: 'Use 7 or more digits of its id, or leave commit out of the front matter.',
  });
}

/** Anchors as they were at the baseline. Those of `before` keep theirs; what was not there then is pinned as it is now. */
export async function atBaseline(
  parts: Anchors,
  { lookups, commit }: Baseline,
  {
    anchors,
    names,
    before,
  }: {
    anchors: readonly AnchorRow[];
    names: ReturnType<typeof collectCandidates>;
    before: readonly AnchorRow[];
  },
): Promise<AnchorRow[]> {
  const { repository } = lookups;
  const resolvedNames = new Set(before.filter(hasTarget).map(({ written }) => written));
  const isMine = ({ written, target }: AnchorRow): boolean =>
    !resolvedNames.has(written) && (target === undefined || target.repositoryId === repository.id);
  if (!anchors.some(isMine)) return [...anchors];
  const named = names.candidates.flatMap(({ path, near, elsewhere }) => [path, ...near, ...elsewhere]);
  const paths = [...new Set([...named, ...anchors.flatMap(({ target }) => target?.path ?? [])])].filter(
    (path) => path !== '',
  );
  const then = await lookIntoPast(parts, { repository, commit, paths }, (code) => resolveAnchors(names, [code]));
  if (then === undefined) return [...anchors];
  const targets = new Map(then.map(({ written, target }) => [written, target]));
  return anchors.flatMap((anchor) => {
    // What said then where a symbol is, or was a word, is not missed now.
    if (anchor.target === undefined && !targets.has(anchor.written)) return [];
    const target = targets.get(anchor.written);
    return target === undefined || !isMine(anchor) ? anchor : { ...anchor, reason: null, target, state: undefined };
  });
}
