import { counted } from '../kernel/counted.ts';
import type { Findings } from '../platform/operation/paged-tool.ts';
import { GRADE_MARKS } from './model/packed-rows.ts';
import { BULK_NOTE, type GraphCall, nodeJson, nodeText, plainRow } from './graph-call.ts';
import { EDGE_GRADES, NODE_KINDS, type NodeKind, RELATIONS } from './model/model.ts';
import type { EntityMatch, ProductGraph } from './product-graph.ts';
import { readEntity, resolveEntity } from './resolve-entity.ts';
import { shortestPaths } from './shortest-paths.ts';
import type { Reached, ReachedNodes } from './reached-nodes.ts';
import { neighborsOf, type NodeKey } from './traverse.ts';
import { relationMask } from './model/adjacency.ts';

/** `find`: what a name, path or id fits; all of some kinds without one. */
export async function findAnswer({ graph, args, kinds, offset }: GraphCall): Promise<Findings> {
  const given = (args.entity ?? '').trim();
  const parsed =
    given === '' ? { query: '', kinds: kinds ?? LISTED } : { ...readEntity(given), ...(kinds && { kinds }) };
  const end = offset + args.limit;
  let { total, found: matches } = await graph.find(parsed.query, { kinds: parsed.kinds, limit: end });
  // What looks like a kind may be a part of the name or id.
  if (parsed.query !== given && matches.length === 0)
    ({ total, found: matches } = await graph.find(given, { kinds, limit: end }));
  const isOne = graph.repositories.length === 1;
  return {
    total,
    rows: matches
      .slice(offset, end)
      .map(({ row, degree }) =>
        plainRow(row.id, `${nodeText(row, isOne)} · ${counted(degree, 'edge')}`, { ...nodeJson(row, isOne), degree }),
      ),
    notes: matches.length > 0 ? [] : [describeNoMatch(given, graph.repositories.length)],
    hints: matches.length > 0 ? [BULK_NOTE] : [],
  };
}

const MOST_HUBS_NAMED = 4;

/** Kinds that `find` lists without a name. */
const LISTED = ['feature', 'layer', 'component', 'route', 'plan', 'decision', 'theme'] as const;

function describeNoMatch(given: string, repositories: number): string {
  const where = repositories === 1 ? 'one repository' : `${repositories} repositories`;
  return `nothing is called "${given}" in ${where} or in plans, decisions, themes and documents: try a part of the name`;
}

/** `neighbors`: what lies around one entity, nearest first. */
export async function neighborsAnswer(call: GraphCall): Promise<Findings> {
  const { graph, args, kinds, relations, offset } = call;
  const { entity, others } = await resolveEntity(graph, args.entity, 'entity');
  const { direction, depth } = args;
  const { reached, hubs, isCut } = neighborsOf(graph, entity.key, {
    direction,
    depth,
    mask: relationMask(relations),
  });
  const { total, byRelation, first } = takeNearest(graph, reached, { kinds, most: offset + args.limit });
  const page = first.slice(offset);
  const nodes = await graph.describe(page.map(({ node }) => node));
  const vias = await viasOf(graph, page);
  const sources = await graph.sourcesOf(page);
  const isOne = graph.repositories.length === 1;
  return {
    total,
    isCut,
    counts: byRelation,
    coverage: `around ${nodeText(entity.row, isOne)}`,
    rows: page.flatMap(({ hop, direction: side, ...edge }, at) => {
      const node = nodes[at];
      if (node === undefined) return [];
      const [relation, grade] = [RELATIONS[edge.relation] ?? 'references', EDGE_GRADES[edge.grade] ?? 'resolved'];
      const source = sources[at] ?? '';
      const hops = depth === 1 ? '' : `${hop} `;
      const shown = source === '' ? '' : ` · ${source}`;
      const line = `${hops}${side} ${relation} ${nodeText(node, isOne)} ${GRADE_MARKS[grade]}${shown}`;
      const json = { relation, direction: side, ...nodeJson(node, isOne), hop, ...vias[at], grade, source };
      return [plainRow(node.id, line, json)];
    }),
    notes: [
      ...meantNotes(others),
      ...testNotes(call, entity.key),
      ...(await hubNotes(graph, hubs)),
      ...(isCut ? ['only the nearest were followed: ask for fewer hops or relations'] : []),
      ...(total === 0 ? ['nothing is linked to it in this way: leave out kinds, relations and direction'] : []),
    ],
    hints: [BULK_NOTE],
    extra: { entity: nodeJson(entity.row, isOne) },
  };
}

/** The neighbor over which each was reached; nothing for those of the first hop. */
async function viasOf(graph: ProductGraph, page: readonly Reached[]): Promise<{ via?: string }[]> {
  const isOne = graph.repositories.length === 1;
  const near = page.map(({ hop, direction, from, to }) => (hop === 1 ? undefined : direction === 'out' ? from : to));
  const nodes = [...new Set(near.flatMap((node) => node ?? []))];
  const shown = new Map((await graph.describe(nodes)).map((node, at) => [nodes[at], node]));
  return near.map((node) => {
    const via = node === undefined ? undefined : shown.get(node);
    return via === undefined ? {} : { via: !isOne && via.repo !== undefined ? `${via.repo}:${via.id}` : via.id };
  });
}

/** Answers show at most so many hops. */
const MOST_HOPS = 5;
const GROUPS_OF_A_HOP = NODE_KINDS.length * 2 * RELATIONS.length;

/**
 * Returns the reached nodes of some kinds: their number, their number by relation, and the first of them in the order of
 * answers: by hop, relation, direction, kind and place. Only groups that are shown are sorted.
 */
