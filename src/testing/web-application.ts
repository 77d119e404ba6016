import { Backups } from '../backups/backups.ts';
import { ModelUsage } from '../answers/model/model-usage.ts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { inProduct } from '../accounts/accounts.ts';
import type { ProviderSettings } from '../accounts/oidc/oidc.ts';
import { Runs } from '../answers/runs/runs.ts';
import type { Documents } from '../documents/documents.ts';
import { openGraph } from '../graph/graph.ts';
import { httpApp } from '../http/app.ts';
import { sessionRequester } from '../http/app-session.ts';
import { allowedHosts } from '../http/guards.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Keys } from '../keys/keys.ts';
import { createLog } from '../platform/log.ts';
import { RateLimiter } from '../keys/rate-limit.ts';
import { testKnowledge } from './knowledge.ts';
import type { KnowledgeIndex } from '../knowledge/knowledge.ts';
import { askOperations } from '../mcp/ask-operation.ts';
import { toolTable } from '../mcp/server.ts';
import { Sessions } from '../mcp/sessions.ts';
import { StreamableHttp } from '../mcp/streamable-http.ts';
import { type BlobStore, openBlobStore } from '../platform/blobs.ts';
import type { Db } from '../platform/db.ts';
import { type Plans, PlanTexts } from '../plans/plans.ts';
import { openRepositories } from '../repositories/repositories.ts';
import type { Signals } from '../signals/signals.ts';
import { SignalFiles } from '../signals/import/signal-files.ts';
import { webhookReceiver } from '../signals/webhooks/webhook-routes.ts';
import type { Trackers } from '../trackers/trackers.ts';
import type { Indexes } from '../indexes/indexes.ts';
import { ShardReaders } from '../indexes/shards/shards.ts';
import { type Limits, openLimited } from '../service-quotas.ts';
import { serviceRoutes } from '../service-routes.ts';
import { testAccount, type TestAccount } from './account.ts';
import { testCompetitors } from './competitors.ts';
import { testDocuments } from './documents.ts';
import { testFolder } from './git.ts';
import { HANG_LIMIT_MS, NEVER_MS } from './limits.ts';
import { testOperations } from './operations.ts';
import { TEST_POLICY } from './repositories.ts';
import { TEST_SECRET_KEYS } from './secrets.ts';

export const OWNER_TOKEN = 'owner-token';

const VERSION = '0.0.0';

/** A request of a test; `session` is a token, put into the cookie. */
interface AppRequest {
  session?: string | undefined;
  body?: unknown;
  /** The body as it is, in place of `body`. */
  bytes?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined;
  headers?: Record<string, string>;
}

/** The web application over real accounts, keys and repositories, without a listener. */
export interface TestApplication {
  account: TestAccount;
  keys: Keys;
  /** As a page of the service sends it, unless `headers` say otherwise. The path is whole. */
  send: (method: string, path: string, request?: AppRequest) => Promise<Response>;
  close: () => Promise<void>;
}

export interface TestApplicationOptions {
  /** Public address; decides about its cookies. */
  baseUrl?: string;
  providers?: readonly ProviderSettings[];
  metricsUrl?: string | undefined;
}

/** By the settings; people and tests choose others. */
const NO_LIMITS = {
  rateLimitPerMinute: 600,
  productRequestsPerMinute: undefined,
  productStorageBytes: undefined,
  productDailyRuns: undefined,
  llmProductDailyCost: undefined,
};

