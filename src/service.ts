import { rmSync } from 'node:fs';
import { type FirstAccount, inProduct } from './accounts/accounts.ts';
import { installationToken, ownerTokenMatches } from './accounts/owner-token.ts';
import { announceServer } from './cli/announce-server.ts';
import type { OpenService, ServiceParts } from './cli/command.ts';
import { type Backups, openBackups } from './backups/backups.ts';
import type { Competitors } from './competitors/competitors.ts';
import { ModelUsage } from './answers/model/model-usage.ts';
import { Runs } from './answers/runs/runs.ts';
import type { Documents } from './documents/documents.ts';
import { type Graph, graphMemory, openGraph } from './graph/graph.ts';
import { adminApp } from './http/admin.ts';
import { httpApp } from './http/app.ts';
import { sessionRequester } from './http/app-session.ts';
import { allowedHosts } from './http/guards.ts';
import { listen, type Listener } from './http/server.ts';
import type { Keys } from './keys/keys.ts';
import type { KnowledgeIndex } from './knowledge/knowledge.ts';
import { askOperations } from './mcp/ask-operation.ts';
import { type ToolTable, toolTable } from './mcp/server.ts';
import { Sessions } from './mcp/sessions.ts';
import { StreamRelay } from './mcp/stream-relay.ts';
import { StreamableHttp } from './mcp/streamable-http.ts';
import { serviceOperations } from './operations.ts';
import { openBlobs } from './platform/blob-cache.ts';
import type { BlobStore } from './platform/blobs.ts';
import type { Config } from './platform/config.ts';
import type { Database } from './platform/db.ts';
import { configuredModel, type ModelProvider } from './platform/language-model.ts';
import { faultLog } from './platform/failures.ts';
import { hostGit } from './platform/git/git-host.ts';
import { listOpenJobs, openQueue, type Queue } from './platform/jobs.ts';
import { handleLastResort } from './platform/last-resort.ts';
import type { Log } from './platform/log.ts';
import { divideMemory, divideReaders } from './platform/memory.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import { Supervisor } from './platform/supervision.ts';
import { runAlone } from './platform/migrate.ts';
import type { SliceRoutes } from './platform/web.ts';
import type { Plans } from './plans/plans.ts';
import { describeRepositories, type Repositories } from './repositories/repositories.ts';
import type { Organizations } from './repositories/organizations/organizations.ts';
import { pushReceiver } from './repositories/webhooks/webhook-routes.ts';
import type { SecretKeys } from './platform/secrets.ts';
import { sweepLeftovers } from './repositories/runs/runs.ts';
import { openData } from './service-data.ts';
import { findFailure, readinessOf } from './service-health.ts';
import { serviceIndexes, type ServiceIndexes, serviceRefs } from './service-indexes.ts';
import {
  serviceCompetitors,
  serviceDocuments,
  serviceKnowledge,
  serviceSignals,
  signalParts,
} from './service-knowledge.ts';
import { productPlans, productTrackers } from './service-plans.ts';
import { indexScope, serviceOrganizations, serviceRepositories } from './service-repositories.ts';
import { type RouteParts, serviceRoutes } from './service-routes.ts';
import { productResources } from './service-resources.ts';
import { addStateMetrics } from './service-metrics.ts';
import { coverageOf, localUrlOf, metricsUrlOf, urlOf, webParts } from './service-web.ts';
import { ShardReaders } from './indexes/shards/shards.ts';
import { SignalFiles } from './signals/import/signal-files.ts';
import type { Signals } from './signals/signals.ts';
import { callLimits, type Limits, openLimited } from './service-quotas.ts';
import { webhookReceiver } from './signals/webhooks/webhook-routes.ts';
import type { SignalSources } from './signals/sources/sources.ts';
import { trackerWebhookReceiver } from './trackers/webhook-routes.ts';
import { builtInEncoder } from './text/encoder/built-in-encoder.ts';
import { configuredEmbeddings } from './text/encoder/embedding-service.ts';
import type { Encoder } from './text/encoder/encoder.ts';
import type { Trackers } from './trackers/trackers.ts';
import { uploadScip, type UploadParts } from './worker/upload-scip.ts';
import { askAbout, askForJob, startJobs } from './worker/run-jobs.ts';
import { WarmProcess } from './worker/warm-process.ts';

/** Parts with which a service is opened, besides its settings. */
interface ServiceContext {
  log: Log;
  version: string;
  now: () => Date;
}

