import type { Tenant } from './kernel/tenant.ts';
import type { Quotas } from './platform/quotas.ts';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Competitors, openFetcher, PageReader, Renderer } from './competitors/competitors.ts';
import { DAY_MS } from './kernel/time.ts';
import { type Documents, openDocuments } from './documents/documents.ts';
import { findFeatures, type Graph } from './graph/graph.ts';
import { KnowledgeIndex } from './knowledge/knowledge.ts';
import type { SignalRoutesParts } from './signals/routes.ts';
import type { BlobStore } from './platform/blobs.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/db.ts';
import { faultLog } from './platform/failures.ts';
import type { Log } from './platform/log.ts';
import { openMailer } from './platform/mail.ts';
import type { Encoder } from './text/encoder/encoder.ts';
import type { Supervisor } from './platform/supervision.ts';
import type { Queue } from './platform/jobs.ts';
import type { SecretKeys } from './platform/secrets.ts';
import type { ServiceIndexes } from './service-indexes.ts';
import type { Signals } from './signals/signals.ts';
import { askForJob } from './worker/run-jobs.ts';

/** Files that are read at a time: reading is short, and cores have other work. */
const READERS = 2;
/** From asking for a page to having all of it. */
const PAGE_TIMEOUT_MS = 15_000;

/** Documents of all products, in the data folder of the service. */
export function serviceDocuments(parts: {
  config: Config;
  db: Db;
  blobs: BlobStore;
  quotas: Quotas;
  now: () => Date;
  supervisor: Supervisor;
}): Documents {
  const { config, db, blobs, quotas, now, supervisor } = parts;
  const workDir = join(config.dataDir, 'unfinished');
  const requireRoom = (tenant: Tenant): Promise<void> => quotas.require('storage', tenant);
  const watch = supervisor.watch('documents');
  return openDocuments({ db, blobs, requireRoom, now, workDir, readers: READERS, watch });
}

/** The index of what people wrote about all products. */
export function serviceKnowledge(parts: {
  config: Config;
  db: Db;
  encoder: Encoder | undefined;
  memoryBytes: number;
  log: Log;
  supervisor: Supervisor;
}): KnowledgeIndex {
  const { config, db, encoder, memoryBytes, log, supervisor } = parts;
  return new KnowledgeIndex({
    db,
    encoder,
    folder: join(config.dataDir, 'knowledge'),
    memoryBytes,
    onFault: faultLog(log, 'an index of what people wrote'),
    watch: supervisor.watch('knowledge'),
  });
}

/** Signals of all products, which are looked for in the indexes of their code. */
export function serviceSignals(
  parts: {
    db: Db;
    secretKeys: SecretKeys;
    now: () => Date;
    supervisor: Supervisor;
    encoder: Encoder | undefined;
    knowledge: KnowledgeIndex;
  },
  indexes: ServiceIndexes,
): Signals {
  const { db, secretKeys, now, supervisor, encoder, knowledge } = parts;
  const themeWatch = supervisor.watch('themes');
  return { db, secretKeys, now, indexes, knowledge, indexed: indexes.ofProduct, themeWatch, encoder };
}

/** Competitors of all products, whose pages are fetched as politely as the settings say. */
export function serviceCompetitors(parts: {
  config: Config;
  db: Db;
  secretKeys: SecretKeys;
  knowledge: KnowledgeIndex;
  graph: Graph;
  supervisor: Supervisor;
  log: Log;
  version: string;
  now: () => Date;
}): Competitors {
  const { config, db, secretKeys, knowledge, graph, supervisor, log, version, now } = parts;
  const fetcher = openFetcher({
    net: { privateHosts: new Set(config.privateHosts), timeoutMs: PAGE_TIMEOUT_MS },
    userAgent: `svc-watch/${version} (watches public pages for changes; +${config.baseUrl})`,
    pauseMs: config.watchPauseMs,
    wait: (delayMs, signal) => setTimeout(delayMs, undefined, { signal, ref: false }),
    now,
  });
  const shortestIntervalMs = config.watchIntervalSeconds * 1_000;
  return {
    db,
    knowledge,
    // Changes are reported even when the indexes fail.
    findFeatures: async (tenant, request) =>
      findFeatures(graph, tenant, request).catch((error: unknown) => {
        log.error({ err: error }, 'the features that changes of competitors name were not found');
        return request.lists.map(() => []);
      }),
    fetcher,
    secretKeys,
    mailer: openMailer(config.smtpUrl, config.smtpFrom),
    baseUrl: config.baseUrl,
    pages: new PageReader(undefined, supervisor.watch('pages')),
    renderer:
      config.chromium === undefined
        ? undefined
        : new Renderer(fetcher, {
            chromium: config.chromium,
            isSandboxed: config.chromiumSandbox,
            watch: supervisor.watch('browser'),
          }),
    shortestIntervalMs,
    retentionMs: config.watchKeptDays * DAY_MS,
    now,
  };
}

/** Dependencies of the routes of signals and their webhooks. */
export function signalParts(parts: { signals: Signals; knowledge: KnowledgeIndex; queue: Queue }): SignalRoutesParts {
  const { signals, knowledge, queue } = parts;
  return { signals, knowledge, startGathering: (tenant) => askForJob(queue, 'signals.gather', tenant) };
}
