import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { askParameters } from './ask/parameters.ts';
import { isServiceReached, probeService } from './connection.ts';
import { graphParameters } from './graph/parameters.ts';
import { historyParameters } from './history/parameters.ts';
import {
  auditFilter,
  customerFilter,
  decisionFilter,
  documentFilter,
  repositoryFilter,
  keyFilter,
  newDecision,
  themePeriod,
  pageView,
  planFilter,
  runFilter,
  signalFilter,
  themeFilter,
} from './knowledge/filters.ts';
import { workItemFilter } from './plans/work-item-filter.ts';
import { searchParameters, textParameters } from './search-parameters.ts';
import { PageFailure } from './shell/failures.tsx';
import { PagePending } from './shell/page-pending.tsx';
import { Shell } from './shell/shell.tsx';

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

/** Everything that needs somebody signed in. */
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });

type Pages = Record<string, unknown>;
type Load<Module extends Pages> = () => Promise<Module>;

function page<const Path extends string, Module extends Pages>(path: Path, load: Load<Module>, name: keyof Module) {
  return createRoute({ getParentRoute: () => shell, path, component: lazyPage(load, name) });
}

/** A page that takes parameters from its address. */
function searchPage<const Path extends string, Search, Module extends Pages>(
  path: Path,
  validateSearch: (raw: Record<string, unknown>) => Search,
  load: Load<Module>,
  name: keyof Module,
) {
  return createRoute({ getParentRoute: () => shell, path, validateSearch, component: lazyPage(load, name) });
}

const pages = [
  page('/', () => import('./overview/overview-page.tsx'), 'OverviewPage'),
  searchPage(
    '/repositories',
    repositoryFilter,
    () => import('./repositories/repositories-page.tsx'),
    'RepositoriesPage',
  ),
  page('/repositories/$repositoryId', () => import('./repositories/repository-page.tsx'), 'RepositoryPage'),
  page('/r/$', () => import('./code/source-page.tsx'), 'SourcePage'),
  searchPage('/s/$', textParameters<'symbol'>(['symbol']), () => import('./code/symbol-page.tsx'), 'SymbolPage'),
  page('/history/$repositoryId/commits/$sha', () => import('./history/commit-page.tsx'), 'CommitPage'),
  searchPage('/history', historyParameters, () => import('./history/history-page.tsx'), 'HistoryPage'),
  searchPage('/graph', graphParameters, () => import('./graph/graph-page.tsx'), 'GraphPage'),
  searchPage('/search', searchParameters, () => import('./search/search-page.tsx'), 'SearchPage'),
  searchPage('/ask', askParameters, () => import('./ask/ask-page.tsx'), 'AskPage'),
  searchPage('/runs', runFilter, () => import('./runs/runs-page.tsx'), 'RunsPage'),
  page('/runs/$runId', () => import('./runs/run-page.tsx'), 'RunPage'),
  searchPage('/plans', planFilter, () => import('./plans/plans-page.tsx'), 'PlansPage'),
  page('/plans/new', () => import('./plans/plan-editor-page.tsx'), 'NewPlanPage'),
  searchPage('/plans/$slug', pageView, () => import('./plans/plan-page.tsx'), 'PlanPage'),
  page('/plans/$slug/edit', () => import('./plans/plan-editor-page.tsx'), 'EditPlanPage'),
  searchPage('/work-items', workItemFilter, () => import('./plans/work-items-page.tsx'), 'WorkItemsPage'),
  searchPage('/decisions', decisionFilter, () => import('./decisions/decisions-page.tsx'), 'DecisionsPage'),
  searchPage('/decisions/new', newDecision, () => import('./decisions/new-decision-page.tsx'), 'NewDecisionPage'),
  page('/decisions/$decisionId', () => import('./decisions/decision-page.tsx'), 'DecisionPage'),
  searchPage('/documents', documentFilter, () => import('./documents/documents-page.tsx'), 'DocumentsPage'),
  page('/documents/$documentId', () => import('./documents/document-page.tsx'), 'DocumentPage'),
  searchPage('/signals', signalFilter, () => import('./signals/signals-page.tsx'), 'SignalsPage'),
  page('/signals/$signalId', () => import('./signals/signal-page.tsx'), 'SignalPage'),
  searchPage('/customers', customerFilter, () => import('./signals/customers-page.tsx'), 'CustomersPage'),
  searchPage('/themes', themeFilter, () => import('./signals/themes-page.tsx'), 'ThemesPage'),
  searchPage('/themes/$themeId', themePeriod, () => import('./signals/theme-page.tsx'), 'ThemePage'),
  page('/competitors', () => import('./competitors/competitors-page.tsx'), 'CompetitorsPage'),
  searchPage(
    '/competitors/$competitorId',
    pageView,
    () => import('./competitors/competitor-page.tsx'),
    'CompetitorPage',
  ),
  searchPage('/connect', textParameters<'key'>(['key']), () => import('./keys/connect-page.tsx'), 'ConnectPage'),
  searchPage('/settings/api-keys', keyFilter, () => import('./keys/keys-page.tsx'), 'ApiKeysPage'),
  page('/settings/api-keys/$keyId', () => import('./keys/key-page.tsx'), 'ApiKeyPage'),
  page('/settings/members', () => import('./members/members-page.tsx'), 'MembersPage'),
  page('/settings/products', () => import('./account/products-page.tsx'), 'ProductsPage'),
  page('/settings/integrations', () => import('./trackers/integrations-page.tsx'), 'IntegrationsPage'),
  searchPage('/settings/audit-log', auditFilter, () => import('./audit/audit-log-page.tsx'), 'AuditLogPage'),
  page('/settings/account', () => import('./account/account-page.tsx'), 'AccountPage'),
  // Addresses below which there is nothing keep the navigation.
  page('$', () => import('./shell/not-found-page.tsx'), 'NotFoundPage'),
] as const;

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

const PENDING_MS = 1_000;
const PENDING_AT_LEAST_MS = 500;

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