/** With metrics, and the observer of threads and processes that end. */
interface WatchedContext extends ServiceContext {
  metrics: Metrics;
  supervisor: Supervisor;
}

/** The parts below the doors. */
interface Core extends WatchedContext, Limits {
  config: Config;
  database: Database;
  account: FirstAccount;
  secretKeys: SecretKeys;
  blobs: BlobStore;
  backups: Backups;
  keys: Keys;
  repositories: Repositories;
  organizations: Organizations;
  readers: ShardReaders;
  /** The configured service, for code and for what people write. */
  embeddings: Encoder | undefined;
  /** For what people write: that service, or what ships. */
  encoder: Encoder | undefined;
  model: ModelProvider | undefined;
  queue: Queue;
  knowledge: KnowledgeIndex;
  documents: Documents;
  signals: Signals;
  signalFiles: SignalFiles;
  sources: SignalSources;
  indexes: ServiceIndexes;
  plans: Plans;
  trackers: Trackers;
  runs: Runs;
  modelUsage: ModelUsage;
  competitors: Competitors;
  graph: Graph;
}

/**
 * Opens a service on its data, in the order in which parts need each other; `close` takes them down the other way. With
 * the embedded database one process at a time can.
 *
 * @throws ServiceError when the data folder cannot be used, the database cannot be reached, or the port is taken.
 */
export async function openService(config: Config, parts: ServiceParts, context: ServiceContext): Promise<OpenService> {
  await using opening = new AsyncDisposableStack();
  const metrics = createMetrics();
  const supervisor = new Supervisor({ log: context.log, metrics, now: context.now });
  // A command that neither serves nor works is over before its memory grows.
  if (parts.serve || parts.work) hostGit(supervisor.watch('git'));
  const core = await openCore(config, { ...context, metrics, supervisor }, opening);
  const owner = await runAlone(core.database, async () => installationToken(config.dataDir));
  // The port is known once it is listened on.
  const address = { url: config.baseUrl };
  const doors = openDoors(core, owner.hash, () => address.url);
  opening.defer(doors.close);
  if (parts.serve) opening.defer(await doors.hear());
  if (parts.work) await startWork(core, opening);
  const listener = parts.serve ? await openListener(core, doors, opening) : undefined;
  if (parts.serve || parts.work) await openAdmin(core, opening);
  const url = listener === undefined ? undefined : (address.url = urlOf(config, listener));
  if (listener !== undefined)
    opening.defer(announceServer(config.dataDir, { url: localUrlOf(listener), token: owner.token, pid: process.pid }));
  if (parts.serve || parts.work) opening.use(handleLastResort(core));
  const open = opening.move();
  let closing: Promise<void> | undefined;
  return {
    url,
    request: async (path, init) => {
      const request = new Request(new URL(path, 'http://localhost'), init);
      if (!request.headers.has('authorization')) request.headers.set('authorization', `Bearer ${owner.token}`);
      request.headers.set('host', 'localhost');
      return doors.app.fetch(request, {});
    },
    close: () => (closing ??= open.disposeAsync()),
  };
}

