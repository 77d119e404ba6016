import { runRoutes } from './answers/runs/run-routes.ts';
import type { Runs } from './answers/runs/runs.ts';
import type { ModelUsage } from './answers/model/model-usage.ts';
import { modelUsageRoutes } from './answers/model/usage-routes.ts';
import { graphTexts } from './artifacts/artifacts.ts';
import { artifactRoutes } from './artifacts/routes.ts';
import { sourcePages } from './code/source-pages.ts';
import { sourceRoutes } from './code/source-routes.ts';
import { FileFacts } from './commits/commits.ts';
import { historyPages } from './commits/history-pages.ts';
import { historyRoutes } from './commits/history-routes.ts';
import { fileFactRoutes } from './commits/routes.ts';
import type { Competitors } from './competitors/competitors.ts';
import type { Backups } from './backups/backups.ts';
import { backupRoutes } from './backups/routes.ts';
import { competitorChangeRoutes } from './competitors/change-routes.ts';
import { competitorRoutes } from './competitors/routes.ts';
import { decisionRoutes } from './decisions/routes.ts';
import type { Documents } from './documents/documents.ts';
import { type DocumentRoutesParts, documentRoutes } from './documents/routes.ts';
import type { Graph } from './graph/graph.ts';
import { loginLinkRoutes } from './accounts/login-link-routes.ts';
import { featureRoutes } from './graph/feature-routes.ts';
import { layerRoutes } from './graph/layer-routes.ts';
import { pageToolRoutes } from './http/app-tool-routes.ts';
import type { ProviderSettings } from './accounts/oidc/oidc.ts';
import { isMcpRequest } from './http/mcp-routes.ts';
import { nameCallers } from './keys/actor-names.ts';
import type { Keys } from './keys/keys.ts';
import { keyRoutes } from './keys/routes.ts';
import { integrationRoutes } from './overview/integration-routes.ts';
import { quotaRoutes } from './overview/quota-routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { vectorRoutes } from './knowledge/vectors/routes.ts';
import type { Db } from './platform/db.ts';
import type { AnyOperation, AskOperation } from './platform/operation/operation.ts';
import type { SliceRoutes } from './platform/web.ts';
import type { Plans } from './plans/plans.ts';
import { planExportRoutes } from './plans/export-routes.ts';
import { planRoutes } from './plans/routes.ts';
import { repositoryRoutes, type RepositoryRoutesParts } from './repositories/routes.ts';
import { repositoryWebhookRoutes } from './repositories/webhooks/webhook-routes.ts';
import type { RepositoryWebhooks } from './repositories/webhooks/webhooks.ts';
import { scipRoutes } from './repositories/scip-routes.ts';
import { searchRoutes } from './search/routes.ts';
import type { Indexes } from './indexes/indexes.ts';
import { writtenReasons } from './service-plans.ts';
import { customerRoutes } from './signals/customer-routes.ts';
import { signalFileRoutes } from './signals/import/file-routes.ts';
import { signalRoutes, type SignalRoutesParts } from './signals/routes.ts';
import { organizationRoutes } from './repositories/organizations/organization-routes.ts';
import type { Organizations } from './repositories/organizations/organizations.ts';
import { signalSourceRoutes } from './signals/sources/source-routes.ts';
import type { SignalSources } from './signals/sources/sources.ts';
import { webhookRoutes } from './signals/webhooks/webhook-routes.ts';
import type { Encoder } from './text/encoder/encoder.ts';
import { bulkIssueRoutes } from './trackers/bulk-routes.ts';
import { trackerRoutes } from './trackers/routes.ts';
import type { Trackers } from './trackers/trackers.ts';
import { trackerWebhookRoutes } from './trackers/webhook-routes.ts';
import type { Limits } from './service-quotas.ts';

/** Parts from which the routes of the slices are built. */
export interface RouteParts extends RepositoryRoutesParts, RepositoryWebhooks, Limits {
  db: Db;
  keys: Keys;
  backups: Backups;
  operations: readonly AnyOperation[];
  /** Runs an operation for a page. */
  ask: AskOperation;
  uploadScip: Parameters<typeof scipRoutes>[0];
  encoder: Encoder | undefined;
  organizations: Organizations;
  plans: Plans;
  trackers: Trackers;
  runs: Runs;
  graph: Graph;
  competitors: Competitors;
  documents: Documents;
  signalParts: SignalRoutesParts;
  signalFiles: Parameters<typeof signalFileRoutes>[0];
  sources: SignalSources;
  startReading: DocumentRoutesParts['startReading'];
  providers: readonly ProviderSettings[];
  /** Address of the metrics; undefined when they are not served. */
  metricsUrl: string | undefined;
  modelUsage: ModelUsage;
  indexes: Indexes;
  baseUrl: () => string;
  now: () => Date;
}

/** The routes of all slices, each of which says below which path a door serves it. */
export function serviceRoutes(parts: RouteParts): SliceRoutes[] {
  const { db, keys, keyLimits, keyQuotas, operations, ask, plans, indexes, now } = parts;
  return [
    repositoryRoutes(parts),
    repositoryWebhookRoutes(parts, parts.baseUrl),
    organizationRoutes(parts.organizations),
    scipRoutes(parts.uploadScip),
    keyRoutes({ db, keys, keyLimits, keyQuotas, operations, isMcpRequest, now }),
    loginLinkRoutes(parts),
    backupRoutes(parts),
    planRoutes(plans),
    planExportRoutes(ask),
    decisionRoutes(plans),
    featureRoutes(parts.graph),
    layerRoutes(parts.graph),
    trackerRoutes(parts.trackers),
    bulkIssueRoutes(parts.trackers),
    trackerWebhookRoutes(parts.trackers),
    documentRoutes(parts),
    vectorRoutes(parts),
    signalRoutes(parts.signalParts),
    customerRoutes(parts.signalParts),
    signalFileRoutes(parts.signalFiles),
    webhookRoutes(parts.signalParts),
    signalSourceRoutes(parts.sources, parts.signalParts),
    competitorRoutes(parts.competitors),
    competitorChangeRoutes(parts.competitors),
    artifactRoutes({ plans, graph: parts.graph, indexes, texts: graphTexts() }),
    fileFactRoutes(new FileFacts(indexes, [writtenReasons(plans)])),
    historyRoutes({ history: historyPages(indexes), ask }),
    sourceRoutes(sourcePages(indexes)),
    searchRoutes(ask),
    runRoutes({ runs: parts.runs, nameCallers: (account, ids) => nameCallers(parts, account, ids) }),
    modelUsageRoutes(parts.modelUsage),
    pageToolRoutes(operations, ask),
    overviewRoutes(parts),
    quotaRoutes(parts),
    integrationRoutes({ ...parts, isMcpRequest }),
  ];
}
