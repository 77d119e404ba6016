import { ServiceError } from '../kernel/errors.ts';
import { ownCommand } from './own-command.ts';
import { ArtifactFolder, artifactPath, type FolderFile, type FolderIndex, isSafe } from './artifact-folder.ts';
import type { Client } from './client.ts';

/** Fields that the command reads of `GET /v1/artifacts`. */
interface ManifestJson {
  repo: string | null;
  commit: string | null;
  files: { path: string; etag: string; url: string }[];
}

/** Changes that a sync made, or with `check` would make. */
export interface SyncReport {
  /** Top of the checkout. */
  root: string;
  /** Whole path of `.svc`. */
  folder: string;
  repo: string | null;
  commit: string | null;
  behind: boolean;
  written: string[];
  removed: string[];
  /** Files that the service no longer has, but that were changed here: they stay. */
  retained: string[];
  files: FolderFile[];
}

export interface SyncOptions {
  /** Top of the checkout. */
  root: string;
  /** Name of the repository in the service; default: as at the last sync, else as `findRepo` says. */
  repo?: string | undefined;
  findRepo: () => Promise<string | undefined>;
  /** The whole graph, not the most important part of it. */
  full?: boolean | undefined;
  /** Change nothing. */
  check: boolean;
  /** The folder of this user's settings, which has the key of the seal. */
  configDir: string;
  now: () => Date;
}

/** Requests at a time: a product has few files, and other clients ask as well. */
const AT_A_TIME = 4;

/**
 * Makes `.svc` what the service has. Where nothing changed that is one conditional request. Each file is replaced whole,
 * and `index.json` last: a sync that is cut off leaves files that are whole, and the next one goes on.
 *
 * @throws ServiceError as the service answers.
 */
export async function syncArtifacts(client: Client, options: SyncOptions): Promise<SyncReport> {
  const before = readState(options);
  // A check compares what is there; a sync brings what was requested.
  const full = options.full ?? (options.check ? before.index?.full : undefined) ?? false;
  const manifestPath = await pathOfManifest(before.index, { ...options, full });
  const isWhole = before.index?.full === full && before.intact.length === before.index.files.length;
  const answer = await client.get(manifestPath, isWhole ? before.index?.etag : undefined);
  if (answer === undefined && before.index !== undefined) {
    if (!options.check) {
      using folder = ArtifactFolder.open(options.root);
      folder?.markCompared(options.now());
    }
    return reportOf(options, before.index, { written: [], removed: [], retained: [] });
  }
  if (answer?.etag === undefined) throw tooOld();
  // The routes and the commands are built and tested together.
  const manifest = JSON.parse(answer.text) as ManifestJson;
  const safeFiles = manifest.files.filter(isSafe);
  const missing = safeFiles.filter(
    ({ path, etag }) => !before.intact.some((file) => file.path === path && file.etag === etag),
  );
  const surplus = (before.index?.files ?? []).filter(({ path }) => !safeFiles.some((file) => file.path === path));
  const change: Change = { client, etag: answer.etag, full, manifest, missing, surplus };
  if (!options.check) return applyChange(before, change, options);
  const names = { written: missing.map(pathOf), removed: surplus.map(pathOf), retained: [] };
  return { ...reportOf(options, { ...manifest, files: before.intact }, names), behind: true };
}

/** Result of the last sync of this user, and those of its files that are as they were written. */
interface SyncState {
  index: FolderIndex | undefined;
  intact: FolderFile[];
}

function readState({ root, configDir }: SyncOptions): SyncState {
  using folder = ArtifactFolder.open(root);
  const index = folder?.readOwnIndex(configDir);
  return { index, intact: index?.files.filter((file) => folder?.isIntact(file)) ?? [] };
}

/** Work of a sync. */
interface Change {
  client: Client;
  /** Tag of the list of files. */
  etag: string;
  full: boolean;
  manifest: ManifestJson;
  missing: ManifestJson['files'];
  surplus: FolderFile[];
}

async function applyChange({ intact }: SyncState, change: Change, options: SyncOptions): Promise<SyncReport> {
  const { client, etag: manifestEtag, full, manifest, missing, surplus } = change;
  using folder = ArtifactFolder.prepare(options.root);
  const written = await inTurns(missing, ({ path, url }) =>
    folder.writeFile(path, async () => {
      const { content, etag } = await client.download(url);
      if (etag === undefined) throw tooOld();
      return { content, etag };
    }),
  );
  const [removed, retained]: [string[], string[]] = [[], []];
  for (const file of surplus) (folder.removeFile(file) ? removed : retained).push(file.path);
  const changed = new Set([...missing, ...surplus].map(pathOf));
  const files = [...intact.filter(({ path }) => !changed.has(path)), ...written];
  const { repo, commit } = manifest;
  const index = { repo, commit, full, etag: manifestEtag, synced_at: options.now().toISOString(), files };
  folder.writeIndex(index, options.configDir);
  return reportOf(options, index, { written: missing.map(pathOf), removed, retained });
}

function pathOf({ path }: { path: string }): string {
  return path;
}

async function pathOfManifest(before: FolderIndex | undefined, { repo, findRepo, full }: SyncOptions): Promise<string> {
  const name = repo ?? before?.repo ?? (await findRepo());
  const query = new URLSearchParams({
    ...(name !== undefined && { repo: name }),
    ...(full === true && { full: 'true' }),
  });
  return query.size === 0 ? '/v1/artifacts' : `/v1/artifacts?${query.toString()}`;
}

function reportOf(
  { root }: Pick<SyncOptions, 'root'>,
  { repo, commit, files }: Pick<FolderIndex, 'repo' | 'commit' | 'files'>,
  names: Pick<SyncReport, 'written' | 'removed' | 'retained'>,
): SyncReport {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { root, folder: artifactPath(root), repo, commit, behind: false, ...names, files: sorted };
}

/** Results in the order of what was given, a few at a time. When one fails, the others of its turn end first: nothing writes on. */
async function inTurns<One, Result>(all: readonly One[], work: (item: One) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < all.length; start += AT_A_TIME) {
    const turn = all.slice(start, start + AT_A_TIME).map(work);
    await Promise.allSettled(turn);
    results.push(...(await Promise.all(turn)));
  }
  return results;
}

function tooOld(): ServiceError {
  return new ServiceError('upstream_failed', 'The service sends files without an ETag.', {
    fix: `Something between here and the service changes its answers, or it is too old: compare ${ownCommand('--version')}.`,
  });
}
