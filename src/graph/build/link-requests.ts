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
  const best = fitting.filter(({ same }) => same === most);
  return best.length > MOST_SIMILAR ? [] : best.map(({ route }) => route);
}
