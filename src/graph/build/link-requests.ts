import type { NodeNumber } from '../model/model.ts';
import { fitsRoute } from '../routes/routes.ts';
import type { GraphDraft, RepositoryRequest } from './repository-graph.ts';

/** Routes that fit a request equally well, at most: with more it is not known which is meant. */
const MOST_SIMILAR = 2;

/** Edges from what makes requests to the routes of the same repository that they fit. */
export function linkRequests(
  draft: GraphDraft,
  requests: readonly RepositoryRequest[],
  routes: readonly { method: string; path: string; node: NodeNumber }[],
): void {
  for (const request of requests)
    for (const { node } of routesFor(request, routes))
      draft.link({ from: request.from, to: node, relation: 'calls', grade: 'name', source: request.source });
}

/** The routes that a request may go to: those that share most words with it, when they are not too many. */
export function routesFor<Route extends { method: string; path: string }>(
  { method, path }: Pick<RepositoryRequest, 'method' | 'path'>,
  routes: readonly Route[],
): Route[] {
  const fitting = routes
    .filter((route) => method === 'ANY' || route.method === 'ANY' || route.method === method)
    .map((route) => ({ route, same: fitsRoute(path, route.path) }))
    .filter(({ same }) => same > 0);
  const most = Math.max(0, ...fitting.map(({ same }) => same));
  const equal = fitting.filter(({ same }) => same === most);
  // `/owners` is meant, not `/v2/owners` of a client whose address begins so.
  const whole = equal.filter(({ route }) => route.path.split('/').length === path.split('/').length);
  const best = whole.length > 0 ? whole : equal;
  return best.length > MOST_SIMILAR ? [] : best.map(({ route }) => route);
}

/** The routes of another repository that requests go to. */
export function requestedRoutes<
  Request extends Pick<RepositoryRequest, 'method' | 'path'>,
  Route extends { method: string; path: string },
>(requests: readonly Request[], routes: readonly Route[]): { request: Request; route: Route }[] {
  return meantRequests(requests, routes).flatMap((request) =>
    routesFor(request, routes).map((route) => ({ request, route })),
  );
}

/** Methods of requests that name a procedure or a field, and no address. */
const NAMED: ReadonlySet<string> = new Set(['GRAPHQL', 'QUERY', 'MUTATION', 'SUBSCRIPTION']);

/**
 * Requests that may be meant for the routes of another repository. Fields and procedures have short names that many services
 * share (`me`, `/post/list`): unless that one serves most of them, they are meant for another.
 */
function meantRequests<Request extends Pick<RepositoryRequest, 'method' | 'path'>>(
  requests: readonly Request[],
  routes: readonly { method: string; path: string }[],
): readonly Request[] {
  const named = requests.filter(({ method }) => NAMED.has(method));
  const served = named.filter((request) => routesFor(request, routes).length > 0);
  return countPaths(served) * 2 > countPaths(named) ? requests : requests.filter(({ method }) => !NAMED.has(method));
}

function countPaths(requests: readonly { path: string }[]): number {
  return new Set(requests.map(({ path }) => path)).size;
}
