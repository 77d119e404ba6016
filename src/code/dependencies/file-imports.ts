import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { USE_CODES } from '../../code-index/format/shard-input.ts';
import { importedAtRunTime, referencesOfFile } from '../files/store-file-uses.ts';
import { fileOfSymbol } from '../symbols/store-symbols.ts';
import { usesIn } from '../usages/store-usages.ts';
import { type Edge, fileOfNode } from './store-dependencies-nodes.ts';

const IMPORT = USE_CODES.indexOf('import');

/** Where one file imports another, and what for. */
interface FileImport {
  /** The first line that shows it; 0 where nothing of the other file is named. */
  line: number;
  /** It is gone at run time: only types are needed. */
  isOfTypes: boolean;
}

/** The imports behind edges between files, each file read once. */
export function describeImports(db: ShardDatabase, edges: readonly Edge[]): Map<Edge, FileImport> {
  const imports = new Map<Edge, FileImport>();
  for (const [file, own] of Map.groupBy(edges, ({ from }) => fileOfNode(db, from))) {
    const references = Map.groupBy(referencesOfFile(db, file), ({ target }) => fileOfSymbol(db, target));
    const atRunTime = new Set(
      importedAtRunTime(
        db,
        file,
        own.map(({ to }) => fileOfNode(db, to)),
      ),
    );
    for (const edge of own) {
      const target = fileOfNode(db, edge.to);
      const line = edge.line || firstLine(db, file, references.get(target) ?? []);
      imports.set(edge, { line, isOfTypes: !atRunTime.has(target) });
    }
  }
  return imports;
}

/** The line of an import of one of some symbols; of none that is named by one, of its first use. */
function firstLine(db: ShardDatabase, file: number, references: readonly { target: number; uses: number }[]): number {
  const reference = references.find(({ uses }) => (uses & (1 << IMPORT)) !== 0) ?? references[0];
  if (reference === undefined) return 0;
  const uses = usesIn(db, reference.target, file);
  const imports = uses.filter(({ use }) => use === IMPORT);
  return Math.min(...(imports.length > 0 ? imports : uses).map(({ line }) => line));
}
