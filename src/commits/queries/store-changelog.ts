import { baseName } from '../../kernel/paths.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import type { BlockChange } from '../mine/change-blocks.ts';
import { type Changelog, type ChangelogCommit, makeChangelog } from './changelog.ts';
import { pathKind } from '../../kernel/path-kinds.ts';
import { changedPaths, isFragment } from './changelog-trivia.ts';
import type { RemovedExport } from '../classify/breaking.ts';
import { commitRows, isOmitted } from './store-commits.ts';
import { type CommitFilter, pathTable, scanCommits } from './store-filter.ts';
import { commitGraph, type CommitGraph, commitId, markAncestors, newestCommit, tagsByCommit } from './store-range.ts';

/** Most commits that one changelog is made of. */
const MOST_COMMITS = 20_000;

/** A version tag. */
interface VersionTag {
  name: string;
  commit: number;
  /** Seconds since 1970. */
  time: number;
}

export interface ChangelogPage extends Changelog {
  /** Versions that have commits here, newest first. */
  versions: { name: string; time: number }[];
  bots: number;
  /** True if there were more commits than are read. */
  isCut: boolean;
}

interface ChangelogRequest {
  filter: CommitFilter;
  tag: string | undefined;
  types: readonly string[];
  removed: ReadonlyMap<string, readonly RemovedExport[]>;
}

/** A version in the name of a tag: what stands before it, and what marks a pre-release. */
const VERSION =
  /^(.*?)v?(\d+(?:\.\d+)+|\d{4,8})((?:[-.]?(?:alpha|beta|rc|a|b|c|pre|dev|next|canary|experimental)[-.]?\d*.*)?)$/i;

/**
 * The changelog of the commits of a filter, without merges and programs. `tag` names the end of the range where that is a
 * tag; `types` as in `makeChangelog`; `removed` the exported names that commits took away. 0.1 ms a commit.
 */
export function changelogEntries(db: ShardDatabase, { filter, tag, types, removed }: ChangelogRequest): ChangelogPage {
  const graph = commitGraph(db);
  const versions = versionTags(db, tag);
  const versionOf = firstVersions(graph, versions);
  const mergeOf = db.derived('merge_of_commit', () => mergesByCommit(db, graph));
  const changelogCommits: CommitChanges[] = [];
  let bots = 0;
  let isCut = false;
  scanCommits(db, filter, (commit) => {
    if (commit.merge) return;
    if (isOmitted(filter, commit)) bots += 1;
    else if (changelogCommits.length === MOST_COMMITS) isCut = true;
    else changelogCommits.push(commit);
  });
  const { paths } = pathTable(db);
  const removals = fragmentRemovals(changelogCommits, { paths, versionOf });
  const bodyOf = db.prepare('select body from git_commit where id = ?');
  const merge = db.prepare('select sha, subject, body from git_commit where id = ?');
  const rows = commitRows(
    db,
    changelogCommits.map(({ id }) => id),
  );
  const commits = rows.map((row, at): ChangelogCommit => {
    const { id = 0, changes = [] } = changelogCommits[at] ?? {};
    const owner = mergeOf[id] ?? 0;
    const changed = changedPaths(changes.map(({ path, status }) => ({ path: paths[path] ?? '', status })));
    return {
      ...row,
      body: (bodyOf.get(id) as { body: string }).body,
      changed,
      removed: removed.get(row.sha) ?? [],
      announcedElsewhere:
        changed.fragments.length > 0 && changed.fragments.every(({ path }) => removals.elsewhere(path, id)),
      merge: owner === 0 ? undefined : (merge.get(owner) as unknown as ChangelogCommit['merge']),
      version: versions[(versionOf[id] ?? 0) - 1]?.name ?? '',
    };
  });
  const used = new Set(commits.map(({ version }) => version));
  return {
    ...makeChangelog(commits, new Set(types)),
    versions: versions
      .filter(({ name }) => used.has(name))
      .toReversed()
      .map(({ name, time }) => ({ name, time })),
    bots,
    isCut,
  };
}

interface CommitChanges {
  id: number;
  changes: readonly BlockChange[];
}

/**
 * Returns the commits that removed news fragments: the last commit of a version that does so is its release, and announces
 * them; one before it carries over the release of another line of versions. `commits` come newest first.
 */
function fragmentRemovals(
  commits: readonly CommitChanges[],
  { paths, versionOf }: { paths: readonly string[]; versionOf: Uint32Array },
): { elsewhere: (path: string, commit: number) => boolean } {
  const removedBy = new Map<string, number[]>();
  const releases = new Map<number, number>();
  for (const { id, changes } of commits) {
    const gone = changes.map(({ path, status }) => (status === 'D' ? (paths[path] ?? '') : '')).filter(isFragment);
    const version = versionOf[id] ?? 0;
    if (gone.length > 0 && version > 0 && !releases.has(version)) releases.set(version, id);
    for (const path of gone) removedBy.set(path, [...(removedBy.get(path) ?? []), id]);
  }
  return {
    elsewhere: (path, commit) => {
      const removal = removedBy.get(path)?.findLast((id) => id > commit);
      return removal !== undefined && releases.get(versionOf[removal] ?? 0) !== removal;
    },
  };
}

/** Files that make a folder a package. */
const MANIFEST =
  /\/(?:package\.json|cargo\.toml|pyproject\.toml|setup\.(?:py|cfg)|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|[^/]+\.(?:gemspec|csproj))$/i;

