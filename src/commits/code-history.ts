import type { Changes, CodeHistory, CompanionFile, FileHistory, OpenCodeHistory } from '../code/history/history.ts';
import { type Indexes, type IndexedRepository, IndexSources } from '../indexes/indexes.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { RefRange } from '../kernel/ref-range.ts';
import { openObjects } from '../platform/git/git-objects.ts';
import type { RefLookup } from './ask/action.ts';
import { resolveRef } from './ask/refs.ts';
import { changedLines } from './ask/touched-lines.ts';
import { rankCoupling } from './queries/coupling.ts';
import { HISTORY_QUERIES } from './queries/history-queries.ts';

/** Files of which it is looked up what changed with them: each takes a pass over the history. */
const MOST_PATHS = 8;
/** Files that changed only once with another one met it by chance. */
const LEAST_SHARED = 2;
const MOST_COMPANIONS = 20;

/** Opens the histories of a product for questions about its code. */
export function openCodeHistory(indexes: Indexes): OpenCodeHistory {
  return (caller, signal): CodeHistory => {
    /** The repository with its history, which that of a commit or a checkout has not. */
    const lookupOf = async (
      repository: IndexedRepository,
    ): Promise<{ served: IndexedRepository; lookup: RefLookup }> => {
      const [served = repository] =
        repository.history === undefined ? await indexes.repositories(caller, repository.id) : [repository];
      const sources = new IndexSources(indexes, HISTORY_QUERIES, { caller, signal, repositories: [served] });
      return { served, lookup: { sources, signal, progress: () => undefined } };
    };
    return {
      filesOf: async (repository, paths) => filesOf(await lookupOf(repository), paths),
      changedWith: async (repository, paths) => changedWith(await lookupOf(repository), paths),
      changesIn: async (repository, range) => changesIn(await lookupOf(repository), repository, range),
    };
  };
}

interface Opened {
  served: IndexedRepository;
  lookup: RefLookup;
}

async function filesOf({ served, lookup: { sources } }: Opened, paths: readonly string[]): Promise<FileHistory[]> {
  if (served.history === undefined) return paths.map(() => ({ lastAt: undefined }));
  const [last, owners] = await Promise.all([
    sources.ask(served, ['lastChanges', { paths }]),
    sources.ask(served, ['mainOwners', { paths }]),
  ]);
  return paths.map((_, at) => {
    const owner = owners[at];
    return { lastAt: last[at], ...(owner !== undefined && { owner }) };
  });
}

async function changedWith(
  { served, lookup: { sources } }: Opened,
  paths: readonly string[],
): Promise<CompanionFile[]> {
  if (served.history === undefined) return [];
  const companions: CompanionFile[] = [];
  for (const path of paths.slice(0, MOST_PATHS)) {
    const { pairs, coverage } = await sources.ask(served, ['filePairs', { filter: { range: {}, path } }]);
    const ranked = rankCoupling(pairs, { commits: coverage.commits, isAboutPath: true });
    for (const { b, shared, revisionsOfA } of ranked.slice(0, MOST_COMPANIONS))
      if (shared >= LEAST_SHARED) companions.push({ path: b, shared, revisions: revisionsOfA });
  }
  return companions;
}

async function changesIn(
  { served, lookup }: Opened,
  repository: IndexedRepository,
  { from, to, isSinceParting }: RefRange,
): Promise<Changes> {
  const gitDir = await repository.gitDir?.();
  if (gitDir === undefined) {
    throw new ServiceError('conflict', `The git objects of ${repository.provenance.repo} are missing.`, {
      fix: 'Index the repository again, then repeat the call.',
    });
  }
  const { commit } = repository.provenance;
  const end = to === '' ? (repository.snapshot ?? commit) : commit;
  const start = from === '' ? commit : await resolveRef(lookup, served, from);
  if (!isSinceParting) return changedLines({ gitDir, from: start, to: end }, lookup.signal);
  await using objects = await openObjects(gitDir);
  const output = await objects.run(['merge-base', start, commit], lookup.signal).catch(() => Buffer.alloc(0));
  const base = output.toString().trim();
  if (base !== '') return changedLines({ gitDir, from: base, to: end }, lookup.signal);
  throw new ServiceError('bad_argument', `${from} and ${to || 'HEAD'} have no commit in common.`, {
    fix: `Ask for the difference: query="${from}..${to}"`,
  });
}
