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
  signalFilter,
  themeFilter,
} from './knowledge/filters.ts';
import { workItemFilter } from './plans/work-item-filter.ts';
import { runFilter } from './runs/filter.ts';
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
const inShell = <Path extends string>(path: Path) => ({ getParentRoute: () => shell, path });

const pages = [
  createRoute({ ...inShell('/'), component: lazyPage(() => import('./overview/overview-page.tsx'), 'OverviewPage') }),
  createRoute({
    ...inShell('/repositories'),
    validateSearch: repositoryFilter,
    component: lazyPage(() => import('./repositories/repositories-page.tsx'), 'RepositoriesPage'),
  }),
  createRoute({
    ...inShell('/repositories/$repositoryId'),
    component: lazyPage(() => import('./repositories/repository-page.tsx'), 'RepositoryPage'),
  }),
  createRoute({ ...inShell('/r/$'), component: lazyPage(() => import('./code/source-page.tsx'), 'SourcePage') }),
  createRoute({
    ...inShell('/s/$'),
    validateSearch: textParameters<'symbol'>(['symbol']),
    component: lazyPage(() => import('./code/symbol-page.tsx'), 'SymbolPage'),
  }),
  createRoute({
    ...inShell('/history/$repositoryId/commits/$sha'),
    component: lazyPage(() => import('./history/commit-page.tsx'), 'CommitPage'),
  }),
  createRoute({
    ...inShell('/history'),
    validateSearch: historyParameters,
    component: lazyPage(() => import('./history/history-page.tsx'), 'HistoryPage'),
  }),
  createRoute({
    ...inShell('/graph'),
    validateSearch: graphParameters,
    component: lazyPage(() => import('./graph/graph-page.tsx'), 'GraphPage'),
  }),
  createRoute({
    ...inShell('/search'),
    validateSearch: searchParameters,
    component: lazyPage(() => import('./search/search-page.tsx'), 'SearchPage'),
  }),
  createRoute({
    ...inShell('/ask'),
    validateSearch: askParameters,
    component: lazyPage(() => import('./ask/ask-page.tsx'), 'AskPage'),
  }),
  createRoute({
    ...inShell('/runs'),
    validateSearch: runFilter,
    component: lazyPage(() => import('./runs/runs-page.tsx'), 'RunsPage'),
  }),
  createRoute({ ...inShell('/runs/$runId'), component: lazyPage(() => import('./runs/run-page.tsx'), 'RunPage') }),
  createRoute({
    ...inShell('/plans'),
    validateSearch: planFilter,
    component: lazyPage(() => import('./plans/plans-page.tsx'), 'PlansPage'),
  }),
  createRoute({
    ...inShell('/plans/new'),
    component: lazyPage(() => import('./plans/plan-editor-page.tsx'), 'NewPlanPage'),
  }),
  createRoute({
    ...inShell('/plans/$slug'),
    validateSearch: pageView,
    component: lazyPage(() => import('./plans/plan-page.tsx'), 'PlanPage'),
  }),
  createRoute({
    ...inShell('/plans/$slug/edit'),
    component: lazyPage(() => import('./plans/plan-editor-page.tsx'), 'EditPlanPage'),
  }),
  createRoute({
    ...inShell('/work-items'),
    validateSearch: workItemFilter,
    component: lazyPage(() => import('./plans/work-items-page.tsx'), 'WorkItemsPage'),
  }),
  createRoute({
    ...inShell('/decisions'),
    validateSearch: decisionFilter,
    component: lazyPage(() => import('./decisions/decisions-page.tsx'), 'DecisionsPage'),
  }),
  createRoute({
    ...inShell('/decisions/new'),
    validateSearch: newDecision,
    component: lazyPage(() => import('./decisions/new-decision-page.tsx'), 'NewDecisionPage'),
  }),
  createRoute({
    ...inShell('/decisions/$decisionId'),
    component: lazyPage(() => import('./decisions/decision-page.tsx'), 'DecisionPage'),
  }),
  createRoute({
    ...inShell('/documents'),
    validateSearch: documentFilter,
    component: lazyPage(() => import('./documents/documents-page.tsx'), 'DocumentsPage'),
  }),
  createRoute({
    ...inShell('/documents/$documentId'),
    component: lazyPage(() => import('./documents/document-page.tsx'), 'DocumentPage'),
  }),
  createRoute({
    ...inShell('/signals'),
    validateSearch: signalFilter,
    component: lazyPage(() => import('./signals/signals-page.tsx'), 'SignalsPage'),
  }),
  createRoute({
    ...inShell('/signals/$signalId'),
    component: lazyPage(() => import('./signals/signal-page.tsx'), 'SignalPage'),
  }),
  createRoute({
    ...inShell('/customers'),
    validateSearch: customerFilter,
    component: lazyPage(() => import('./signals/customers-page.tsx'), 'CustomersPage'),
  }),
  createRoute({
    ...inShell('/themes'),
    validateSearch: themeFilter,
    component: lazyPage(() => import('./signals/themes-page.tsx'), 'ThemesPage'),
  }),
  createRoute({
    ...inShell('/themes/$themeId'),
    validateSearch: themePeriod,
    component: lazyPage(() => import('./signals/theme-page.tsx'), 'ThemePage'),
  }),
  createRoute({
    ...inShell('/competitors'),
    component: lazyPage(() => import('./competitors/competitors-page.tsx'), 'CompetitorsPage'),
  }),
  createRoute({
    ...inShell('/competitors/$competitorId'),
    validateSearch: pageView,
    component: lazyPage(() => import('./competitors/competitor-page.tsx'), 'CompetitorPage'),
  }),
  createRoute({
    ...inShell('/connect'),
    validateSearch: textParameters<'key'>(['key']),
    component: lazyPage(() => import('./keys/connect-page.tsx'), 'ConnectPage'),
  }),
  createRoute({
    ...inShell('/settings/api-keys'),
    validateSearch: keyFilter,
    component: lazyPage(() => import('./keys/keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    ...inShell('/settings/api-keys/$keyId'),
    component: lazyPage(() => import('./keys/key-page.tsx'), 'ApiKeyPage'),
  }),
  createRoute({
    ...inShell('/settings/members'),
    component: lazyPage(() => import('./members/members-page.tsx'), 'MembersPage'),
  }),
  createRoute({
    ...inShell('/settings/products'),
    component: lazyPage(() => import('./account/products-page.tsx'), 'ProductsPage'),
  }),
  createRoute({
    ...inShell('/settings/integrations'),
    component: lazyPage(() => import('./trackers/integrations-page.tsx'), 'IntegrationsPage'),
  }),
  createRoute({
    ...inShell('/settings/audit-log'),
    validateSearch: auditFilter,
    component: lazyPage(() => import('./audit/audit-log-page.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    ...inShell('/settings/account'),
    component: lazyPage(() => import('./account/account-page.tsx'), 'AccountPage'),
  }),
  // Addresses below which there is nothing keep the navigation.
  createRoute({ ...inShell('$'), component: lazyPage(() => import('./shell/not-found-page.tsx'), 'NotFoundPage') }),
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
