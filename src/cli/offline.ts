import { existsSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { ServiceError } from '../kernel/errors.ts';
import { visible } from '../kernel/visible.ts';
import { ArtifactFolder, checkoutOf } from './artifact-folder.ts';
import { table } from './table.ts';

/** Facts of the last sync of a checkout about a file. */
interface SyncedFile {
  path: string;
  repo: string | null;
  commit: string | null;
  synced_at: string;
  read: <Document>(name: string) => Document | undefined;
}

interface OwnersJson {
  files: {
    path: string;
    bus_factor: number;
    owners: { author: string; commits: number; commits_decayed_pct: number; last: string }[];
  }[];
}

interface ItemsJson {
  plans: { id: string; title: string }[];
  work_items: { id: string; plan: string; title: string; status: string; files: string[] }[];
}

interface GraphJson {
  nodes: [id: string, kind: string, name: string, links: Record<string, string[]>][];
}

/** Relations of what people wrote to the code that it is about, with a grade behind them. */
const WRITTEN = /^(?:plans|decides|requests|mentions)\W$/;

/**
 * Answers from `.svc/` what the service would, as far as a sync stores it; the reason says why the service was not called.
 *
 * @throws the reason where there is nothing to answer from.
 */
export function offlineOwnership(cwd: string, file: string, reason: ServiceError) {
  const syncedFile = readSyncedFile(cwd, file, reason);
  const entry = syncedFile.read<OwnersJson>('ownership.json')?.files.find(({ path }) => path === syncedFile.path);
  if (entry === undefined) throw reason;
  const document = {
    ...headOf(syncedFile),
    bus_factor: entry.bus_factor,
    owners: entry.owners,
    notes: [`${offline(syncedFile)}: owners by commits only; lines and reviewers need the service. ${reason.message}`],
  };
  const rows = entry.owners.map((owner) => [
    owner.author,
    `${owner.commits_decayed_pct}%`,
    String(owner.commits),
    owner.last,
  ]);
  const prose = (): string =>
    [
      visible(
        `${syncedFile.path} in ${syncedFile.repo}@${(syncedFile.commit ?? '').slice(0, 7)}, bus factor ${entry.bus_factor}`,
      ),
      table(['author', 'recent commits', 'commits', 'last'], rows),
      ...document.notes.map(visible),
    ].join('\n');
  return { document, prose };
}

/** As `offlineOwnership`: plans, work items and decisions that name the file; its commits need the service. */
export function offlineRationale(cwd: string, file: string, reason: ServiceError) {
  const syncedFile = readSyncedFile(cwd, file, reason);
  const items = syncedFile.read<ItemsJson>('work-items.json');
  if (items === undefined) throw reason;
  const named = items.work_items
    .filter(({ files }) => files.includes(syncedFile.path))
    .map(({ id, title, status, plan }) => ({ kind: 'plan', id, text: `${title} (${status}, ${plan})` }));
  const graph = syncedFile.read<GraphJson>('graph.json');
  const isOfFile = (id: string): boolean => id === `file:${syncedFile.path}` || id.endsWith(`@${syncedFile.path}`);
  const others = (graph?.nodes ?? [])
    .filter(([, , , links]) => Object.entries(links).some(([link, to]) => WRITTEN.test(link) && to.some(isOfFile)))
    .filter(([id]) => !named.some((entry) => entry.id === id))
    .map(([id, , name]) => ({ kind: id.startsWith('dec:') ? 'decision' : 'plan', id, text: name }));
  const reasons = [...named, ...others];
  const notes = [
    `${offline(syncedFile)}: plans and decisions only; commits, comments and issues need the service. ${reason.message}`,
  ];
  const prose = (): string =>
    [
      visible(`${syncedFile.path} in ${syncedFile.repo}@${(syncedFile.commit ?? '').slice(0, 7)}`),
      ...(reasons.length === 0 ? ['  no plan or decision names it'] : []),
      ...reasons.map(({ kind, id, text }) => visible(`  ${kind} ${id} ${text}`)),
      ...notes.map(visible),
    ].join('\n');
  return { document: { ...headOf(syncedFile), reasons, notes }, prose };
}

function headOf({ path, repo, commit, synced_at: syncedAt }: SyncedFile) {
  return { path, repo, commit, offline: true, synced_at: syncedAt };
}

function offline({ synced_at: syncedAt }: SyncedFile): string {
  return `Offline, from the sync of ${syncedAt}`;
}

function readSyncedFile(cwd: string, file: string, reason: ServiceError): SyncedFile {
  const fullPath = resolve(cwd, file);
  const root = rootOf(existsSync(fullPath) ? dirname(fullPath) : cwd, reason);
  const index = readSynced(root, (folder) => folder.readIndex());
  if (index === undefined) throw reason;
  const path = existsSync(fullPath) ? relative(realpathSync(root), realpathSync(fullPath)).split(sep).join('/') : file;
  return {
    path,
    repo: index.repo,
    commit: index.commit,
    synced_at: index.synced_at,
    read: <Document>(name: string): Document | undefined => {
      const text = readSynced(root, (folder) => folder.readText(name));
      // Written by a sync, or else damaged, which is reported as a fault of that file.
      return text === undefined ? undefined : (JSON.parse(text) as Document);
    },
  };
}

/** Reads something of `.svc`; undefined where the checkout has none. */
function readSynced<Result>(root: string, read: (folder: ArtifactFolder) => Result): Result | undefined {
  using folder = ArtifactFolder.open(root);
  return folder === undefined ? undefined : read(folder);
}

function rootOf(folder: string, reason: ServiceError): string {
  try {
    return checkoutOf(folder);
  } catch {
    throw reason;
  }
}
