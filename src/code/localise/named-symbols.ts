import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { symbolsOf, testFlags } from '../files/store-files.ts';
import { fileOfSymbol } from '../symbols/store-symbols.ts';
import { usesOf } from '../usages/store-usages.ts';
import { pathFacts } from './path-features.ts';
import { functionTexts } from './score-texts.ts';
import { wordsOf } from '../../text/words.ts';

/** A name that more files define than this points at none of them. */
const MOST_FILES = 12;
/** Symbols with more uses than this are used everywhere: their users are no news. */
const MOST_USES = 60;

/** Files that names in a report point at. By file id. */
export interface NamedFiles {
  /** Sum over the names that a file defines; each is worth 1, shared by the files that define it. */
  defines: Float32Array;
  /** The same for files that use what is named: one hop away. */
  uses: Float32Array;
  /** The names that some symbol has, and those that a file defines. */
  known: Set<string>;
  definedIn: (file: number) => Set<string>;
}

/**
 * Finds what names mean: `Mailer.send` a symbol `send` inside of `Mailer` where there is one, else `send` at half its
 * worth. Names are taken in the case in which they are written.
 */
export function namedFiles(db: ShardDatabase, names: readonly string[]): NamedFiles {
  const files = testFlags(db).length;
  const inFile = new Map<number, Set<string>>();
  const named: NamedFiles = {
    defines: new Float32Array(files),
    uses: new Float32Array(files),
    known: new Set(),
    definedIn: (file) => inFile.get(file) ?? new Set(),
  };
  for (const name of names) {
    const meant = symbolsNamed(db, name);
    const holders = new Set(meant.ids.map((id) => fileOfSymbol(db, id)));
    if (holders.size === 0 || holders.size > MOST_FILES) continue;
    const score = meant.worth / Math.sqrt(holders.size);
    named.known.add(name);
    for (const file of holders) {
      named.defines[file] = (named.defines[file] ?? 0) + score;
      inFile.set(file, (inFile.get(file) ?? new Set()).add(name));
    }
    addUsers(db, meant.ids, { worth: score, uses: named.uses });
  }
  return named;
}

/** The symbols outside of tests that a name means, and how sure that is (0 to 1). */
function symbolsNamed(db: ShardDatabase, name: string): { ids: number[]; worth: number } {
  const parts = name.split('.');
  const last = parts.at(-1) ?? '';
  const rows = db
    .prepare(
      // The index of names does not tell capitals from small letters.
      `select s.id, s.qualified, s.kind from name n join symbol s on s.name = n.id
        where n.text = ?1 collate nocase and n.text = ?1`,
    )
    .all(last) as { id: number; qualified: string; kind: string }[];
  const isTest = testFlags(db);
  const code = rows.filter(({ id, kind }) => kind !== 'heading' && isTest[fileOfSymbol(db, id)] !== 1);
  const holder = parts.at(-2);
  if (holder === undefined) return { ids: code.map(({ id }) => id), worth: 1 };
  const inside = code.filter(({ qualified }) => qualified.endsWith(`${holder}/${last}`));
  if (inside.length > 0) return { ids: inside.map(({ id }) => id), worth: 1.5 };
  return { ids: code.map(({ id }) => id), worth: 0.5 };
}

/** Functions outside of tests with the name of a frame: those of its class or module where it names one. */
export function functionsNamed(db: ShardDatabase, symbol: string): number[] {
  const parts = wordsOf(symbol, 'asciiName');
  const { isFunction } = functionTexts(db);
  const rows = db
    .prepare(
      `select s.id, s.qualified from name n join symbol s on s.name = n.id
        where n.text = ?1 collate nocase and n.text = ?1 order by s.id`,
    )
    .all(parts.at(-1) ?? '') as { id: number; qualified: string }[];
  const facts = pathFacts(db);
  const functions = rows.filter(({ id }) => isFunction[id] === 1 && facts[fileOfSymbol(db, id)]?.declarations === 0);
  const inside = functions.filter(({ qualified }) => qualified.split('/').at(-2) === parts.at(-2));
  return (inside.length > 0 ? inside : functions).map(({ id }) => id);
}

function addUsers(
  db: ShardDatabase,
  ids: readonly number[],
  { worth, uses }: { worth: number; uses: Float32Array },
): void {
  const isTest = testFlags(db);
  const users = new Set<number>();
  for (const id of ids) {
    const all = usesOf(db, id);
    if (all.length > MOST_USES) return;
    for (const { file } of all) if (isTest[file] !== 1) users.add(file);
  }
  for (const file of users) uses[file] = (uses[file] ?? 0) + worth / Math.sqrt(users.size);
}

/**
 * The symbol that a frame of a trace means. Traces come from other versions, where the line lies elsewhere: a frame that says
 * its function means the one of that name, the nearest when there are several.
 */
export function symbolOfFrame(
  db: ShardDatabase,
  file: number,
  { line, symbol = '' }: { line: number | undefined; symbol?: string | undefined },
): number | undefined {
  const around = line === undefined ? undefined : symbolAround(db, file, line);
  const name = wordsOf(symbol, 'asciiName').at(-1);
  if (name === undefined) return around;
  const { first, end } = symbolsOf(db, file);
  const called = db
    .prepare(
      `select s.id, s.line, s.end_line as end from symbol s join name n on n.id = s.name
        where s.id >= ? and s.id < ? and n.text = ?`,
    )
    .all(first, end, name) as { id: number; line: number; end: number }[];
  if (line === undefined) return called.length === 1 ? called[0]?.id : undefined;
  const away = (range: { line: number; end: number }): number => Math.max(range.line - line, line - range.end, 0);
  const [nearest] = called.toSorted((a, b) => away(a) - away(b) || a.id - b.id);
  return nearest === undefined || away(nearest) === 0 ? around : nearest.id;
}

/** The innermost symbol around a line of a file, or nothing. */
export function symbolAround(db: ShardDatabase, file: number, line: number): number | undefined {
  const { first, end } = symbolsOf(db, file);
  const row = db
    .prepare(
      `select id from symbol where id >= ? and id < ? and line <= ? and end_line >= ?
        order by end_line - line, id desc limit 1`,
    )
    .get(first, end, line, line) as { id: number } | undefined;
  return row?.id;
}
