import type { NodeNumber } from '../model/model.ts';
import { fitsRoute } from '../routes/routes.ts';
import type { FieldTypes, GraphDraft, RepositoryRequest } from './repository-graph.ts';

/** Routes that fit a request equally well, at most: with more it is not known which is meant. */
const MOST_SIMILAR = 2;

/** Edges from what makes requests to the routes of the same repository that they fit. */
export function linkRequests(
  draft: GraphDraft,
  requests: readonly RepositoryRequest[],
  { routes, types }: { routes: readonly { method: string; path: string; node: NodeNumber }[]; types: FieldTypes },
): void {
  const find = routeFinder(routes, [types]);
  for (const request of requests)
    for (const { node } of find(request))
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

/** Finds the routes of a request: a field by its type and its name, whatever it is selected below, all else by `routesFor`. */
function routeFinder<Route extends { method: string; path: string }>(
  routes: readonly Route[],
  types: readonly FieldTypes[],
): (request: Pick<RepositoryRequest, 'method' | 'path'>) => readonly Route[] {
  const fields = Map.groupBy(routes, ({ method, path }) => (method === GRAPHQL ? path : ''));
  return (request) =>
    request.method === GRAPHQL ? (fields.get(fieldPath(request.path, types)) ?? []) : routesFor(request, routes);
}

/** The type and name of the field that a path of fields ends at: `/Launch/site` of `/Query/launch/site`. Where no schema says its type that is ''. */
function fieldPath(path: string, types: readonly FieldTypes[]): string {
  const [, root = '', ...fields] = path.split('/');
  const name = fields.pop() ?? '';
  let type = root;
  for (const field of fields) type = types.map((schema) => schema[`/${type}/${field}`]).find(Boolean) ?? '';
  return `/${type}/${name}`;
}

/** The routes of another repository that requests go to. The first of `types` that knows a field says what it gives. */
export function requestedRoutes<
  Request extends Pick<RepositoryRequest, 'method' | 'path'>,
  Route extends { method: string; path: string },
>(
  requests: readonly Request[],
  routes: readonly Route[],
  types: readonly FieldTypes[] = [],
): { request: Request; route: Route }[] {
  const find = routeFinder(routes, types);
  return meantRequests(requests, find).flatMap((request) => find(request).map((route) => ({ request, route })));
}

const GRAPHQL = 'GRAPHQL';
/** Methods of requests that name a procedure or a field, and no address. */
const NAMED: ReadonlySet<string> = new Set([GRAPHQL, 'QUERY', 'MUTATION', 'SUBSCRIPTION']);
/** A field that requests begin with. One below it is no route where it is data, which tells nothing of its service. */
const FIRST_FIELD = /^\/(?:Query|Mutation|Subscription)\/[^/]+$/;

/**
 * Requests that may be meant for the routes of another repository. Fields and procedures have short names that many services
 * share (`me`, `/post/list`): unless that one serves most of them, they are meant for another.
 */
function meantRequests<Request extends Pick<RepositoryRequest, 'method' | 'path'>>(
  requests: readonly Request[],
  find: (request: Request) => readonly unknown[],
): readonly Request[] {
  const named = requests.filter(
    ({ method, path }) => NAMED.has(method) && (method !== GRAPHQL || FIRST_FIELD.test(path)),
  );
  const served = named.filter((request) => find(request).length > 0);
  return countPaths(served) * 2 > countPaths(named) ? requests : requests.filter(({ method }) => !NAMED.has(method));
}

function countPaths(requests: readonly { path: string }[]): number {
  return new Set(requests.map(({ path }) => path)).size;
}
