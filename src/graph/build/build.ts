import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { unpackReferences } from '../../code-index/format/store-codec.ts';
import { testFlags, TextReader } from '../../code/reading/reading.ts';
import { addComponents, isDocument } from './components.ts';
import { addLayers } from './layers.ts';
import { type BuildFile, type BuildScope, GraphDraft, type RepositoryGraph } from './repository-graph.ts';

export type { DerivedEdge, DerivedNode, LayerFault, RepositoryGraph } from './repository-graph.ts';
export { isDocument };

/** Lines of a manifest that are read. */
const MOST_LINES = 2_000;

/** Components, layers and what else the graph adds to the code of a shard. One scan of the files and their dependencies. */
export function buildGraph(db: ShardDatabase): RepositoryGraph {
  const scope = scopeOf(db);
  const draft = new GraphDraft(scope);
  const texts = new TextReader(db);
  addComponents(draft, (file) => texts.lines(file, 1, MOST_LINES).join('\n'));
  const { layers, faults } = addLayers(draft);
  return {
    nodes: draft.nodes,
    edges: draft.edges,
    layers: layers.map(({ key }, rank) => ({ key, rank })),
    faults,
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
  return { files, fileIds: new Map(files.map(({ id, path }) => [path, id])), depends, symbols };
}