async function openCore(config: Config, context: WatchedContext, opening: AsyncDisposableStack): Promise<Core> {
  const models = openModels(config, context.supervisor, opening);
  const { log, now, metrics, supervisor } = context;
  const { database, account, secretKeys } = await openData(config, context, opening);
  const blobs = await openBlobs(config);
  const { keys, ...limited } = await openLimited(config, database, context, opening);
  const { quotas } = limited;
  const repositories = serviceRepositories({ config, db: database.db, blobs, secretKeys, quotas, now });
  opening.defer(await repositories.cache.hear(database));
  const memory = divideMemory(config.memoryBytes, { isEmbedded: config.databaseUrl === undefined });
  const readers = new ShardReaders({
    blobs,
    ...divideReaders(memory, config.readerThreads),
    cacheBytes: memory.pageCache,
    supervisor,
  });
  opening.defer(() => readers.close());
  const queue = await openQueue(database, { log, metrics });
  opening.defer(() => queue.stop());
  const organizations = serviceOrganizations(repositories, { config, secretKeys, queue });
  const { encoder } = models;
  const knowledge = serviceKnowledge({ ...context, config, db: database.db, encoder, memoryBytes: memory.knowledge });
  opening.defer(() => knowledge.close());
  opening.use(knowledge.sweepRegularly());
  const documents = serviceDocuments({ config, db: database.db, blobs, quotas, now, supervisor });
  opening.defer(() => documents.close());
  const refs = serviceRefs({ config, repositories, blobs, log, supervisor });
  opening.defer(() => refs.close());
  const indexes = serviceIndexes({ ...context, ...models, config, blobs, readers, repositories, refs, queue });
  opening.defer(() => indexes.catalogs.close());
  const signals = serviceSignals({ db: database.db, secretKeys, now, supervisor, encoder, knowledge }, indexes);
  const signalFiles = new SignalFiles(supervisor.watch('signal_files'));
  opening.defer(() => signalFiles.close());
  const plans = productPlans({ db: database.db, now, textHeapBytes: memory.texts, supervisor, knowledge }, indexes);
  opening.defer(() => plans.texts.close());
  const trackers = productTrackers(plans, secretKeys, config);
  const sources = { signals, net: trackers.net };
  const { requireRun, leftByQuotas } = callLimits(limited);
  const runs = new Runs({ db: database.db, now, log, requireRun });
  const modelUsage = new ModelUsage({ db: database.db, now, leftByQuotas });
  opening.defer(() => runs.close());
  const graph = openGraph({ indexes, plans, signals, documents }, graphMemory(memory));
  const competitors = serviceCompetitors({ config, db: database.db, secretKeys, knowledge, graph, ...context });
  opening.defer(() => competitors.pages.close());
  opening.defer(() => competitors.renderer?.close());
  const parts = { config, database, account, blobs, keys, ...limited, repositories, readers, ...models };
  const written = { runs, modelUsage, knowledge, documents, signals, sources, plans, trackers, competitors, graph };
  const backups = openBackups(config, parts, context);
  return { ...context, ...parts, ...written, signalFiles, organizations, backups, secretKeys, queue, indexes };
}

/** The models that are configured or ship with the service. None of them starts before its first call. */
function openModels(
  config: Config,
  supervisor: Supervisor,
  opening: AsyncDisposableStack,
): Pick<Core, 'embeddings' | 'encoder' | 'model'> {
  const [embeddings, model] = [configuredEmbeddings(config), configuredModel(config)];
  if (config.encoder === 'off') return { embeddings, encoder: undefined, model };
  if (embeddings !== undefined) return { embeddings, encoder: embeddings, model };
  const encoder = builtInEncoder({ watch: supervisor.watch('encoder') });
  opening.defer(() => encoder.close());
  return { embeddings, encoder, model };
}

interface Doors {
  app: ReturnType<typeof httpApp>;
  drain: (limitMs: number) => Promise<void>;
  /** Begins to hear of messages that other replicas pass on. Returns the way to stop. */
  hear: () => Promise<() => Promise<void>>;
  close: () => void;
}

function openDoors(core: Core, ownerHash: string, baseUrl: () => string): Doors {
  const { config, database, keys, log, metrics, now, version } = core;
  const { db } = database;
  const operations = serviceOperations({ ...core, baseUrl });
  const table = toolTable({
    operations,
    version,
    log,
    now,
    resources: productResources(core),
    describeProduct: (caller) => describeRepositories(core.repositories, caller),
    countCall: (call) => metrics.countToolCall(call),
  });
  const { sessions, streamable, hear, forget } = openTransports(core, table);
  const { accountId, productId, ownerId: personId } = core.account;
  const owner = { accountId, productId, personId };
  const signals = signalParts(core);
  const web = webParts({ ...core, db, baseUrl });
  const app = httpApp({
    table,
    sessions,
    streamable,
    auth: {
      gate: keys,
      owner: (token, product) => (ownerTokenMatches(token, ownerHash) ? inProduct(db, owner, product) : undefined),
      streamOwner: config.ssePostAuth === 'session' ? (id) => sessions.callerOf(id) : undefined,
      signedIn: (c) => sessionRequester(c, { db, baseUrl, now }),
      now,
    },
    trustedProxies: config.trustedProxies,
    hosts: allowedHosts({ host: config.host, baseUrl: config.baseUrl, more: config.allowedHosts }),
    routes: routesOf(core, { operations, ask: askOperations(table), signalParts: signals, web, baseUrl }),
    web,
    selfChecked: [
      webhookReceiver(signals),
      pushReceiver(core, askAbout(core.queue, 'repository.fetch')),
      trackerWebhookReceiver(core.trackers, () => askForJob(core.queue, 'trackers.refresh', {})),
    ],
    readiness: () => readinessOf(core),
    failing: () => findFailure(core),
    version,
    log,
    countRequest: (request) => metrics.countRequest(request),
    countError: (error) => metrics.countError(error),
  });
  const drain = async (limitMs: number): Promise<void> => {
    await Promise.all([sessions.drain(limitMs), streamable.drain(limitMs)]);
  };
  return { app, drain, hear, close: forget };
}

