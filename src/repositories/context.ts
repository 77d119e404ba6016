import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { ServiceError } from '../kernel/errors.ts';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';
import type { GitCredential } from '../platform/git/git-route.ts';
import type { GitTip } from '../platform/git/git-refs.ts';
import type { WatchedCheckout } from './watched-checkout.ts';
import { RepositoryCache } from './repository-cache.ts';
import type { SourcePolicy } from './source/source.ts';

/** Most repositories and pairs of commits that are remembered, those of a whole list; the one that was asked for longest ago is forgotten. */
const REMEMBERED = 5_000;
/** Most checkouts that are watched, each with files that the system holds open for it. */
const WATCHED = 1_000;

/** Time for which a name that was looked up at a remote repository is not looked up again. */
const FETCHED_FOR_MS = 60_000;

/** Interval at which a repository by address is fetched, unless a setting overrides it. */
export const FETCH_INTERVAL_MS = 5 * 60_000;

/** Database, caches and settings of this slice. Made once by `openRepositories`. */
export interface Repositories {
  db: Db;
  /** Holds `repositories/<id>/` of each repository. */
  dataDir: string;
  /** Blobs that no snapshot uses are deleted here. */
  blobs: { delete: (hash: string) => Promise<void> };
  /** Addresses and folders that may be added and fetched. */
  policy: SourcePolicy;
  now: () => Date;
  /** Throws where the product may store no more. */
  requireRoom?: (tenant: Tenant) => Promise<void>;
  /** What git shows the host of an address of a product; undefined for nothing. */
  credentialFor: (tenant: Tenant, url: string) => Promise<GitCredential | undefined>;
  /** Interval at which a repository by address is fetched, in milliseconds; 0: only on request. */
  fetchIntervalMs: number;
  /** Hosts that could not be reached, with when the next fetch from them may begin. */
  failingHosts: LRUCache<string, { failures: number; retryAt: number }>;
  /** Repositories whose overdue fetch was asked for a moment ago. By repository id. */
  hastened: LRUCache<string, true>;
  /** Rows of repositories that calls look up without a query. */
  cache: RepositoryCache;
  /** The last sighting of each repository, by its id. */
  tips: LRUCache<string, Sighting>;
  /** Looks at repositories that are under way, and for a while those that ended by their time limit. By repository id. */
  looks: Map<string, Promise<Sighting>>;
  /** Checkouts as they were when last looked at. By repository id. */
  checkouts: LRUCache<string, WatchedCheckout>;
  /** Commits between two commits, which never changes. */
  distances: LRUCache<string, number>;
  /** The last work on each mirror: there is one at a time. By repository id. */
  mirrorWork: Map<string, Promise<unknown>>;
  /** Names that were fetched a moment ago, with what came of it. By repository id and name. */
  fetched: LRUCache<string, true | ServiceError>;
}

/** Folder and tip of a repository, valid while its refs have this signature. */
export interface Sighting {
  gitDir: string;
  /** The top folder of its checkout; absent when it has none, as a mirror. */
  root?: string;
  signature: string;
  /** When the refs had this signature last, by `performance.now`. */
  lookedMs: number;
  tip: GitTip;
}

interface RepositoriesOptions {
  db: Db;
  dataDir: string;
  blobs: { delete: (hash: string) => Promise<void> };
  policy: SourcePolicy;
  /** Nothing when absent. */
  credentialFor?: Repositories['credentialFor'];
  /** 5 minutes when absent. */
  fetchIntervalMs?: number;
  requireRoom?: (tenant: Tenant) => Promise<void>;
  now?: () => Date;
}

/** Holds no resource: nothing to close. */
export function openRepositories(options: RepositoriesOptions): Repositories {
  return {
    now: () => new Date(),
    credentialFor: async () => undefined,
    fetchIntervalMs: FETCH_INTERVAL_MS,
    ...options,
    failingHosts: new LRUCache({ max: REMEMBERED }),
    hastened: new LRUCache({ max: REMEMBERED, ttl: FETCHED_FOR_MS }),
    cache: new RepositoryCache(options.db),
    tips: new LRUCache({ max: REMEMBERED }),
    looks: new Map(),
    checkouts: new LRUCache({ max: WATCHED, dispose: closeCheckout }),
    distances: new LRUCache({ max: REMEMBERED }),
    mirrorWork: new Map(),
    fetched: new LRUCache({ max: REMEMBERED, ttl: FETCHED_FOR_MS }),
  };
}

/** Folder of everything that is made for a repository besides blobs: its mirror, its facts. Removed with it. */
export function repositoryFolder(context: Repositories, id: string): string {
  return join(context.dataDir, 'repositories', id);
}

/** The bare mirror of a remote repository. */
export function mirrorFolder(context: Repositories, id: string): string {
  return join(repositoryFolder(context, id), 'mirror.git');
}

function closeCheckout(checkout: WatchedCheckout): void {
  // Watchers that do not close end with the process.
  checkout.close().catch(() => undefined);
}
