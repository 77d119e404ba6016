import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { addDenseValues, type DenseValue } from '../../code-index/format/dense-values.ts';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { dense } from '../../code/reading/reading.ts';
import { canOpenShard, openShard, type ShardDatabase } from '../../indexes/shards/shards.ts';
import { EDGE_GRADES, RELATIONS } from '../model/model.ts';
import { buildGraph } from './build-graph.ts';
import type { DerivedEdge, RepositoryGraph } from './repository-graph.ts';
import type { StatedLayer } from './stated-layers.ts';
import { carriedFindings, TextFindings } from './text-findings.ts';

/** Raise it when the same code gives another graph, or texts are read otherwise: one of another version is built anew where it is asked. */
const GRAPH_VERSION = 20;
/** Name of its value in the table `dense`. */
const GRAPH = 'graph';

/** A graph with its edges as columns, which take a third of the room. */
interface PackedGraph extends Omit<RepositoryGraph, 'edges'> {
  version: number;
  from: number[];
  to: number[];
  relation: number[];
  grade: number[];
  /** Place in `sources`. */
  source: number[];
  sources: string[];
}

/**
 * Puts the graph of a finished shard into it, before it is published. What `before`, a shard of an earlier commit, knows of texts that
 * are still the same is not read again; the graph is the same with it and without. Code that the graph cannot be made of costs the graph, not the
 * index: the shard stays as it was, and who asks for the graph is told the fault.
 *
 * @returns The fault; undefined when the graph stands in the shard.
 */
export function writeGraph(file: string, before?: string): string | undefined {
  const made = packedGraphOf(file, before);
  if (made instanceof Error) return made.message;
  addDenseValues(file, made);
  return undefined;
}

/**
 * Puts into a finished shard what the graph of `before` read of texts that are still the same: who asks for the graph of this one makes
 * it out of that. For a shard that most likely nobody asks for its graph.
 */
export function writeFindings(file: string, before: string): void {
  const earlier = openIfSound(before);
  if (earlier === undefined) return;
  const shard = openShard(file, CODE_FORMAT);
  try {
    const findings = carriedFindings(shard, GRAPH_VERSION, earlier);
    if (findings !== undefined) addDenseValues(file, [findings]);
  } finally {
    earlier.close();
    shard.close();
  }
}

/** The graph and what was found in texts, as values of the table `dense`. */
function packedGraphOf(file: string, before: string | undefined): DenseValue[] | Error {
  const shard = openShard(file, CODE_FORMAT);
  const earlier = before === undefined ? undefined : openIfSound(before);
  try {
    const findings = new TextFindings(shard, GRAPH_VERSION, earlier);
    const graph = JSON.stringify(packGraph(buildGraph(shard, findings)));
    return [{ name: GRAPH, data: zstdCompressSync(graph) }, findings.pack(GRAPH_VERSION)];
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    earlier?.close();
    shard.close();
  }
}

/** An earlier shard may be of another format, or gone. */
function openIfSound(file: string): ShardDatabase | undefined {
  return canOpenShard(file, CODE_FORMAT) ? openShard(file, CODE_FORMAT) : undefined;
}

/**
 * The graph that a shard holds, or, where it holds none of this version or people set other layers, the one that it gives. What was found in
 * texts is taken from the shard.
 */
export function readGraph(db: ShardDatabase, layersSet?: readonly StatedLayer[]): RepositoryGraph {
  if (layersSet !== undefined) return buildGraph(db, new TextFindings(db, GRAPH_VERSION, db), layersSet);
  const stored = dense(db, GRAPH);
  if (stored.length === 0) return buildGraph(db, new TextFindings(db, GRAPH_VERSION, db));
  const packed = JSON.parse(zstdDecompressSync(stored).toString()) as PackedGraph;
  return packed.version === GRAPH_VERSION ? unpackGraph(packed) : buildGraph(db, new TextFindings(db, GRAPH_VERSION));
}

function packGraph({ edges, ...rest }: RepositoryGraph): PackedGraph {
  const places = new Map<string, number>();
  for (const { source } of edges) if (!places.has(source)) places.set(source, places.size);
  return {
    ...rest,
    version: GRAPH_VERSION,
    from: edges.map(({ from }) => from),
    to: edges.map(({ to }) => to),
    relation: edges.map(({ relation }) => RELATIONS.indexOf(relation)),
    grade: edges.map(({ grade }) => EDGE_GRADES.indexOf(grade)),
    source: edges.map(({ source }) => places.get(source) ?? 0),
    sources: [...places.keys()],
  };
}

function unpackGraph({
  from,
  to,
  relation,
  grade,
  source,
  sources,
  version: _,
  ...rest
}: PackedGraph): RepositoryGraph {
  const edges = from.map((node, at): DerivedEdge => ({
    from: node,
    to: to[at] ?? node,
    relation: RELATIONS[relation[at] ?? 0] ?? 'references',
    grade: EDGE_GRADES[grade[at] ?? 0] ?? 'resolved',
    source: sources[source[at] ?? 0] ?? '',
  }));
  return { ...rest, edges };
}