/** Its people are those of a new account. Index runs are queued and never happen. */
export async function openTestApplication(options: TestApplicationOptions = {}): Promise<TestApplication> {
  const { baseUrl = 'http://localhost:4000', providers = [], metricsUrl } = options;
  const account = await testAccount();
  const opening = new AsyncDisposableStack();
  const limited = await openLimited(NO_LIMITS, account.database, { log: createLog('silent'), now }, opening);
  const { keys } = limited;
  const dataDir = testFolder();
  const blobs = await openBlobStore(join(dataDir, 'blobs'));
  const documents = testDocuments({ db: account.db, blobs, workDir: join(dataDir, 'work'), now });
  const knowledge = testKnowledge(account.db);
  const signalFiles = new SignalFiles();
  const opened = { account, limited, documents, knowledge, signalFiles };
  const app = compose({ ...opened, baseUrl, providers, metricsUrl, dataDir });
  const { protocol, host, port } = new URL(baseUrl);
  const cookie = protocol === 'https:' ? '__Host-svc_session' : `svc_session_${port}`;
  return {
    account,
    keys,
    send: async (method, path, { session, body, bytes, headers } = {}) => {
      const sent = {
        host,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(session === undefined ? {} : { cookie: `${cookie}=${session}` }),
        ...(headers ?? { 'sec-fetch-site': 'same-origin' }),
      };
      const content = bytes !== undefined ? { body: bytes } : body === undefined ? {} : { body: JSON.stringify(body) };
      return app.request(baseUrl + path, { method, headers: sent, duplex: 'half', ...content }, {});
    },
    close: async () => {
      await Promise.all([opening.disposeAsync(), documents.close(), knowledge.close(), signalFiles.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

interface Composed extends Required<TestApplicationOptions> {
  account: TestAccount;
  limited: Limits & { keys: Keys };
  dataDir: string;
  documents: Documents;
  signalFiles: SignalFiles;
  knowledge: KnowledgeIndex;
}

/** Indexes in which there is no repository. */
function unknownRepositories(readers: ShardReaders): Indexes {
  return {
    readers,
    repositories: async (_caller, repo = '') => {
      throw new ServiceError('unknown_repo', `There is no repository "${repo}".`, { fix: 'Add it.' });
    },
    rebuild: async () => {},
  };
}

/** A store of files in which nothing is. */
function noBlobs(): Pick<BlobStore, 'put' | 'path' | 'delete'> {
  return {
    put: () => Promise.reject(new Error('Nothing is stored here.')),
    path: (hash) => Promise.resolve(hash),
    delete: async () => {},
  };
}

/** Backups that nobody makes. */
function noBackups(db: Db): Backups {
  const database = { db, copy: undefined };
  return new Backups({
    source: { database, blobs: noBlobs(), dataDir: '' },
    version: VERSION,
    now,
    schedule: undefined,
  });
}

/** Plans and signals without an index: no reader is ever started. */
function withoutIndex(db: Db, blobs: Pick<BlobStore, 'put' | 'path'>, knowledge: KnowledgeIndex): Plans & Signals {
  const readers = new ShardReaders({ blobs, threads: 1, cacheBytes: 1 });
  return {
    db,
    readers,
    indexes: unknownRepositories(readers),
    knowledge,
    texts: new PlanTexts({ limitMs: NEVER_MS }),
    indexed: async () => [],
    indexPast: () => Promise.reject(new Error('Nothing is indexed here.')),
    secretKeys: TEST_SECRET_KEYS,
    now,
  };
}

/** Trackers that may be called at once, and are waited for as long as any test waits. */
function unconnectedTrackers(plans: Plans): Trackers {
  return {
    plans,
    keys: TEST_SECRET_KEYS,
    net: { privateHosts: new Set<string>(), timeoutMs: HANG_LIMIT_MS },
    wait: async () => {},
    now,
  };
}

/** Parts for routes whose pages only need empty answers. */
function partsWithoutIndex(unindexed: Plans & Signals, documents: Documents) {
  const indexes = unknownRepositories(unindexed.readers);
  return {
    plans: unindexed,
    trackers: unconnectedTrackers(unindexed),
    sources: { signals: unindexed, net: { privateHosts: new Set<string>(), timeoutMs: HANG_LIMIT_MS } },
    graph: openGraph({ plans: unindexed, signals: unindexed, documents, indexes }),
    competitors: testCompetitors(unindexed.db).competitors,
    documents,
    indexes,
    uploadScip: () => Promise.reject(new Error('Nothing is indexed here.')),
    coverageOf: () => Promise.reject(new Error('Nothing is indexed here.')),
    openJobs: async () => ({ jobs: [], running: 0, waiting: 0 }),
    startIndexing: async () => {},
    startRemoval: async () => {},
    startReading: async () => {},
  };
}

function compose(composed: Composed): ReturnType<typeof httpApp> {
  const { keys } = composed.limited;
  const { account, limited, baseUrl, providers, metricsUrl, dataDir, documents, knowledge } = composed;
  const { db, accountId, productId } = account;
  const personId = account.actor.replace('person:', '');
  const owner = { accountId, productId, personId };
  const log = pino({ level: 'silent' });
  const table = toolTable({ operations: testOperations(), version: VERSION, log, now });
  const blobs = noBlobs();
  const repositories = openRepositories({ db, dataDir, blobs, policy: TEST_POLICY, now });
  const address = { db, baseUrl: (): string => baseUrl, now };
  const unindexed = withoutIndex(db, blobs, knowledge);
  const signals = { signals: unindexed, knowledge, startGathering: async () => {} };
  const api = {
    ...address,
    account: { accountId, productId, ownerId: personId },
    providers,
    keys,
    secretKeys: TEST_SECRET_KEYS,
    attempts: new RateLimiter(60, 60_000),
  };
  return httpApp({
    table,
    sessions: new Sessions(table, { endpoint: '/v1/mcp/sse', deadAmong: async () => [] }),
    streamable: new StreamableHttp(table),
    auth: {
      gate: keys,
      owner: (token, product) => (token === OWNER_TOKEN ? inProduct(db, owner, product) : undefined),
      signedIn: (c) => sessionRequester(c, address),
      now,
    },
    hosts: allowedHosts({ host: 'localhost', baseUrl, more: [] }),
    routes: serviceRoutes({
      ...address,
      ...partsWithoutIndex(unindexed, documents),
      backups: noBackups(db),
      ...limited,
      encoder: undefined,
      secretKeys: TEST_SECRET_KEYS,
      runs: new Runs({ db, now, log }),
      operations: table.serving.operations,
      ask: askOperations(table),
      repositories,
      organizations: { repositories, secretKeys: TEST_SECRET_KEYS, net: NO_NET, startIndexing: async () => {} },
      signalParts: signals,
      signalFiles: composed.signalFiles,
      providers,
      metricsUrl,
      modelUsage: new ModelUsage({ db: unindexed.db, now }),
    }),
    web: { api, folder: dataDir },
    selfChecked: [webhookReceiver(signals)],
    readiness: async () => ({ waiting: [], missing: [] }),
    failing: () => undefined,
    version: VERSION,
    log,
  });
}

/** Public hosts alone, and nobody waits for them. */
const NO_NET = { privateHosts: new Set<string>(), timeoutMs: 1 };

function now(): Date {
  return new Date();
}
