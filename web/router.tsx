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
  component: lazyPage(() => import('./pages/welcome.tsx'), 'WelcomePage'),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPage(() => import('./pages/invitation.tsx'), 'InvitationPage'),
});

/** Everything that needs somebody signed in. */
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });

const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyPage(() => import('./pages/overview.tsx'), 'OverviewPage'),
});
const repositories = createRoute({
  getParentRoute: () => shell,
  path: '/repositories',
  component: lazyPage(() => import('./pages/repositories.tsx'), 'RepositoriesPage'),
});
const repository = createRoute({
  getParentRoute: () => shell,
  path: '/repositories/$repositoryId',
  component: lazyPage(() => import('./pages/repository.tsx'), 'RepositoryPage'),
});
const source = createRoute({
  getParentRoute: () => shell,
  path: '/r/$',
  component: lazyPage(() => import('./pages/source.tsx'), 'SourcePage'),
});
const symbol = createRoute({
  getParentRoute: () => shell,
  path: '/s/$',
  validateSearch: (raw): { symbol?: string } => (typeof raw['symbol'] === 'string' ? { symbol: raw['symbol'] } : {}),
  component: lazyPage(() => import('./pages/symbol.tsx'), 'SymbolPage'),
});
const commit = createRoute({
  getParentRoute: () => shell,
  path: '/history/$repositoryId/commits/$sha',
  component: lazyPage(() => import('./pages/commit.tsx'), 'CommitPage'),
});
const history = createRoute({
  getParentRoute: () => shell,
  path: '/history',
  validateSearch: historyParameters,
  component: lazyPage(() => import('./pages/history.tsx'), 'HistoryPage'),
});
const graph = createRoute({
  getParentRoute: () => shell,
  path: '/graph',
  validateSearch: graphParameters,
  component: lazyPage(() => import('./pages/graph.tsx'), 'GraphPage'),
});
const search = createRoute({
  getParentRoute: () => shell,
  path: '/search',
  validateSearch: searchParameters,
  component: lazyPage(() => import('./pages/search.tsx'), 'SearchPage'),
});
const ask = createRoute({
  getParentRoute: () => shell,
  path: '/ask',
  validateSearch: askParameters,
  component: lazyPage(() => import('./pages/ask.tsx'), 'AskPage'),
});
const runs = createRoute({
  getParentRoute: () => shell,
  path: '/runs',
  validateSearch: runFilter,
  component: lazyPage(() => import('./pages/runs.tsx'), 'RunsPage'),
});
const run = createRoute({
  getParentRoute: () => shell,
  path: '/runs/$runId',
  component: lazyPage(() => import('./pages/run.tsx'), 'RunPage'),
});
const plans = createRoute({
  getParentRoute: () => shell,
  path: '/plans',
  validateSearch: planFilter,
  component: lazyPage(() => import('./pages/plans.tsx'), 'PlansPage'),
});
const newPlan = createRoute({
  getParentRoute: () => shell,
  path: '/plans/new',
  component: lazyPage(() => import('./pages/plan-editor.tsx'), 'NewPlanPage'),
});
const plan = createRoute({
  getParentRoute: () => shell,
  path: '/plans/$slug',
  validateSearch: pageView,
  component: lazyPage(() => import('./pages/plan.tsx'), 'PlanPage'),
});
const planEditor = createRoute({
  getParentRoute: () => shell,
  path: '/plans/$slug/edit',
  component: lazyPage(() => import('./pages/plan-editor.tsx'), 'EditPlanPage'),
});
const workItems = createRoute({
  getParentRoute: () => shell,
  path: '/work-items',
  validateSearch: workItemFilter,
  component: lazyPage(() => import('./pages/work-items.tsx'), 'WorkItemsPage'),
});
const decisions = createRoute({
  getParentRoute: () => shell,
  path: '/decisions',
  validateSearch: decisionFilter,
  component: lazyPage(() => import('./pages/decisions.tsx'), 'DecisionsPage'),
});
const decisionForm = createRoute({
  getParentRoute: () => shell,
  path: '/decisions/new',
  validateSearch: newDecision,
  component: lazyPage(() => import('./pages/new-decision.tsx'), 'NewDecisionPage'),
});
const decision = createRoute({
  getParentRoute: () => shell,
  path: '/decisions/$decisionId',
  component: lazyPage(() => import('./pages/decision.tsx'), 'DecisionPage'),
});
const documents = createRoute({
  getParentRoute: () => shell,
  path: '/documents',
  validateSearch: documentFilter,
  component: lazyPage(() => import('./pages/documents.tsx'), 'DocumentsPage'),
});
const documentPage = createRoute({
  getParentRoute: () => shell,
  path: '/documents/$documentId',
  component: lazyPage(() => import('./pages/document.tsx'), 'DocumentPage'),
});
const signals = createRoute({
  getParentRoute: () => shell,
  path: '/signals',
  validateSearch: signalFilter,
  component: lazyPage(() => import('./pages/signals.tsx'), 'SignalsPage'),
});
const signal = createRoute({
  getParentRoute: () => shell,
  path: '/signals/$signalId',
  component: lazyPage(() => import('./pages/signal.tsx'), 'SignalPage'),
});
const customers = createRoute({
  getParentRoute: () => shell,
  path: '/customers',
  validateSearch: customerFilter,
  component: lazyPage(() => import('./pages/customers.tsx'), 'CustomersPage'),
});
const themes = createRoute({
  getParentRoute: () => shell,
  path: '/themes',
  validateSearch: themeFilter,
  component: lazyPage(() => import('./pages/themes.tsx'), 'ThemesPage'),
});
const theme = createRoute({
  getParentRoute: () => shell,
  path: '/themes/$themeId',
  component: lazyPage(() => import('./pages/theme.tsx'), 'ThemePage'),
});
const competitors = createRoute({
  getParentRoute: () => shell,
  path: '/competitors',
  component: lazyPage(() => import('./pages/competitors.tsx'), 'CompetitorsPage'),
});
const competitor = createRoute({
  getParentRoute: () => shell,
  path: '/competitors/$competitorId',
  validateSearch: pageView,
  component: lazyPage(() => import('./pages/competitor.tsx'), 'CompetitorPage'),
});
const connect = createRoute({
  getParentRoute: () => shell,
  path: '/connect',
  validateSearch: (raw): { key?: string } => (typeof raw['key'] === 'string' ? { key: raw['key'] } : {}),
  component: lazyPage(() => import('./pages/connect.tsx'), 'ConnectPage'),
});
const keys = createRoute({
  getParentRoute: () => shell,
  path: '/settings/api-keys',
  validateSearch: keyFilter,
  component: lazyPage(() => import('./pages/api-keys.tsx'), 'ApiKeysPage'),
});
const key = createRoute({
  getParentRoute: () => shell,
  path: '/settings/api-keys/$keyId',
  component: lazyPage(() => import('./pages/api-key.tsx'), 'ApiKeyPage'),
});
const members = createRoute({
  getParentRoute: () => shell,
  path: '/settings/members',
  component: lazyPage(() => import('./pages/members.tsx'), 'MembersPage'),
});
const products = createRoute({
  getParentRoute: () => shell,
  path: '/settings/products',
  component: lazyPage(() => import('./pages/products.tsx'), 'ProductsPage'),
});
const integrations = createRoute({
  getParentRoute: () => shell,
  path: '/settings/integrations',
  component: lazyPage(() => import('./pages/integrations.tsx'), 'IntegrationsPage'),
});
const audit = createRoute({
  getParentRoute: () => shell,
  path: '/settings/audit-log',
  validateSearch: auditFilter,
  component: lazyPage(() => import('./pages/audit-log.tsx'), 'AuditLogPage'),
});
const account = createRoute({
  getParentRoute: () => shell,
  path: '/settings/account',
  component: lazyPage(() => import('./pages/account.tsx'), 'AccountPage'),
});

/** Addresses below which there is nothing keep the navigation. */
const notFound = createRoute({
  getParentRoute: () => shell,
  path: '$',
  component: lazyPage(() => import('./pages/not-found.tsx'), 'NotFoundPage'),
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
