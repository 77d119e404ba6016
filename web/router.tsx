import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { PageFailure } from './shell/failures.tsx';
import { PagePending } from './shell/page-pending.tsx';
import { Shell } from './shell/shell.tsx';
import { isServiceReached, probeService } from './connection.ts';
import { askParameters } from './ask/parameters.ts';
import { graphParameters } from './graph/parameters.ts';
import { historyParameters } from './history/parameters.ts';
import {
  auditFilter,
  customerFilter,
  decisionFilter,
  documentFilter,
  keyFilter,
  newDecision,
  pageView,
  planFilter,
  signalFilter,
  themeFilter,
} from './knowledge/filters.ts';
import { workItemFilter } from './plans/work-item-filter.ts';
import { runFilter } from './runs/filter.ts';
import { searchParameters } from './search-parameters.ts';

/**
 * A page that is loaded when it is opened. The router reloads the whole application when that fails, because a newer version may have
 * replaced it; while the service does not answer, the application stays and says so.
 */
function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      await probeService();
      if (isServiceReached()) throw error;
      throw new Error('The page could not be loaded.', { cause: error });
    }
  }, name);
}

const root = createRootRoute({ component: Outlet, errorComponent: PageFailure });

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyPage(() => import('./account/welcome-page.tsx'), 'WelcomePage'),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPage(() => import('./account/invitation-page.tsx'), 'InvitationPage'),
});

/** Everything that needs somebody signed in. */
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });

const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyPage(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
});
const repositories = createRoute({
  getParentRoute: () => shell,
  path: '/repositories',
  component: lazyPage(() => import('./repositories/repositories-page.tsx'), 'RepositoriesPage'),
});
const repository = createRoute({
  getParentRoute: () => shell,
  path: '/repositories/$repositoryId',
  component: lazyPage(() => import('./repositories/repository-page.tsx'), 'RepositoryPage'),
});
const source = createRoute({
  getParentRoute: () => shell,
  path: '/r/$',
  component: lazyPage(() => import('./code/source-page.tsx'), 'SourcePage'),
});
const symbol = createRoute({
  getParentRoute: () => shell,
  path: '/s/$',
  validateSearch: (raw): { symbol?: string } => (typeof raw['symbol'] === 'string' ? { symbol: raw['symbol'] } : {}),
  component: lazyPage(() => import('./code/symbol-page.tsx'), 'SymbolPage'),
});
const commit = createRoute({
  getParentRoute: () => shell,
  path: '/history/$repositoryId/commits/$sha',
  component: lazyPage(() => import('./history/commit-page.tsx'), 'CommitPage'),
});
const history = createRoute({
  getParentRoute: () => shell,
  path: '/history',
  validateSearch: historyParameters,
  component: lazyPage(() => import('./history/history-page.tsx'), 'HistoryPage'),
});
const graph = createRoute({
  getParentRoute: () => shell,
  path: '/graph',
  validateSearch: graphParameters,
  component: lazyPage(() => import('./graph/graph-page.tsx'), 'GraphPage'),
});
const search = createRoute({
  getParentRoute: () => shell,
  path: '/search',
  validateSearch: searchParameters,
  component: lazyPage(() => import('./search/search-page.tsx'), 'SearchPage'),
});
const ask = createRoute({
  getParentRoute: () => shell,
  path: '/ask',
  validateSearch: askParameters,
  component: lazyPage(() => import('./ask/ask-page.tsx'), 'AskPage'),
});
const runs = createRoute({
  getParentRoute: () => shell,
  path: '/runs',
  validateSearch: runFilter,
  component: lazyPage(() => import('./runs/runs-page.tsx'), 'RunsPage'),
});
const run = createRoute({
  getParentRoute: () => shell,
  path: '/runs/$runId',
  component: lazyPage(() => import('./runs/run-page.tsx'), 'RunPage'),
});
const plans = createRoute({
  getParentRoute: () => shell,
  path: '/plans',
  validateSearch: planFilter,
  component: lazyPage(() => import('./plans/plans-page.tsx'), 'PlansPage'),
});
const newPlan = createRoute({
  getParentRoute: () => shell,
  path: '/plans/new',
  component: lazyPage(() => import('./plans/plan-editor-page.tsx'), 'NewPlanPage'),
});
const plan = createRoute({
  getParentRoute: () => shell,
  path: '/plans/$slug',
  validateSearch: pageView,
  component: lazyPage(() => import('./plans/plan-page.tsx'), 'PlanPage'),
});
const planEditor = createRoute({
  getParentRoute: () => shell,
  path: '/plans/$slug/edit',
  component: lazyPage(() => import('./plans/plan-editor-page.tsx'), 'EditPlanPage'),
});
const workItems = createRoute({
  getParentRoute: () => shell,
  path: '/work-items',
  validateSearch: workItemFilter,
  component: lazyPage(() => import('./plans/work-items-page.tsx'), 'WorkItemsPage'),
});
const decisions = createRoute({
  getParentRoute: () => shell,
  path: '/decisions',
  validateSearch: decisionFilter,
  component: lazyPage(() => import('./decisions/decisions-page.tsx'), 'DecisionsPage'),
});
const decisionForm = createRoute({
  getParentRoute: () => shell,
  path: '/decisions/new',
  validateSearch: newDecision,
  component: lazyPage(() => import('./decisions/new-decision-page.tsx'), 'NewDecisionPage'),
});
const decision = createRoute({
  getParentRoute: () => shell,
  path: '/decisions/$decisionId',
  component: lazyPage(() => import('./decisions/decision-page.tsx'), 'DecisionPage'),
});
const documents = createRoute({
  getParentRoute: () => shell,
  path: '/documents',
  validateSearch: documentFilter,
  component: lazyPage(() => import('./documents/documents-page.tsx'), 'DocumentsPage'),
});
const documentPage = createRoute({
  getParentRoute: () => shell,
  path: '/documents/$documentId',
  component: lazyPage(() => import('./documents/document-page.tsx'), 'DocumentPage'),
});
const signals = createRoute({
  getParentRoute: () => shell,
  path: '/signals',
  validateSearch: signalFilter,
  component: lazyPage(() => import('./signals/signals-page.tsx'), 'SignalsPage'),
});
const signal = createRoute({
  getParentRoute: () => shell,
  path: '/signals/$signalId',
  component: lazyPage(() => import('./signals/signal-page.tsx'), 'SignalPage'),
});
const customers = createRoute({
  getParentRoute: () => shell,
  path: '/customers',
  validateSearch: customerFilter,
  component: lazyPage(() => import('./signals/customers-page.tsx'), 'CustomersPage'),
});
const themes = createRoute({
  getParentRoute: () => shell,
  path: '/themes',
  validateSearch: themeFilter,
  component: lazyPage(() => import('./signals/themes-page.tsx'), 'ThemesPage'),
});
const theme = createRoute({
  getParentRoute: () => shell,
  path: '/themes/$themeId',
  component: lazyPage(() => import('./signals/theme-page.tsx'), 'ThemePage'),
});
const competitors = createRoute({
  getParentRoute: () => shell,
  path: '/competitors',
  component: lazyPage(() => import('./competitors/competitors-page.tsx'), 'CompetitorsPage'),
});
const competitor = createRoute({
  getParentRoute: () => shell,
  path: '/competitors/$competitorId',
  validateSearch: pageView,
  component: lazyPage(() => import('./competitors/competitor-page.tsx'), 'CompetitorPage'),
});
const connect = createRoute({
  getParentRoute: () => shell,
  path: '/connect',
  validateSearch: (raw): { key?: string } => (typeof raw['key'] === 'string' ? { key: raw['key'] } : {}),
  component: lazyPage(() => import('./keys/connect-page.tsx'), 'ConnectPage'),
});
const keys = createRoute({
  getParentRoute: () => shell,
  path: '/settings/api-keys',
  validateSearch: keyFilter,
  component: lazyPage(() => import('./keys/keys-page.tsx'), 'ApiKeysPage'),
});
const key = createRoute({
  getParentRoute: () => shell,
  path: '/settings/api-keys/$keyId',
  component: lazyPage(() => import('./keys/key-page.tsx'), 'ApiKeyPage'),
});
const members = createRoute({
  getParentRoute: () => shell,
  path: '/settings/members',
  component: lazyPage(() => import('./members/members-page.tsx'), 'MembersPage'),
});
const products = createRoute({
  getParentRoute: () => shell,
  path: '/settings/products',
  component: lazyPage(() => import('./account/products-page.tsx'), 'ProductsPage'),
});
const integrations = createRoute({
  getParentRoute: () => shell,
  path: '/settings/integrations',
  component: lazyPage(() => import('./trackers/integrations-page.tsx'), 'IntegrationsPage'),
});
const audit = createRoute({
  getParentRoute: () => shell,
  path: '/settings/audit-log',
  validateSearch: auditFilter,
  component: lazyPage(() => import('./audit/audit-log-page.tsx'), 'AuditLogPage'),
});
const account = createRoute({
  getParentRoute: () => shell,
  path: '/settings/account',
  component: lazyPage(() => import('./account/account-page.tsx'), 'AccountPage'),
});

