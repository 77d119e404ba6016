import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { unpackReferences } from '../../code-index/format/store-codec.ts';
import { fileOfSymbol, testFlags } from '../../code/reading/reading.ts';
import { addRoutes } from './add-routes.ts';
import { addComponents, isDocument } from './components.ts';
import { addLayers } from './layers.ts';
import { findCommands } from './commands.ts';
import { addFeatures } from './features.ts';
import { findModels } from './models.ts';
import { linkRequests } from './link-requests.ts';
import type { StatedLayer } from './stated-layers.ts';
import { productFiles } from './product-files.ts';
import { SymbolLookup } from './symbol-lookup.ts';
import { addTables } from './tables.ts';
import type { TextFindings } from './text-findings.ts';
import { type BuildFile, type GraphInput, GraphDraft, type RepositoryGraph } from './repository-graph.ts';

/**
 * Components, layers and what else the graph adds to the code of a shard. One scan of the files and their dependencies; texts are
 * read as far as `findings` does not know them. `layersSet` are the layers that people set, from the top down.
 */
export function buildGraph(
  db: ShardDatabase,
  findings: TextFindings,
  layersSet?: readonly StatedLayer[],
): RepositoryGraph {
  const input = scopeOf(db);
  const draft = new GraphDraft(input);
  const read = (file: number): string => findings.text(file);
  const components = addComponents(draft, read);
  const lookup = new SymbolLookup(db, input.symbols);
  const { layers, faults, statedFault } = addLayers(draft, { components, read, set: layersSet });
  const { routes, requests, types } = addRoutes(draft, lookup, findings);
  linkRequests(draft, requests, { routes, types });
  const tables = addTables(draft, { db, lookup, findings });
  const commands = findCommands(input, findings, components);
  addFeatures(draft, lookup, { db, components, routes, commands, models: [...findModels(input, findings), ...tables] });
  return {
    nodes: draft.nodes,
    edges: draft.edges,
    layers: layers.map(({ key }, rank) => ({ key, rank })),
    faults,
    statedFault,
    requests,
    types,
  };
}

function scopeOf(db: ShardDatabase): GraphInput {
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
  return {
    files,
    product: productFiles({ files, depends }),
    depends,
    symbols,
    fileOfSymbol: (symbol) => fileOfSymbol(db, symbol),
  };
}