/** Both transports of MCP. Their streams and calls end with their keys, until `forget`. */
function openTransports({ config, database, keys, log, metrics }: Core, table: ToolTable) {
  const onFault = faultLog(log, 'a message to the stream of another replica');
  const relay = database.kind === 'server' ? new StreamRelay(database, { onFault }) : undefined;
  const sessions = new Sessions(table, {
    relay,
    endpoint: `${new URL(config.baseUrl).pathname.replace(/\/$/, '')}/v1/mcp/sse`,
    deadAmong: (keyIds) => keys.deadAmong(keyIds),
    streamsPerKey: config.streamsPerKey,
    addStreams: (transport, change) => metrics.addStreams(transport, change),
  });
  const streamable = new StreamableHttp(table, relay);
  const forget = keys.onDead((keyId, secretId) => {
    streamable.revoke(keyId, secretId);
    sessions.revoke(keyId, secretId).catch((error: unknown) => log.error({ err: error }, 'ending streams of a key'));
  });
  const hear = async (): Promise<() => Promise<void>> => (await relay?.hear(sessions, streamable)) ?? (async () => {});
  return { sessions, streamable, hear, forget };
}

/** The routes of all slices. */
function routesOf(
  core: Core,
  doors: Pick<RouteParts, 'operations' | 'ask' | 'signalParts' | 'baseUrl'> & { web: ReturnType<typeof webParts> },
): SliceRoutes[] {
  return serviceRoutes({
    ...core,
    ...doors,
    db: core.database.db,
    startIndexing: askAbout(core.queue, 'repository.index'),
    startRemoval: askAbout(core.queue, 'documents.take'),
    openJobs: (tenant, limit) => listOpenJobs(core.database, tenant, limit),
    coverageOf: (indexing, row) => coverageOf(core.indexes, indexing, row),
    uploadScip: (upload) => uploadScip(uploadScope(core), upload),
    startReading: (indexing) => askForJob(core.queue, 'documents.read', indexing),
    providers: doors.web.api.providers,
    metricsUrl: metricsUrlOf(core.config),
  });
}

/** Dependencies of uploads of SCIP indexes. */
function uploadScope(core: Core): UploadParts {
  return { ...indexScope(core), startRefining: askAbout(core.queue, 'repository.refine') };
}

async function startWork(core: Core, opening: AsyncDisposableStack): Promise<void> {
  const { queue, database, plans, trackers, organizations, documents, signals, sources, readers } = core;
  const indexing = indexScope(core);
  // With the embedded database no other process can be writing there.
  if (database.kind === 'embedded') {
    rmSync(indexing.workDir, { recursive: true, force: true });
    await sweepLeftovers(indexing.repositories);
  }
  const { encoder, embeddings, competitors, backups, log, metrics } = core;
  const parts = { plans, trackers, organizations, documents, signals, sources, readers, embeddings, competitors };
  const countEncoded = (texts: number): void => metrics.countEncoded(texts);
  const vectors = encoder && { db: database.db, encoder, log, countEncoded };
  opening.use(core.runs.resumeRegularly({ isAlone: core.database.kind === 'embedded' }));
  const indexer = new WarmProcess({ supervisor: core.supervisor, isBackground: true });
  opening.defer(() => indexer.close());
  opening.use(
    await startJobs(queue, {
      ...indexing,
      indexer,
      ...parts,
      catalogs: core.indexes.catalogs,
      vectors,
      backups: backups.schedule && backups,
      startIndexing: askAbout(queue, 'repository.index'),
    }),
  );
}

async function openListener({ config }: Core, doors: Doors, opening: AsyncDisposableStack): Promise<Listener> {
  const listener = await listen(doors.app, {
    host: config.host,
    port: config.port,
    variable: 'SVC_PORT',
    drain: doors.drain,
  });
  opening.defer(() => listener.close());
  return listener;
}

/** Serves the metrics of this process, of one that only works too, where a port is set for them. */
async function openAdmin(core: Core, opening: AsyncDisposableStack): Promise<void> {
  const { config, metrics } = core;
  if (config.adminPort === 0) return;
  addStateMetrics(core);
  const admin = await listen(adminApp(metrics), {
    host: config.adminHost,
    port: config.adminPort,
    variable: 'SVC_ADMIN_PORT',
  });
  opening.defer(() => admin.close());
}
