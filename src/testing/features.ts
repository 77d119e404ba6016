import { describeNodes } from '../graph/queries/store.ts';
import { readGraph } from '../graph/build/build.ts';
import type { ShardDatabase } from '../indexes/shards/shards.ts';

/** The features of a shard by key, each with its files and then its routes, in the order of the graph. */
export function featuresOf(db: ShardDatabase): Record<string, string[]> {
  const { nodes, edges } = readGraph(db);
  const count = 'select (select count(*) from symbol) + (select count(*) from file) as n';
  const base = (db.prepare(count).get() as { n: number }).n;
  const nameOf = (node: number): string =>
    nodes[node - base]?.key ?? describeNodes(db, { nodes: [node] })[0]?.path ?? '';
  return Object.fromEntries(
    nodes.flatMap(({ kind, key }, at) =>
      kind === 'feature'
        ? [
            [
              key,
              edges.flatMap(({ from, to, relation }) =>
                from === base + at && relation === 'contains' ? [nameOf(to)] : [],
              ),
            ],
          ]
        : [],
    ),
  );
}
