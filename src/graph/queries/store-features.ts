import { compareTexts } from '../../kernel/text-order.ts';
import { fileOfSymbol } from '../../code/reading/reading.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { type NodeNumber } from '../model/model.ts';
import { describeNodes, type GraphView, graphView, kindOf } from './graph-view.ts';
import { coveringOf, type FeatureQuestion, gather, marksByFile } from './store-map.ts';

/** Parts of a feature. */
export interface FeatureParts {
  /** Handle: `feature:checkout`. */
  id: string;
  name: string;
  /** `GET /orders/:id`. */
  routes: string[];
  /** Paths of code, those first that show the feature, then those that are called so, then those that only it uses. */
  files: string[];
  /** Paths. */
  tests: string[];
  /** Handles of plans, decisions and themes that name its code. */
  written: string[];
}

/** Weak reasons for which files belong to a feature, the weakest last: `feature.source` of `build/features.ts`. */
const WEAKEST_REASONS = ['name', 'use'];

/** The features of a repository as people left them, by id, each with its parts. */
export function featureParts(db: ShardDatabase, { rules, given, marks }: FeatureQuestion): FeatureParts[] {
  const view = graphView(db);
  const marked = marksByFile(db, view, marks);
  return [...gather(view, rules, given)]
    .map(([key, gathered]): FeatureParts => {
      const { name, parts, nodes } = gathered;
      const all = [...parts];
      const ofKind = (kind: string): NodeNumber[] => all.filter((part) => kindOf(db, view, part) === kind);
      const weakness = weaknessOf(view, nodes);
      const symbols = ofKind('symbol').map((symbol) => view.symbols + fileOfSymbol(db, symbol));
      const files = [...new Set([...ofKind('file'), ...symbols])].toSorted(
        (a, b) => (weakness.get(a) ?? 0) - (weakness.get(b) ?? 0) || a - b,
      );
      const written = [...all, ...nodes].flatMap((part) => marked.get(part) ?? []);
      const named = written.filter(({ kind }) => kind !== 'competitor').map(({ id }) => id);
      return {
        id: `feature:${key}`,
        name,
        routes: textsOf(db, ofKind('route'), 'name').toSorted(compareTexts),
        files: textsOf(db, files, 'path'),
        tests: textsOf(db, [...coveringOf(db, view, gathered).tests], 'path').toSorted(compareTexts),
        written: [...new Set(named)].toSorted(compareTexts),
      };
    })
    .toSorted((a, b) => compareTexts(a.id, b.id));
}

/** Returns the weakness of the reason for which each file belongs to a feature: 0 for a file that shows it. */
function weaknessOf({ graph, leaving }: GraphView, nodes: readonly NodeNumber[]): Map<NodeNumber, number> {
  const edges = nodes.flatMap((node) => leaving.get(node) ?? []).flatMap((index) => graph.edges[index] ?? []);
  return new Map(edges.map(({ to, source }) => [to, WEAKEST_REASONS.indexOf(source) + 1]));
}

function textsOf(db: ShardDatabase, nodes: readonly NodeNumber[], field: 'name' | 'path'): string[] {
  return describeNodes(db, { nodes }).flatMap((node) => node[field] ?? []);
}