/** Addresses below which there is nothing keep the navigation. */
const notFound = createRoute({
  getParentRoute: () => shell,
  path: '$',
  component: lazyPage(() => import('./shell/not-found-page.tsx'), 'NotFoundPage'),
});

const PENDING_MS = 1_000;
const PENDING_AT_LEAST_MS = 500;

const pages = [
  overview,
  repositories,
  repository,
  source,
  symbol,
  commit,
  history,
  graph,
  search,
  ask,
  runs,
  run,
  plans,
  newPlan,
  plan,
  planEditor,
  workItems,
  decisions,
  decisionForm,
  decision,
  documents,
  documentPage,
  signals,
  signal,
  customers,
  themes,
  theme,
  competitors,
  competitor,
  connect,
  keys,
  key,
  members,
  products,
  integrations,
  audit,
  account,
  notFound,
] as const;

export const router = createRouter({
  routeTree: root.addChildren([welcome, invitation, shell.addChildren(pages)]),
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailure,
  defaultPendingComponent: PagePending,
  // The frame does not wait for the first page. Later a page stays until the next one is there, for a second at most.
  defaultPendingMs: 0,
  // Nor does its content wait until the placeholder was there for half a second.
  defaultPendingMinMs: 0,
  scrollRestoration: true,
  // `mail@3316dc92f01a/src/send.ts` stays readable.
  pathParamsAllowedCharacters: ['@'],
});

const unsubscribe = router.subscribe('onResolved', () => {
  unsubscribe();
  router.update({ ...router.options, defaultPendingMs: PENDING_MS, defaultPendingMinMs: PENDING_AT_LEAST_MS });
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
