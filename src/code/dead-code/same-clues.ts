import { isDeepStrictEqual } from 'node:util';
import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';
import type { SymbolKind } from '../../code-index/format/rows.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { dense, pathOf, symbolsOf, TextReader } from '../files/store-files.ts';
import { referencesOfFile } from '../files/store-file-uses.ts';
import { usesIn } from '../usages/store-usages.ts';
import { rulesOf } from './conventions.ts';
import { isUnusedPrivate, tellsPrivateOnly } from './private-symbols.ts';
import { readNames } from './store-symbols.ts';
import { cluesOfFiles } from './store-texts.ts';
import { isHolder, isRead, lastText } from './store-verdicts.ts';
import { countCalls, declarationIn, isWholeRead, runsAtLoad, runsWhenDefined } from './text.ts';

interface SymbolRow {
  name: string;
  kind: SymbolKind;
  line: number;
  end: number;
  exported: number;
  signature: string;
  /** Kind of the symbol around it. */
  around: SymbolKind | null;
}

/**
 * True if dead code takes the same from the texts of some files in two shards whose symbols and references are the same: all that the
 * verdicts read in a text is compared, for every symbol of the files and every class that they read.
 */
export function haveSameClues(
  { before, after }: { before: ShardDatabase; after: ShardDatabase },
  files: readonly number[],
): boolean {
  // What packages offer is read in their manifests.
  if (files.some((file) => /(^|\/)package\.json$/.test(pathOf(after, file)))) return false;
  const names = new Set(readNames(after));
  if (!isDeepStrictEqual(cluesOf(before, names, files), cluesOf(after, names, files))) return false;
  return files.every((file) =>
    [factsOfFile, readsOfFile].every((read) => isDeepStrictEqual(read(before, file), read(after, file))),
  );
}

/** The clues of some files, of words those that are names. */
function cluesOf(db: ShardDatabase, names: ReadonlySet<string>, files: readonly number[]): unknown {
  const areNames = (words: readonly string[] | undefined): string[] => (words ?? []).filter((word) => names.has(word));
  return Array.from(cluesOfFiles(db, new Set(files)), ([file, { quoted, inTemplates, documented, ...others }]) => [
    file,
    others,
    ...[quoted, inTemplates, documented].map((words) => areNames(words).toSorted()),
  ]);
}

function symbolsIn(db: ShardDatabase, file: number): SymbolRow[] {
  const { first, end } = symbolsOf(db, file);
  return db
    .prepare(
      `select n.text as name, s.kind, s.line, s.end_line as end, s.exported, s.signature, p.kind as around
         from symbol s join name n on n.id = s.name left join symbol p on p.id = s.parent
        where s.id >= ? and s.id < ? order by s.id`,
    )
    .all(first, end) as unknown as SymbolRow[];
}

/** All that verdicts read in the text of a file about its symbols, in their order. */
function factsOfFile(db: ShardDatabase, file: number): unknown[] {
  const path = pathOf(db, file);
  const { language } = db.prepare('select language from file where id = ?').get(file) as { language: string };
  const text = lastText(db)(file);
  const lines = text.split('\n');
  const rules = rulesOf(language);
  const facts = symbolsIn(db, file).map(({ name, kind, line, end, exported, signature, around }) => {
    const isMember = around !== null && around !== 'module';
    const declared = { path, kind, name, isExported: exported === 1, isMember, signature };
    const declaration = declarationIn(text, { line, end, name });
    return [
      signature,
      tellsPrivateOnly(language) && isUnusedPrivate(language, declared, text),
      rules?.isCountedFrom?.(lines, line - 1) === true,
      rules?.isConditional?.({ path, lines, line: line - 1, isMember }) === true,
      countCalls(text, name),
      runsAtLoad(declaration),
      runsWhenDefined(declaration),
    ];
  });
  return [rules?.isScript?.(path, text) === true, ...facts];
}

/** Each class that a file reads, and whether as a value itself, in the order of the lines. */
function readsOfFile(db: ShardDatabase, file: number): [symbol: number, isWhole: boolean][] {
  const kinds = dense(db, 'symbol_kind');
  const holders = new Set(referencesOfFile(db, file).map(({ target }) => target));
  const text = new TextReader(db);
  const nameOf = db.prepare('select n.text from symbol s join name n on n.id = s.name where s.id = ?');
  return [...holders]
    .filter((target) => isHolder(SYMBOL_KINDS[kinds[target] ?? 0]))
    .flatMap((target) => {
      const { length } = (nameOf.get(target) as { text: string }).text;
      return usesIn(db, target, file)
        .filter(isRead)
        .map(({ line, column }): [number, boolean] => [
          target,
          isWholeRead(text.lines(file, line, line)[0] ?? '', column, length),
        ]);
    });
}
