import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { HISTORY_QUERIES } from '../commits/commits.ts';
import {
  artifactGraphKey,
  type ArtifactRequest,
  type Graph,
  readArtifactGraph,
  streamArtifactGraph,
} from '../graph/graph.ts';
import { IndexSources } from '../indexes/indexes.ts';
import { type Json, lineOf, rowText } from '../kernel/row-text.ts';

/** Budget of `graph.json` in tokens. */
const MOST_TOKENS = 8_000;
/** Of those, what stands around the rows. */
const HEAD_TOKENS = 50;
/** Recent changes: files of the newest commits, up to these numbers. */
const RECENT = { commits: 50, limit: 100 };
const MOST_CACHED = 32;

/** Graphs that were cut, by their tag: choosing the rows of a large one takes seconds. */
export type GraphTexts = LRUCache<string, string>;

export function graphTexts(): GraphTexts {
  return new LRUCache({ max: MOST_CACHED });
}

/** The tag of the graph of a repository as it is now, the same on every replica. Reads what people wrote, not the graph. */
export async function graphTag(graph: Graph, request: ArtifactRequest, isFull: boolean): Promise<string> {
  const { repo, commit } = request.repository.provenance;
  // What changed lately follows from the commit; the history shard is written again without a change of it.
  const key = [await artifactGraphKey(graph, request), repo, commit, isFull];
  return `"${createHash('sha256').update(JSON.stringify(key)).digest('base64url').slice(0, 22)}"`;
}

/** `graph.json` within 8,000 tokens. */
export async function cutGraph(
  { graph, texts }: { graph: Graph; texts: GraphTexts },
  request: ArtifactRequest,
  tag: string,
): Promise<string> {
  const cached = texts.get(tag);
  if (cached !== undefined) return cached;
  const { caller, repository, signal } = request;
  const history = new IndexSources(graph.indexes, HISTORY_QUERIES, { caller, signal, repositories: [repository] });
  const changed = await history.ask(repository, ['recentPaths', RECENT]);
  const maxTokens = MOST_TOKENS - HEAD_TOKENS;
  const { total, nodes, edges } = await readArtifactGraph(graph, request, { maxTokens, changed });
  const isCut = nodes.length < total.nodes || edges.length < total.edges;
  const rows = { nodes: nodes.map(rowOf), edges: edges.map(rowOf) };
  const text = rowText({ cut: isCut, repo: repository.provenance.repo, ...rows });
  texts.set(tag, text);
  return text;
}

/** The whole graph in pieces of text, with the same form: read twice, so that it is never in memory as a whole. */
export async function* wholeGraph(graph: Graph, request: ArtifactRequest): AsyncGenerator<string> {
  yield '{\n"cut": false,\n"edges": [\n';
  yield* lines(graph, request, ({ edges }) => edges);
  yield '\n],\n"nodes": [\n';
  yield* lines(graph, request, ({ nodes }) => nodes);
  yield `\n],\n"repo": ${JSON.stringify(request.repository.provenance.repo)}\n}\n`;
}

type Rows = { nodes: readonly object[]; edges: readonly object[] };

async function* lines(
  graph: Graph,
  request: ArtifactRequest,
  rowsOf: (page: Rows) => readonly object[],
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const page of streamArtifactGraph(graph, request)) {
    const rows = rowsOf(page);
    if (rows.length === 0) continue;
    yield `${isFirst ? '' : ',\n'}${rows.map((row) => lineOf(rowOf(row))).join(',\n')}`;
    isFirst = false;
  }
}

/** A node or edge without what says where a line stands now: a line that moves changes nothing. */
function rowOf(row: object): Record<string, Json> {
  const { line: _line, source, ...rest } = row as { line?: number; source?: string };
  return { ...rest, ...(source !== undefined && { source: source.replace(/:\d+$/, '') }) };
}
