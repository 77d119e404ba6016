import { dirname } from 'node:path';
import type { Tenant } from './kernel/tenant.ts';
import type { FirstAccount } from './accounts/accounts.ts';
import { configuredProviders } from './accounts/oidc/oidc.ts';
import { webFolder } from './cli/web-build.ts';
import { CODE_QUERIES } from './code/code.ts';
import { IndexSources } from './indexes/indexes.ts';
import type { AppApiParts } from './http/app-env.ts';
import type { Keys } from './keys/keys.ts';
import { RateLimiter } from './keys/rate-limit.ts';
import { type Config, reachableHost } from './platform/config.ts';
import type { Db } from './platform/db.ts';
import type { Listener } from './http/server.ts';
import type { IndexCoverage } from './repositories/routes.ts';
import type { Repository } from './repositories/repositories.ts';
import type { ServiceIndexes } from './service-indexes.ts';
import type { Trackers } from './trackers/trackers.ts';

/** Attempts of one kind that one network address, or one person, may make a minute. */
const ATTEMPTS = 60;
const MINUTE_MS = 60_000;

/** The open parts of a service that the web application is made of. */
interface WebApplicationParts {
  db: Db;
  config: Config;
  account: FirstAccount;
  keys: Keys;
  trackers: Trackers;
  baseUrl: () => string;
  now: () => Date;
}

/**
 * The web application: what its own API needs, and where its files are.
 *
 * @throws ServiceError `bad_argument` for an identity provider that is configured by half.
 */
export function webParts(parts: WebApplicationParts): {
  api: Omit<AppApiParts, 'routes' | 'version'>;
  folder: string;
} {
  const { db, config, account, keys, trackers, baseUrl, now } = parts;
  const attempts = new RateLimiter(ATTEMPTS, MINUTE_MS);
  const providers = configuredProviders(config);
  return {
    api: {
      db,
      account,
      providers,
      keys,
      secretKeys: trackers.keys,
      attempts,
      baseUrl,
      now,
    },
    folder: webFolder(dirname(import.meta.dirname)),
  };
}

/** Returns the address of the metrics; undefined when they are not served. */
export function metricsUrlOf({ adminHost, adminPort }: Config): string | undefined {
  return adminPort > 0 ? `http://${reachableHost(adminHost)}:${adminPort}/metrics` : undefined;
}

/** Counts what the index of a repository covers. @throws ServiceError `not_indexed`. */
export async function coverageOf(
  indexes: ServiceIndexes,
  { accountId, productId }: Tenant,
  row: Repository,
): Promise<IndexCoverage> {
  const repository = await indexes.indexed(row);
  const { signal } = new AbortController();
  const caller = { accountId, productId, keyId: '', scopes: ['read'] } as const;
  const sources = new IndexSources(indexes, CODE_QUERIES, { caller, signal, repositories: [repository] });
  return sources.ask(repository, ['coverage', {}]);
}

/** The address to tell people: the configured one, with the port that was really taken. */
export function urlOf(config: Config, listener: Listener): string {
  if (config.port !== 0 || config.sources.baseUrl !== 'default') return config.baseUrl;
  const url = new URL(config.baseUrl);
  url.port = String(listener.port);
  return url.origin;
}

/** The address for commands on this machine, which may not reach the one for people. */
export function localUrlOf({ host, port }: Listener): string {
  return `http://${reachableHost(host)}:${port}`;
}
