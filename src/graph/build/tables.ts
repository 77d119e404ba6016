import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import type { NodeNumber, Relation } from '../model/model.ts';
import { createdTables, tableUses } from '../routes/routes.ts';
import { type BuildFile, fileNode, type GraphDraft, type GraphInput } from './repository-graph.ts';
import type { SymbolLookup } from './symbol-lookup.ts';
import type { TextFindings } from './text-findings.ts';

interface Table {
  node: NodeNumber;
  /** Symbols that define it, of SQL and of mapped classes. */
  symbols: Set<NodeNumber>;
}

/** Patterns by which code names a table that it creates or maps a class to. */
const DEFINITIONS: Readonly<Record<string, RegExp>> = {
  TypeScript:
    /\b(?:pgTable|mysqlTable|sqliteTable|createTable)\(\s*["'`](\w+)|@Entity\(\s*(?:\{[^}]*\bname:\s*)?["'`](\w+)/g,
  Python: /\b(?:__tablename__|db_table)\s*=\s*["'](\w+)|\bcreate_table\(\s*["'](\w+)/g,
  Ruby: /\bcreate_table\s*\(?\s*[:"'](\w+)/g,
  PHP: /\bSchema::create\(\s*["'](\w+)|#\[ORM\\Table\([^)]*name:\s*["'](\w+)/g,
  Java: /@Table\([^)]*\bname\s*=\s*"(\w+)/g,
  Kotlin: /@Table\([^)]*\bname\s*=\s*"(\w+)|\bobject\s+\w+\s*:\s*\w*Table\(\s*"(\w+)/g,
  Go: /\bTableName\(\)\s*string\s*\{\s*return\s*"(\w+)/g,
};
const SAME: Readonly<Record<string, string>> = { JavaScript: 'TypeScript' };

/** Paths of migrations: they say nothing about the purpose of the tables that they create. */
const IS_MIGRATION = /(?:^|\/)(?:migrations?|migrate|versions)\//;

/** Most tables of a database; a repository with more has dumps of them. */
const MOST_TABLES = 2_000;

/**
 * The tables that SQL and mapped classes of a repository define, what code reads and writes in them, and what stands for them. What
 * tables are called is known from their definitions alone, so a repository without them has none.
 *
 * @returns The tables that the product maps, reads or writes, with each of its files that does.
 */
export function addTables(
  draft: GraphDraft,
  { db, lookup, findings }: { db: ShardDatabase; lookup: SymbolLookup; findings: TextFindings },
): { name: string; file: BuildFile }[] {
  const tables = new Map<string, Table>();
  const define = (name: string, file: number, line: number): Table | undefined => {
    const key = name.toLowerCase();
    const existing = tables.get(key);
    if (existing !== undefined || tables.size === MOST_TABLES) return existing;
    const path = draft.input.files[file]?.path ?? '';
    const table = { node: draft.add({ kind: 'table', key, name: key, path, line }), symbols: new Set<NodeNumber>() };
    tables.set(key, table);
    return table;
  };
  const stand = (table: Table | undefined, symbol: NodeNumber, source: string): void => {
    if (table === undefined || table.symbols.has(symbol)) return;
    table.symbols.add(symbol);
    draft.link({ from: symbol, to: table.node, relation: 'implements', grade: 'stated', source });
  };
  const { files } = draft.input;
  for (const { id, file, name, line } of tableSymbols(db))
    if (files[file]?.isTest === false) stand(define(name, file, line), id, `${files[file]?.path ?? ''}:${line}`);
  for (const file of files.filter(({ isCode, isTest }) => isCode && !isTest)) {
    const defined = findings.of('tables', file.id, (text) => someOf(definedTables(file.language, text)));
    for (const { table, line } of defined ?? []) {
      const around = lookup.around(file.id, line) ?? fileNode(draft.input, file.id);
      stand(define(table, file.id, line), around, `${file.path}:${line}`);
    }
  }
  const used = tables.size > 0 ? addUses(draft, tables, { lookup, findings }) : [];
  const product = new Set(draft.input.product);
  const mapped = [...tables].flatMap(([name, { symbols }]) =>
    [...symbols].flatMap((symbol) => {
      const file = fileOf(draft.input, symbol);
      return file !== undefined && product.has(file) && !IS_MIGRATION.test(file.path) ? [{ name, file }] : [];
    }),
  );
  return [...mapped, ...used];
}

/** Tables that SQL in the texts of a source makes, or that it makes or maps by a name. */
function definedTables(language: string, text: string): { table: string; line: number }[] {
  const pattern = DEFINITIONS[SAME[language] ?? language];
  const mapped = pattern === undefined ? [] : [...text.matchAll(pattern)];
  return [
    ...createdTables({ language, text }),
    ...mapped.map((match) => {
      return { table: match.slice(1).find((name) => name !== undefined) ?? '', line: lineAt(text, match.index) };
    }),
  ];
}

function tableSymbols(db: ShardDatabase): { id: number; file: number; name: string; line: number }[] {
  return db
    .prepare(
      `select s.id, s.file, n.text as name, s.line from symbol s join name n on n.id = s.name
        where s.kind = 'table' order by s.id`,
    )
    .all() as { id: number; file: number; name: string; line: number }[];
}

/** Adds the reads and writes of tables by texts of SQL in code and by calls of query builders. */
function addUses(
  draft: GraphDraft,
  tables: ReadonlyMap<string, Table>,
  { lookup, findings }: { lookup: SymbolLookup; findings: TextFindings },
): { name: string; file: BuildFile }[] {
  const used: { name: string; file: BuildFile }[] = [];
  for (const file of draft.input.product) {
    const linked = new Set<string>();
    const uses = findings.of('table uses', file.id, (text) => someOf(tableUses({ language: file.language, text })));
    for (const { table: name, isWritten, line } of uses ?? []) {
      const table = tables.get(name.toLowerCase());
      if (table === undefined) continue;
      const from = lookup.around(file.id, line) ?? fileNode(draft.input, file.id);
      const relation: Relation = isWritten ? 'writes' : 'reads';
      const key = `${from} ${table.node} ${relation}`;
      if (linked.has(key)) continue;
      linked.add(key);
      used.push({ name: name.toLowerCase(), file });
      draft.link({ from, to: table.node, relation, grade: 'name', source: `${file.path}:${line}` });
    }
  }
  return used;
}

/** The file of a node of a symbol or a file. */
function fileOf({ files, symbols, fileOfSymbol }: GraphInput, node: NodeNumber): BuildFile | undefined {
  return files[node < symbols ? fileOfSymbol(node) : node - symbols];
}

/** Undefined for an empty list, which findings keep no place for. */
function someOf<Item>(list: Item[]): Item[] | undefined {
  return list.length === 0 ? undefined : list;
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