function takeNearest(
  graph: Pick<ProductGraph, 'kindOf'>,
  reached: ReachedNodes,
  { kinds, most }: { kinds: readonly NodeKind[] | undefined; most: number },
): { total: number; byRelation: Record<string, number>; first: Reached[] } {
  const kindNumbers = kinds === undefined ? undefined : new Set(kinds.map((kind) => NODE_KINDS.indexOf(kind)));
  const groups = new Int32Array(reached.count).fill(-1);
  const sizes = new Int32Array(MOST_HOPS * GROUPS_OF_A_HOP);
  const relations = new Map<number, number>();
  let total = 0;
  for (let place = 0; place < reached.count; place += 1) {
    const kind = graph.kindOf(reached.nodeAt(place));
    if (kindNumbers?.has(kind) === false) continue;
    const relation = reached.relationAt(place);
    const side = relation * 2 + Number(!reached.isOutAt(place));
    const group = reached.hopAt(place) * GROUPS_OF_A_HOP + side * NODE_KINDS.length + kind;
    groups[place] = group;
    sizes[group] = (sizes[group] ?? 0) + 1;
    relations.set(relation, (relations.get(relation) ?? 0) + 1);
    total += 1;
  }
  let [last, room] = [0, most];
  for (; last < sizes.length && room > 0; last += 1) room -= sizes[last] ?? 0;
  const shown: number[] = [];
  for (let place = 0; place < groups.length; place += 1) {
    const group = groups[place] ?? -1;
    if (group !== -1 && group < last) shown.push(place);
  }
  const order = (a: number, b: number): number =>
    (groups[a] ?? 0) - (groups[b] ?? 0) || reached.nodeAt(a) - reached.nodeAt(b);
  const first = shown.toSorted(order).slice(0, most);
  const byRelation = Object.fromEntries(
    [...relations].map(([relation, count]) => [RELATIONS[relation] ?? 'references', count]),
  );
  return { total, byRelation, first: first.map((place) => reached.at(place)) };
}

/** Returns notes on the nodes where the walk stopped, so that the nodes behind them are not taken for missing. */
async function hubNotes(graph: ProductGraph, hubs: readonly NodeKey[]): Promise<string[]> {
  if (hubs.length === 0) return [];
  const named = (await graph.describe(hubs.slice(0, MOST_HUBS_NAMED))).map(({ id }) => id);
  const more = hubs.length > named.length ? ` and ${hubs.length - named.length} more` : '';
  return [`not gone on from what too much is linked with: ${named.join(', ')}${more}`];
}

/** Relations of a use by code; use by a test is `tests`. */
const USES = relationMask(['imports', 'calls', 'reads', 'writes', 'references']);

/** Notes that tests use it, too, where uses were requested without them. */
function testNotes({ graph, args: { direction }, relations }: GraphCall, node: NodeKey): string[] {
  const [mask, tests] = [relationMask(relations), relationMask(['tests'])];
  if (direction === 'out' || (mask & USES) === 0 || (mask & tests) !== 0) return [];
  let count = 0;
  graph.visitEdges(node, { direction: 'in', mask: tests }, () => (count += 1));
  return count === 0 ? [] : [`${counted(count, 'use')} by tests left out: add the relation tests`];
}

/** `path`: up to three ways between two entities that are worth reading. */
export async function pathAnswer({ graph, args, relations, offset }: GraphCall): Promise<Findings> {
  const [{ entity: from, others }, { entity: to }] = [
    await resolveEntity(graph, args.entity, 'entity'),
    await resolveEntity(graph, args.to, 'to'),
  ];
  const { direction } = args;
  const { paths, isCut } = shortestPaths(graph, [from.key, to.key], {
    direction,
    mask: relationMask(relations),
  });
  const isOne = graph.repositories.length === 1;
  const rows = await Promise.all(
    paths.slice(offset, offset + args.limit).map(async ({ nodes, edges }, at) => {
      const shown = await graph.describe(nodes);
      const steps = shown.map((node, place) => {
        const edge = edges[place];
        if (edge === undefined) return nodeJson(node, isOne);
        const relation = RELATIONS[edge.relation] ?? 'references';
        const grade = EDGE_GRADES[edge.grade] ?? 'resolved';
        return { ...nodeJson(node, isOne), relation, direction: edge.from === nodes[place] ? 'out' : 'in', grade };
      });
      const words = shown.map((node, place) => {
        const edge = edges[place];
        const text = nodeText(node, isOne);
        if (edge === undefined) return text;
        const relation = `${RELATIONS[edge.relation] ?? ''}${GRADE_MARKS[EDGE_GRADES[edge.grade] ?? 'resolved']}`;
        return edge.from === nodes[place] ? `${text} -${relation}->` : `${text} <-${relation}-`;
      });
      return plainRow(`path ${offset + at + 1}`, `${offset + at + 1}. ${words.join(' ')}`, {
        hops: edges.length,
        path: steps,
      });
    }),
  );
  return {
    total: paths.length,
    isCut,
    rows,
    notes: [
      ...meantNotes(others),
      ...(paths.length > 0
        ? []
        : [`nothing links ${from.row.id} and ${to.row.id}${isCut ? ' within what was searched' : ''}`]),
      ...(isCut ? ['the search stopped at its limit: a nearer entity or fewer relations may show more'] : []),
    ],
  };
}

/** Returns notes on the other entities that a name fits, so that the answer is not taken for one of those. */
function meantNotes(others: readonly EntityMatch[]): string[] {
  const named = others.slice(0, 4).map(({ row }) => row.id);
  return named.length === 0 ? [] : [`the name also fits ${named.join(', ')}`];
}
