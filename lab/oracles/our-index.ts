import { CODE_FORMAT } from '../../src/code-index/format/shard-schema.ts';
import type { CodeIndexResult } from '../../src/code-index/code-index.ts';
import { EXACT_COMPILER } from '../../src/code-index/refine/refine.ts';
import { USE_CODES } from '../../src/code-index/format/shard-input.ts';
import { readUses } from '../../src/code-index/format/store-codec.ts';
import { openShard } from '../../src/indexes/shards/shards.ts';
import { runIndexProcess } from '../../src/worker/index-process.ts';
import type { Source } from '../source.ts';

/** A symbol of our index. */
interface OurSymbol {
  path: string;
  line: number;
  column: number;
  kind: string;
  qualified: string;
  parent: number;
  family: number;
}

/** A use that is claimed: what only the name suggests is none. */
export interface OurUse {
  path: string;
  line: number;
  column: number;
  isCall: boolean;
  symbol: number;
  /** Symbol around it, or -1. */
  enclosing: number;
}

/** The index of one commit, as its shard has it. */
export interface OurIndex {
  symbols: OurSymbol[];
  uses: OurUse[];
}

interface SymbolRow {
  path: string;
  line: number;
  column: number;
  kind: string;
  qualified: string;
  parent: number | null;
  family: number | null;
}

/** Indexes a commit anew into a folder; `isExact` as the service's second job leaves it, with what the compiler knows. */
export async function indexOf(source: Source, folder: string, isExact: boolean): Promise<OurIndex> {
  const targetFile = `${folder}/${isExact ? 'exact' : 'resolved'}.db`;
  const { gaps } = await runIndex(source, { folder, targetFile, isExact });
  for (const { text } of gaps) console.log(`  ${text}`);
  const db = openShard(targetFile, CODE_FORMAT);
  try {
    const files = db.prepare('select path, first_symbol as first from file order by id').all();
    const symbols = db
      .prepare(
        `select f.path, s.line, s."column", s.kind, s.qualified, s.parent, s.family
           from symbol s join file f on f.id = s.file order by s.id`,
      )
      .all() as unknown as SymbolRow[];
    const firstSymbols = Int32Array.from(files, ({ first }) => Number(first));
    const uses: OurUse[] = [];
    for (const { symbol, uses: blob } of db.prepare('select symbol, uses from usage').iterate())
      // The column is a blob.
      for (const { file, line, column, use, enclosing } of readUses(blob as Uint8Array, firstSymbols)) {
        const path = String(files[file]?.['path']);
        uses.push({ path, line, column, isCall: USE_CODES[use] === 'call', symbol: Number(symbol), enclosing });
      }
    return {
      symbols: symbols.map((row) => ({ ...row, parent: row.parent ?? -1, family: row.family ?? -1 })),
      uses,
    };
  } finally {
    db.close();
  }
}

interface IndexRun {
  folder: string;
  targetFile: string;
  isExact: boolean;
}

function runIndex(
  { name, gitDir, commit }: Source,
  { folder, targetFile, isExact }: IndexRun,
): Promise<CodeIndexResult> {
  const task = {
    kind: 'code' as const,
    gitDir,
    commit,
    repository: name,
    factsCache: `${folder}/facts.db`,
    targetFile,
    ...(isExact && { exact: { key: EXACT_COMPILER, compiler: true, indexes: [] } }),
  };
  return runIndexProcess(task, { signal: new AbortController().signal, onProgress: () => undefined });
}
