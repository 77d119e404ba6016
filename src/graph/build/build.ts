import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { unpackReferences } from '../../code-index/format/store-codec.ts';
import { fileOfSymbol, testFlags, TextReader } from '../../code/reading/reading.ts';
import { addRoutes } from './add-routes.ts';
import { addComponents, isDocument } from './components.ts';
import { addLayers } from './layers.ts';
import { linkRequests } from './link-requests.ts';
import { SymbolLookup } from './symbol-lookup.ts';
import { type BuildFile, type BuildScope, GraphDraft, type RepositoryGraph } from './repository-graph.ts';

export type { DerivedEdge, DerivedNode, LayerFault, RepositoryGraph } from './repository-graph.ts';
export { isDocument };

/** Lines of a file that are read. */
const MOST_LINES = 10_000;

/** Components, layers and what else the graph adds to the code of a shard. One scan of the files and their dependencies. */
export function buildGraph(db: ShardDatabase): RepositoryGraph {
  const scope = scopeOf(db);
  const draft = new GraphDraft(scope);
  const texts = new TextReader(db);
  const read = (file: number): string => texts.lines(file, 1, MOST_LINES).join('\n');
  addComponents(draft, read);
  const { layers, faults } = addLayers(draft);
  const { routes, requests } = addRoutes(draft, new SymbolLookup(db, scope.symbols), read);
  linkRequests(draft, requests, routes);
  return {
    nodes: draft.nodes,
    edges: draft.edges,
    layers: layers.map(({ key }, rank) => ({ key, rank })),
    faults,
    requests,
  };
}

function scopeOf(db: ShardDatabase): BuildScope {
  const isTest = testFlags(db);
  const rows = db.prepare('select id, path, language, parser, generated from file order by id').all() as unknown as {
    id: number;
    path: string;
    language: string;
    parser: string;
    generated: number;
  }[];
  const files = rows.map(({ generated, parser, id, path, language }): BuildFile => ({
    id,
    path,
    language,
    isCode: parser !== '' && !isDocument({ language }),
    isGenerated: generated === 1,
    isTest: isTest[id] === 1,
  }));
  const depends: number[][] = files.map(() => []);
  for (const row of db.prepare('select file, depends from file_edge where depends is not null').iterate()) {
    const { file, depends: blob } = row as { file: number; depends: Uint8Array };
    depends[file] = unpackReferences(blob).map(({ target }) => target);
  }
  const { symbols } = db.prepare('select count(*) as symbols from symbol').get() as { symbols: number };
  return { files, depends, symbols, fileOfSymbol: (symbol) => fileOfSymbol(db, symbol) };
}
