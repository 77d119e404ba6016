import { compareCounts } from '../kernel/text-order.ts';
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { HISTORY_QUERIES } from '../commits/commits.ts';
import {
  artifactGraphKey,
  type ArtifactRequest,
  type FeatureParts,
  type Graph,
  packRows,
  readArtifactFeatures,
  readArtifactGraph,
  streamArtifactGraph,
} from '../graph/graph.ts';
import { IndexSources } from '../indexes/indexes.ts';
import { lineOf, rowText } from '../kernel/row-text.ts';

/** Budget of `graph.json` in tokens. */
const MOST_TOKENS = 8_000;
/** Of those, what is around the rows. */
const HEAD_TOKENS = 150;
/** The share of features, which leave what they do not need to the nodes. */
const FEATURE_SHARE = 0.6;
const TOKEN_CHARACTERS = 3.5;
/** Characters that a line adds to its row. */
const LINE_CHARACTERS = 2;
/** Most entries in each list of a feature in the cut graph. */
const MOST_OF_FEATURE = { routes: 8, files: 6, owners: 2, tests: 4, written: 5 };
const WHOLE_FEATURE = { routes: Infinity, files: Infinity, owners: 3, tests: Infinity, written: Infinity };

/** Names of the columns of each kind of row. */
const COLUMNS = {
  features: ['id', 'name', 'routes', 'files', 'owners', 'tests', 'written'],
  nodes: ['id', 'kind', 'name', 'links'],
};

/** Recent changes: files of the newest commits, up to these numbers. */
const RECENT = { commits: 50, limit: 100 };
const MOST_CACHED = 32;
/** People of each file that are looked at. */
const MOST_OWNERS = 3;

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
  const { all, changed } = await readFeatures(graph, request, MOST_OF_FEATURE);
  const budget = (MOST_TOKENS - HEAD_TOKENS) * TOKEN_CHARACTERS;
  const features = cutRows(all, budget * FEATURE_SHARE);
  const maxTokens = (budget - rowsSize(features)) / TOKEN_CHARACTERS;
  const { isWhole, nodes, edges } = await readArtifactGraph(graph, request, { maxTokens, changed });
  const isCut = !isWhole || features.length < all.length;
  const rows = { features, nodes: packRows(nodes, edges) };
  const text = rowText({ columns: COLUMNS, cut: isCut, repo: request.repository.provenance.repo, ...rows });
  texts.set(tag, text);
  return text;
}

/** The whole graph in pieces of text, with the same form, so that it is never in memory as a whole. */
export async function* wholeGraph(graph: Graph, request: ArtifactRequest): AsyncGenerator<string> {
  const { all: features } = await readFeatures(graph, request, WHOLE_FEATURE);
  const { repo } = request.repository.provenance;
  // The text up to the rows of nodes, and what follows them, as `rowText` has them.
  const [before = '', after = ''] = rowText({ columns: COLUMNS, cut: false, features, nodes: [''], repo }).split(
    '\n""\n',
  );
  yield `${before}\n`;
  let isFirst = true;
  for await (const { nodes, edges } of streamArtifactGraph(graph, request)) {
    const rows = packRows(nodes, edges);
    if (rows.length === 0) continue;
    yield `${isFirst ? '' : ',\n'}${rows.map(lineOf).join(',\n')}`;
    isFirst = false;
  }
  yield `\n${after}`;
}

type OwnersOfFile = ReadonlyMap<string, readonly { author: string; decayedPercent: number }[]>;

/** Features of a repository with the people who work on them, and the paths of what changed lately. */
async function readFeatures(
  graph: Graph,
  request: ArtifactRequest,
  most: typeof MOST_OF_FEATURE,
): Promise<{ all: FeatureRow[]; changed: string[] }> {
  const { caller, repository, signal } = request;
  const history = new IndexSources(graph.indexes, HISTORY_QUERIES, { caller, signal, repositories: [repository] });
  const [features, owners, changed] = await Promise.all([
    readArtifactFeatures(graph, request),
    history.ask(repository, ['fileOwners', { most: MOST_OWNERS }]),
    history.ask(repository, ['recentPaths', RECENT]),
  ]);
  const byPath = new Map(owners.map(({ path, owners: people }) => [path, people] as const));
  return { all: featureRows(features, byPath, most), changed };
}

/** The features that have most code, as many as fit, in the order of their ids. */
function cutRows(rows: readonly FeatureRow[], characters: number): FeatureRow[] {
  let remaining = characters;
  const fitting = rows
    .toSorted((a, b) => b[3].length + b[2].length - a[3].length - a[2].length)
    .filter((row) => {
      remaining -= rowsSize([row]);
      return remaining >= 0;
    });
  return rows.filter((row) => fitting.includes(row));
}

function rowsSize(rows: readonly FeatureRow[]): number {
  return rows.reduce((sum, row) => sum + lineOf(row).length + LINE_CHARACTERS, 0);
}

type FeatureRow = [
  id: string,
  name: string,
  routes: string[],
  files: string[],
  owners: string[],
  tests: string[],
  written: string[],
];

/** Features as rows, with the people who work most on their files. */
function featureRows(
  features: readonly FeatureParts[],
  owners: OwnersOfFile,
  most: typeof MOST_OF_FEATURE,
): FeatureRow[] {
  return features.map(({ id, name, routes, files, tests, written }) => [
    id,
    name,
    routes.slice(0, most.routes),
    files.slice(0, most.files),
    mainOwners(files, owners).slice(0, most.owners),
    tests.slice(0, most.tests),
    written.slice(0, most.written),
  ]);
}

/** People by what they work on files, each file counting the same; the most first. */
function mainOwners(files: readonly string[], owners: OwnersOfFile): string[] {
  const shares = new Map<string, number>();
  for (const { author, decayedPercent } of files.flatMap((path) => owners.get(path) ?? []))
    shares.set(author, (shares.get(author) ?? 0) + decayedPercent);
  return [...shares].toSorted(compareCounts).map(([author]) => author);
}
