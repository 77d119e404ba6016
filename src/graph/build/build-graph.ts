import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { unpackReferences } from '../../code-index/format/store-codec.ts';
import { fileOfSymbol, testFlags, TextReader } from '../../code/reading/reading.ts';
import { addRoutes } from './add-routes.ts';
import { addComponents, isDocument } from './components.ts';
import { addLayers } from './layers.ts';
import { findCommands } from './commands.ts';
import { addFeatures } from './features.ts';
import { linkRequests } from './link-requests.ts';
import { SymbolLookup } from './symbol-lookup.ts';
import { addTables } from './tables.ts';
import { type BuildFile, type BuildScope, GraphDraft, type RepositoryGraph } from './repository-graph.ts';

/** Lines of a file that are read. */
const MOST_LINES = 10_000;

/** Components, layers and what else the graph adds to the code of a shard. One scan of the files and their dependencies. */
export function buildGraph(db: ShardDatabase): RepositoryGraph {
  const scope = scopeOf(db);
  const draft = new GraphDraft(scope);
  const texts = new TextReader(db);
  const read = rememberTexts((file) => texts.lines(file, 1, MOST_LINES).join('\n'));
  const components = addComponents(draft, read);
  const lookup = new SymbolLookup(db, scope.symbols);
  const { layers, faults, statedFault } = addLayers(draft, read);
  const { routes, requests } = addRoutes(draft, lookup, read);
  linkRequests(draft, requests, routes);
  addTables(draft, { db, lookup, read });
  addFeatures(draft, lookup, { components, layers, routes, commands: findCommands(scope.files, read) });
  return {
    nodes: draft.nodes,
    edges: draft.edges,
    layers: layers.map(({ key }, rank) => ({ key, rank })),
    faults,
    statedFault,
    requests,
  };
}

/** Characters of texts that are kept while the graph is built: each builder reads the same files. */
const KEPT_CHARACTERS = 50_000_000;

function rememberTexts(read: (file: number) => string): (file: number) => string {
  const known = new Map<number, string>();
  let left = KEPT_CHARACTERS;
  return (file) => {
    const text = known.get(file) ?? read(file);
    if (!known.has(file) && text.length < left) {
      left -= text.length;
      known.set(file, text);
    }
    return text;
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