/**
 * The folder of the package of a workspace that a version tag names: `@shop/mail@1.2.0` and `mail-v1.2.0` that of the one package
 * in a folder `mail`, `sdk/mail/v1.2.0` that path. Undefined where several may be meant,
 * and where the tags of the repository name no second package.
 */
export function packageOfTag(db: ShardDatabase, { tag }: { tag: string }): string | undefined {
  const folders = packageFolders(db);
  const own = folderNamed(folders, prefixOf(tag));
  if (own === undefined) return undefined;
  const prefixes = new Set(tagsByCommit(db).map(({ name }) => prefixOf(name)));
  // Where all tags begin alike, they are those of the whole repository.
  const others = [...prefixes].map((prefix) => folderNamed(folders, prefix));
  return others.some((folder) => folder !== undefined && folder !== own) ? own : undefined;
}

/** Returns the part before the version in the name of a tag. */
function prefixOf(tag: string): string {
  return VERSION.exec(tag)?.[1] ?? '';
}

/** Folders below the root that hold a package, by path. */
function packageFolders(db: ShardDatabase): readonly string[] {
  return db.derived('package_folders', () => {
    const { paths, alive } = pathTable(db);
    const manifestFolders = paths
      .filter((path, id) => alive[id] === 1 && MANIFEST.test(path) && pathKind(path) === 'manifest')
      .map((path) => path.slice(0, path.lastIndexOf('/')));
    return [...new Set(manifestFolders)].toSorted();
  });
}

/** The folder at a path, or the only one of a name: `@shop/mail@` means a folder `mail`. */
function folderNamed(folders: readonly string[], prefix: string): string | undefined {
  const named = prefix
    .replace(/[@/_.-]+$/, '')
    .replace(/^@/, '')
    .toLowerCase();
  if (named === '') return undefined;
  const exact = folders.find((folder) => folder.toLowerCase() === named);
  const last = baseName(named);
  const matches = folders.filter((folder) => baseName(folder).toLowerCase() === last);
  return exact ?? (matches.length === 1 ? matches[0] : undefined);
}

/** The version before a commit: the newest tag of the same kind that it holds, itself not counted. */
export function previousVersion(db: ShardDatabase, { sha, tag }: { sha: string; tag: string }): string | undefined {
  const graph = commitGraph(db);
  const id = commitId(db, sha) ?? 0;
  const before = new Uint8Array(graph.first.length);
  markAncestors(graph, [id], before, 1);
  return versionTags(db, tag).findLast(({ commit }) => commit !== id && before[commit] === 1)?.name;
}

/**
 * Tags that name versions, oldest first, one a commit: those that begin like `like`, or else like most of them. Pre-releases
 * do not count, unless `like` is one.
 */
function versionTags(db: ShardDatabase, like: string | undefined): VersionTag[] {
  const parsed = tagsByCommit(db).flatMap((tag) => {
    const [, prefix, number, further = ''] = VERSION.exec(tag.name) ?? [];
    return prefix === undefined || number === undefined ? [] : [{ ...tag, prefix, isPreRelease: further !== '' }];
  });
  const namedTag = parsed.find(({ name }) => name === like);
  const counts = Map.groupBy(parsed, ({ prefix }) => prefix);
  const [most] = [...counts].toSorted(([a, some], [b, more]) => more.length - some.length || (a < b ? -1 : 1));
  const prefix = namedTag?.prefix ?? most?.[0];
  const candidates = parsed.filter(
    (tag) => tag.prefix === prefix && (!tag.isPreRelease || namedTag?.isPreRelease === true),
  );
  // Of two names of one commit, `2.0` and `v2.0`, the one that was asked for stands above its changes.
  const byCommit = new Map(candidates.map((tag) => [tag.commit, tag]));
  if (namedTag !== undefined && byCommit.has(namedTag.commit)) byCommit.set(namedTag.commit, namedTag);
  return [...byCommit.values()];
}

/** For each commit id the position, from 1, of the oldest version that has it; 0 for none. */
function firstVersions(graph: CommitGraph, versions: readonly VersionTag[]): Uint32Array {
  const first = new Uint32Array(graph.first.length);
  for (const [at, { commit }] of versions.entries()) {
    const open = [commit];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      for (let next = id; next > 0 && first[next] === 0; next = graph.first[next] ?? 0) {
        first[next] = at + 1;
        open.push(...(graph.others.get(next) ?? []));
      }
    }
  }
  return first;
}

/**
 * For each commit id the merge that brought it into the first line of its history: the innermost whose message has a number;
 * 0 for none. Follows first parents and, from the oldest merge on, what each merge added.
 */
function mergesByCommit(db: ShardDatabase, graph: CommitGraph): Uint32Array {
  const owner = new Uint32Array(graph.first.length);
  const visited = new Uint8Array(graph.first.length);
  const numbered = new Set(
    (
      db.prepare(`select id from git_commit where parents like '% %' and subject || body like '%#%'`).all() as {
        id: number;
      }[]
    ).map(({ id }) => id),
  );
  const open = [{ head: newestCommit(db), by: 0 }];
  // Branches of a line are pushed newest first, so that the oldest is taken next.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const line: number[] = [];
    for (let id = next.head; id > 0 && visited[id] === 0; id = graph.first[id] ?? 0) {
      visited[id] = 1;
      owner[id] = next.by;
      line.push(id);
    }
    for (const id of line)
      for (const head of graph.others.get(id) ?? []) open.push({ head, by: numbered.has(id) ? id : next.by });
  }
  return owner;
}
