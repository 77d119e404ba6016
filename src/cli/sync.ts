import { dirname, join } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import { ownCommand } from '../platform/own-command.ts';
import {
  ARTIFACT_FOLDER,
  type FolderFile,
  type FolderIndex,
  isIntact,
  isSafe,
  markCompared,
  prepareFolder,
  readFolderIndex,
  removeFolderFile,
  writeFolderFile,
  writeFolderIndex,
} from './artifact-folder.ts';
import type { Client } from './client.ts';

/** What the command reads of `GET /v1/artifacts`. */
interface ManifestJson {
  repo: string | null;
  commit: string | null;
  files: { path: string; etag: string; url: string }[];
}

/** What a sync did, or with `check` would do. */
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
  const folder = join(options.root, ARTIFACT_FOLDER);
  const before = readFolderIndex(folder);
  const intact = before?.files.filter((file) => isIntact(folder, file)) ?? [];
  // Comparing is about what is there; a sync brings what was asked for.
  const full = options.full ?? (options.check ? before?.full : undefined) ?? false;
  const manifestPath = await pathOfManifest(before, { ...options, full });
  const isWhole = before?.full === full && intact.length === before.files.length;
  const answer = await client.get(manifestPath, isWhole ? before.etag : undefined);
  if (answer === undefined && before !== undefined) {
    if (!options.check) markCompared(folder, options.now());
    return reportOf(folder, before, { written: [], removed: [] });
  }
  if (answer?.etag === undefined) throw tooOld();
  // The routes and the commands are built and tested together.
  const manifest = JSON.parse(answer.text) as ManifestJson;
  const wanted = manifest.files.filter(isSafe);
  const missing = wanted.filter(({ path, etag }) => !intact.some((file) => file.path === path && file.etag === etag));
  const removed = (before?.files ?? []).filter(({ path }) => !wanted.some((file) => file.path === path));
  const names = { written: missing.map(({ path }) => path), removed: removed.map(({ path }) => path) };
  if (options.check) return { ...reportOf(folder, { ...manifest, files: intact }, names), behind: true };

  prepareFolder(folder);
  const written = await inTurns(missing, async ({ path, url }) => {
    const { content, etag } = await client.download(url);
    if (etag === undefined) throw tooOld();
    return writeFolderFile(folder, { path, etag, content });
  });
  for (const file of removed) removeFolderFile(folder, file);
  const kept = intact.filter(({ path }) => ![...names.written, ...names.removed].includes(path));
  const { repo, commit } = manifest;
  const files = [...kept, ...written];
  const index = { repo, commit, full, etag: answer.etag, synced_at: options.now().toISOString(), files };
  writeFolderIndex(folder, index);
  return reportOf(folder, index, names);
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
  folder: string,
  { repo, commit, files }: Pick<FolderIndex, 'repo' | 'commit' | 'files'>,
  names: { written: string[]; removed: string[] },
): SyncReport {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { root: dirname(folder), folder, repo, commit, behind: false, ...names, files: sorted };
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
