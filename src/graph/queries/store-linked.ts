import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import type { RepositoryGraph, RepositoryRequest } from '../build/build.ts';
import type { NodeNumber } from '../model/model.ts';
import { graphView, kindOf } from './graph-view.ts';

/** Nodes of a repository that are linked with other repositories and with what people say. */
export interface LinkedNodes {
  /** Number of nodes. */
  nodes: number;
  features: { node: NodeNumber; key: string; name: string }[];
  routes: { node: NodeNumber; method: string; path: string }[];
  requests: RepositoryRequest[];
  types: RepositoryGraph['types'];
}

/** Features, routes and requests of a repository. */
export function linkedNodes(db: ShardDatabase, _question: object): LinkedNodes {
  const { graph, symbols, files } = graphView(db);
  const nodes = graph.nodes.map((node, index) => ({ ...node, node: symbols + files + index }));
  return {
    nodes: symbols + files + nodes.length,
    features: nodes.flatMap(({ kind, key, name, node }) => (kind === 'feature' ? [{ node, key, name }] : [])),
    routes: nodes.flatMap(({ kind, key, node }) => {
      if (kind !== 'route') return [];
      const [method = '', path = ''] = key.split(' ');
      return [{ node, method, path }];
    }),
    requests: graph.requests,
    types: graph.types,
  };
}

/** Those of some files that no feature holds. */
export function unownedNodes(db: ShardDatabase, { nodes }: { nodes: readonly NodeNumber[] }): NodeNumber[] {
  const view = graphView(db);
  return nodes.filter(
    (node) =>
      !(view.reaching.get(node) ?? []).some((index) => {
        const edge = view.graph.edges[index];
        return edge?.relation === 'contains' && kindOf(db, view, edge.from) === 'feature';
      }),
  );
}
