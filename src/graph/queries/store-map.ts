import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { testFlags } from '../../code/reading/reading.ts';
import type { LayerFault } from '../build/build.ts';
import type { NodeNumber } from '../model/model.ts';
import { type GraphView, graphView, kindOf } from './graph-view.ts';

/** A layer of the map, from the top down. */
export interface LayerColumn {
  id: string;
  name: string;
  path: string;
  /** Files in it, and those of them that belong to no feature. */
  files: number;
  unowned: number;
}

/** A feature with how many of its files lie in each layer. */
export interface FeatureRow {
  node: NodeNumber;
  id: string;
  name: string;
  /** Files of code, in the order of the layers; those in no layer are not counted here. */
  layers: number[];
  files: number;
  routes: number;
  tests: number;
  documents: number;
}

/** Features by layers of one repository. */
export interface LayerMap {
  layers: LayerColumn[];
  features: FeatureRow[];
  faults: LayerFault[];
}

/** How the features of a repository lie across its layers, and the imports that go up. */
export function layerMap(db: ShardDatabase, _scope: object): LayerMap {
  const view = graphView(db);
  const { graph } = view;
  const layers = graph.layers.map(({ key }) => ({ key, node: view.byId.get(`layer:${key}`) ?? -1 }));
  const layerOf = new Map(
    layers.flatMap(({ node }, index) => inside(view, node).map((file) => [file, index] as const)),
  );
  const owned = new Set<NodeNumber>();
  const features = graph.nodes.flatMap(({ kind, key, name }, index): FeatureRow[] => {
    if (kind !== 'feature') return [];
    const node = view.symbols + view.files + index;
    const parts = inside(view, node);
    const files = parts.filter((part) => kindOf(db, view, part) === 'file');
    for (const file of files) owned.add(file);
    const counts = layers.map(() => 0);
    for (const file of files) {
      const layer = layerOf.get(file);
      if (layer !== undefined) counts[layer] = (counts[layer] ?? 0) + 1;
    }
    const routes = parts.filter((part) => kindOf(db, view, part) === 'route').length;
    const { tests, documents } = coveringOf(db, view, node, parts);
    return [{ node, id: `feature:${key}`, name, layers: counts, files: files.length, routes, tests, documents }];
  });
  return {
    layers: layers.map(({ key, node }) => {
      const files = inside(view, node);
      const { name = key, path = '' } = graph.nodes[node - view.symbols - view.files] ?? {};
      return {
        id: `layer:${key}`,
        name,
        path,
        files: files.length,
        unowned: files.filter((one) => !owned.has(one)).length,
      };
    }),
    features: features.toSorted((a, b) => b.files - a.files || (a.id < b.id ? -1 : 1)),
    faults: graph.faults,
  };
}

function inside({ graph, leaving }: GraphView, node: NodeNumber): NodeNumber[] {
  return (leaving.get(node) ?? []).flatMap((index) => {
    const edge = graph.edges[index];
    return edge?.relation === 'contains' ? [edge.to] : [];
  });
}

/** Tests and documents of a feature, by its own edges. */
function coveringOf(
  db: ShardDatabase,
  view: GraphView,
  node: NodeNumber,
  parts: readonly NodeNumber[],
): { tests: number; documents: number } {
  const isTest = testFlags(db);
  const own = (view.reaching.get(node) ?? []).flatMap((index) => view.graph.edges[index] ?? []);
  const tests = new Set(own.flatMap(({ relation, from }) => (relation === 'tests' ? [from] : [])));
  for (const part of parts) if (isTest[part - view.symbols] === 1) tests.add(part);
  const documents = new Set(own.flatMap(({ relation, from }) => (relation === 'mentions' ? [from] : [])));
  for (const part of parts) if (kindOf(db, view, part) === 'document') documents.add(part);
  return { tests: tests.size, documents: documents.size };
}
