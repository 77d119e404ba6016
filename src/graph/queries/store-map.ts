import { compareTexts } from '../../kernel/text-order.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { fileOfSymbol, testFlags } from '../../code/reading/reading.ts';
import type { LayerFault } from '../build/build.ts';
import { type NodeNumber } from '../model/model.ts';
import { type GraphView, graphView, kindOf } from './graph-view.ts';

/** A layer of the map, from the top down. */
interface LayerColumn {
  id: string;
  name: string;
  path: string;
  /** Files in it, and those of them that belong to no feature. */
  files: number;
  unowned: number;
}

/** A feature with how many of its files lie in each layer. */
export interface FeatureRow {
  id: string;
  name: string;
  /** Files of code, in the order of the layers; those in no layer are not counted here. */
  layers: number[];
  files: number;
  routes: number;
  tests: number;
  documents: number;
  /** Texts of people that name its code. */
  plans: number;
  decisions: number;
  themes: number;
  /** Whose pages name it. */
  competitors: number;
}

/** Features by layers of one repository. */
export interface LayerMap {
  layers: LayerColumn[];
  features: FeatureRow[];
  faults: LayerFault[];
  /** Fault in the layers that somebody stated; '' for none. */
  statedFault: string;
  /** Source of the layers; '' where imports give them. */
  statedBy: string;
}

/** A node that something written names. */
export interface Mark {
  node: NodeNumber;
  kind: 'plan' | 'decision' | 'theme' | 'competitor';
  /** Of what is written. */
  id: string;
}

/** Rule for a feature that code suggests: the one as which it is shown. */
export interface FeatureRule {
  key: string;
  into: string;
  name: string;
  isHidden: boolean;
}

/** Edits of people on the features of a repository, and what is written about its code. */
export interface FeatureQuestion {
  rules: readonly FeatureRule[];
  /** Nodes that people gave to features, by key. */
  given: readonly { key: string; name: string; node: NodeNumber }[];
  marks: readonly Mark[];
}

interface Gathered {
  name: string;
  parts: Set<NodeNumber>;
  nodes: NodeNumber[];
}

/** Maps the features of a repository across its layers, with the imports that go up. */
export function layerMap(db: ShardDatabase, { rules, given, marks }: FeatureQuestion): LayerMap {
  const view = graphView(db);
  const { graph } = view;
  const layers = graph.layers.map(({ key }) => ({ key, node: view.byId.get(`layer:${key}`) ?? -1 }));
  const layerOf = new Map(
    layers.flatMap(({ node }, index) => inside(view, node).map((file) => [file, index] as const)),
  );
  const owned = new Set<NodeNumber>();
  const marked = marksByFile(db, view, marks);
  const features = [...gather(view, rules, given)].map(([key, gathered]): FeatureRow => {
    const { name, parts, nodes } = gathered;
    const { tests, documents } = coveringOf(db, view, gathered);
    const all = [...parts];
    const files = all.filter((part) => kindOf(db, view, part) === 'file');
    for (const file of files) owned.add(file);
    const counts = layers.map(() => 0);
    for (const file of files) {
      const layer = layerOf.get(file);
      if (layer !== undefined) counts[layer] = (counts[layer] ?? 0) + 1;
    }
    const routes = all.filter((part) => kindOf(db, view, part) === 'route').length;
    const named = new Map(
      [...all, ...nodes].flatMap((part) => marked.get(part) ?? []).map((mark) => [mark.id, mark.kind]),
    );
    const count = (kind: Mark['kind']): number => [...named.values()].filter((mark) => mark === kind).length;
    return {
      id: `feature:${key}`,
      name,
      layers: counts,
      files: files.length,
      routes,
      tests: tests.size,
      documents: documents.size,
      plans: count('plan'),
      decisions: count('decision'),
      themes: count('theme'),
      competitors: count('competitor'),
    };
  });
  return {
    layers: layers.map(({ key, node }) => {
      const files = inside(view, node);
      const { name = key, path = '' } = graph.nodes[node - view.symbols - view.files] ?? {};
      const unowned = files.filter((file) => !owned.has(file)).length;
      return { id: `layer:${key}`, name, path, files: files.length, unowned };
    }),
    features: features.toSorted((a, b) => b.files - a.files || compareTexts(a.id, b.id)),
    faults: graph.faults,
    statedFault: graph.statedFault,
    statedBy: statedBy(view, layers),
  };
}

function statedBy({ graph, leaving }: GraphView, layers: readonly { node: NodeNumber }[]): string {
  const edges = layers.flatMap(({ node }) => leaving.get(node) ?? []).flatMap((index) => graph.edges[index] ?? []);
  return edges.find(({ relation, grade }) => relation === 'contains' && grade === 'stated')?.source ?? '';
}

/** The features as people left them, with what belongs to each. */
export function gather(
  view: GraphView,
  rules: readonly FeatureRule[],
  given: FeatureQuestion['given'],
): Map<string, Gathered> {
  const groups = new Map<string, Gathered>();
  const of = (key: string, name: string): Gathered => {
    const group = groups.get(key) ?? { name, parts: new Set(), nodes: [] };
    groups.set(key, group);
    return group;
  };
  for (const { key, into, name, isHidden } of rules) {
    const node = view.byId.get(`feature:${key}`);
    if (node === undefined || isHidden) continue;
    const feature = of(into, name);
    feature.nodes.push(node);
    for (const part of inside(view, node)) feature.parts.add(part);
  }
  for (const { key, name, node } of given)
    for (const part of [node, ...inside(view, node)]) of(key, name).parts.add(part);
  return groups;
}

/** Returns what is written, by the file that it names: of a symbol its file, of a component all in it; a feature by itself. */
export function marksByFile(db: ShardDatabase, view: GraphView, marks: readonly Mark[]): Map<NodeNumber, Mark[]> {
  const marksOf = new Map<NodeNumber, Mark[]>();
  for (const mark of marks) {
    const { node } = mark;
    const isFeature = kindOf(db, view, node) === 'feature';
    const places = node < view.symbols ? [view.symbols + fileOfSymbol(db, node)] : [node];
    if (node >= view.symbols && !isFeature) places.push(...inside(view, node));
    for (const place of places) marksOf.set(place, [...(marksOf.get(place) ?? []), mark]);
  }
  return marksOf;
}

function inside({ graph, leaving }: GraphView, node: NodeNumber): NodeNumber[] {
  return (leaving.get(node) ?? []).flatMap((index) => {
    const edge = graph.edges[index];
    return edge?.relation === 'contains' ? [edge.to] : [];
  });
}

/** Tests and documents of a feature, by its own edges. */
export function coveringOf(
  db: ShardDatabase,
  view: GraphView,
  { nodes, parts }: Gathered,
): { tests: Set<NodeNumber>; documents: Set<NodeNumber> } {
  const isTest = testFlags(db);
  const own = nodes.flatMap((node) =>
    (view.reaching.get(node) ?? []).flatMap((index) => view.graph.edges[index] ?? []),
  );
  const tests = new Set(own.flatMap(({ relation, from }) => (relation === 'tests' ? [from] : [])));
  for (const part of parts) if (isTest[part - view.symbols] === 1) tests.add(part);
  const documents = new Set(own.flatMap(({ relation, from }) => (relation === 'mentions' ? [from] : [])));
  for (const part of parts) if (kindOf(db, view, part) === 'document') documents.add(part);
  return { tests, documents };
}
