import { pathKind } from '../../src/kernel/path-kinds.ts';
import { type LoggedCommit, readLog } from '../../src/commits/mine/git-log.ts';
import { filePeople } from '../../src/commits/queries/store.ts';
import { openObjects } from '../../src/platform/git/git-objects.ts';
import { resolveTip } from '../../src/platform/git/git-refs.ts';
import { randomOf } from '../random.ts';
import { type CaseSource, drawSome, historyShardAt, snapshotBefore } from './snapshots.ts';

/** Somebody at work at the snapshot: decayed commits to the file, its folder and the repository, and how long ago the last was. */
export interface Colleague {
  file: number;
  folder: number;
  repository: number;
  idleDays: number;
  isNext: boolean;
}

/** A file that somebody changed after a snapshot. */
export interface AuthorCase {
  project: string;
  snapshot: string;
  path: string;
  people: Colleague[];
}

/** Snapshots so many months before the newest commit; the commits of the twelve months after it show who was next. */
const SNAPSHOTS = [12, 24];
const MONTHS_AFTER = 12;
const MOST_FILES = 40;
/** A commit of more files says nothing about who knows one of them. */
const SWEEPING = 30;
/** Decayed commits of all kinds below which an author is not listed, as in `ownership.ts`. */
const LEAST_WORK = 0.01;
const SEED = 23;

/** Files of a repository that changed later, at most 40 a snapshot, with everybody who may have been the next author. */
export async function readAuthorCases(source: CaseSource): Promise<AuthorCase[]> {
  await using objects = await openObjects(source.gitDir);
  const { commit: tip } = await resolveTip(source.gitDir, source.project);
  const cases: AuthorCase[] = [];
  for (const months of SNAPSHOTS) {
    const snapshot = await snapshotBefore(objects, tip, months);
    const until = months === MONTHS_AFTER ? tip : await snapshotBefore(objects, tip, months - MONTHS_AFTER);
    if (snapshot === '' || until === snapshot) continue;
    const log = readLog(objects, { commit: until, after: [snapshot], signal: new AbortController().signal });
    const next = nextAuthors((await Array.fromAsync(log)).flat());
    const names = (await objects.run(['ls-tree', '-r', '-z', '--name-only', snapshot])).toString().split('\0');
    const changed = names.filter((path) => next.has(path) && pathKind(path) === 'source').toSorted();
    const history = await historyShardAt(source, snapshot);
    try {
      for (const path of drawSome(changed, MOST_FILES, randomOf(SEED + months))) {
        const people = filePeople(history, { path }).people.filter(
          ({ bot, decayed, folder, repository }) => !bot && decayed + folder + repository > LEAST_WORK,
        );
        const aliases = next.get(path) ?? [];
        const colleagues = people.map((person): Colleague => {
          const { decayed: file, folder, repository, idleDays } = person;
          const isNext = person.aliases.some((alias) => aliases.includes(alias));
          return { file, folder, repository, idleDays, isNext };
        });
        cases.push({ project: source.project, snapshot, path, people: colleagues });
      }
    } finally {
      history.close();
    }
  }
  return cases;
}

/** Of each file, the names of who changed it first. */
function nextAuthors(commits: readonly LoggedCommit[]): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const { authorName, authorEmail, parents, changes } of commits) {
    if (parents.length > 1 || changes.length > SWEEPING || /\bbot\b|\[bot\]/i.test(`${authorName} ${authorEmail}`))
      continue;
    const aliases = [authorEmail, authorName].map((alias) => alias.trim().toLowerCase());
    for (const { path, status } of changes) if (status === 'M' && !next.has(path)) next.set(path, aliases);
  }
  return next;
}
