import type { Tenant } from '../kernel/tenant.ts';
import { selectFeatureEdits } from './edits/edits.ts';
import type { Graph } from './graph.ts';
import { graphSources } from './graph-sources.ts';
import { readFeatures } from './product-links.ts';
import { featuresNamed } from './stated-features.ts';

/** A feature of a product. */
interface Feature {
  /** Handle: `feature:checkout`. */
  id: string;
  title: string;
}

/**
 * The features of a product that texts name, as lists of the same length and order: those named by most texts of a list first.
 * Three queries of the database, and one question to each shard that was not asked before.
 */
export async function findFeatures(
  graph: Graph,
  tenant: Tenant,
  { lists, signal }: { lists: readonly (readonly string[])[]; signal: AbortSignal },
): Promise<Feature[][]> {
  const { plans, shards } = graph;
  const [repositories, edits] = await Promise.all([plans.indexed(tenant), selectFeatureEdits(plans.db, tenant)]);
  const sources = await graphSources(graph, { caller: tenant, signal, repositories });
  const { features } = await readFeatures(shards, sources, edits);
  const named = featuresNamed(
    features,
    lists.flatMap((texts, list) => texts.map((text) => ({ text, list }))),
  );
  const byList = Map.groupBy(named, ({ list }) => list);
  return lists.map((_, list) => {
    const times = [...Map.groupBy(byList.get(list) ?? [], ({ key }) => key)];
    return times
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([key]) => ({ id: `feature:${key}`, title: features.nameOf(key) }));
  });
}
