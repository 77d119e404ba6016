import { join } from 'node:path';
import type { Db } from './platform/db.ts';
import type { BlobStore } from './platform/blobs.ts';
import type { Config } from './platform/config.ts';
import type { Queue } from './platform/jobs.ts';
import type { Quotas } from './platform/quotas.ts';
import type { SecretKeys } from './platform/secrets.ts';
import { credentialOf, type Organizations } from './repositories/organizations/organizations.ts';
import { openRepositories, type Repositories } from './repositories/repositories.ts';
import { sourcePolicy } from './repositories/source/source.ts';
import type { IndexParts } from './worker/index-repository.ts';
import { RunTurns } from './worker/run-turns.ts';
import { askAbout } from './worker/run-jobs.ts';

/** A host answers within this time, or is asked again later. */
const HOST_TIMEOUT_MS = 30_000;

interface RepositoryParts {
  config: Config;
  db: Db;
  blobs: BlobStore;
  secretKeys: SecretKeys;
  quotas: Quotas;
  now: () => Date;
}

/** The repositories of all products. Private ones are fetched with the token of the organization that a product follows. */
export function serviceRepositories({ config, db, blobs, secretKeys, quotas, now }: RepositoryParts): Repositories {
  return openRepositories({
    db,
    dataDir: config.dataDir,
    blobs,
    policy: sourcePolicy(config),
    fetchIntervalMs: config.fetchIntervalSeconds * 1_000,
    requireRoom: (tenant) => quotas.require('storage', tenant),
    credentialFor: (tenant, url) => credentialOf({ db, secretKeys }, tenant, url),
    now,
  });
}

export function serviceOrganizations(
  repositories: Repositories,
  { config, secretKeys, queue }: Pick<RepositoryParts, 'config' | 'secretKeys'> & { queue: Queue },
): Organizations {
  return {
    repositories,
    secretKeys,
    net: { privateHosts: new Set(config.privateHosts), timeoutMs: HOST_TIMEOUT_MS },
    startIndexing: askAbout(queue, 'repository.index'),
  };
}

/** Dependencies of index runs. */
export function indexScope({
  config,
  repositories,
  blobs,
  log,
  metrics,
  supervisor,
}: Pick<IndexParts, 'repositories' | 'blobs' | 'log' | 'metrics' | 'supervisor'> & { config: Config }): IndexParts {
  return {
    repositories,
    blobs,
    workDir: join(config.dataDir, 'unfinished'),
    turns: new RunTurns(),
    extractProcesses: config.extractProcesses,
    memoryBytes: config.memoryBytes,
    exactPass: config.exactPass === 'on',
    log,
    metrics,
    supervisor,
  };
}
