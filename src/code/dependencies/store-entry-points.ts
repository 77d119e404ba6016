import { definitionOf, LANGUAGES } from '../../languages/languages.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { packageEntries } from '../entries/package-entries.ts';
import { USE_CODES } from '../../code-index/format/shard-input.ts';
import { unpackReferences } from '../../code-index/format/store-codec.ts';
import { fileEdges, type EndRow, isFileNode, type EndRows, type Node, symbolsOf } from './store-dependencies-nodes.ts';
import { fileAt, testFlags, TextReader } from '../files/store-files.ts';
import { usesOf } from '../usages/store-usages.ts';

/** Codes of uses that only hand a symbol on. */
const PASSING_ON: ReadonlySet<number> = new Set([USE_CODES.indexOf('import'), USE_CODES.indexOf('export')]);

/** Languages whose files hand on what they export again, and not what they import for themselves. */
const EXPORTS_AGAIN = /\.[cm]?[jt]sx?$/;
const EXPORT_ONLY: ReadonlySet<number> = new Set([USE_CODES.indexOf('export')]);

/** The uses by which a file hands a symbol on to those who import it. */
export function handingOn(path: string): ReadonlySet<number> {
  return EXPORTS_AGAIN.test(path) ? EXPORT_ONLY : PASSING_ON;
}

/** Manifests that are read to know what packages offer; a repository with more is a collection of examples. */
const MOST_MANIFESTS = 200;
const MANIFEST_LINES = 2_000;

const PACKAGE_FILES = LANGUAGES.flatMap(({ packageFile = [] }) => packageFile);

/**
 * Reason why code outside may start here: `main` runs a program, `package` is exported from the main file of a package,
 * `unused` is used by nothing but tests in this repository, so whatever calls it is outside.
 */
export type EntryReason = 'main' | 'package' | 'unused';

export interface EntryPointRow extends EndRow {
  reason: EntryReason;
}

/** The entry points among some nodes, in their order. Test code is never one. */
export function entryPoints(db: ShardDatabase, nodes: readonly Node[], ends: EndRows): EntryPointRow[] {
  const mains = db.derived('package_mains', () => packageMains(db));
  const offered = db.derived('package_offers', () => offeredSymbols(db, mains));
  return nodes.flatMap((node): EntryPointRow[] => {
    const reason = isFileNode(node) ? fileReason(db, node, mains) : symbolReason(db, node, offered);
    return reason === undefined ? [] : [{ ...ends.row(node), reason }];
  });
}

/** Code outside symbols runs when its file is started, unless other code imports the file. */
function fileReason(db: ShardDatabase, node: Node, mains: ReadonlySet<number>): EntryReason | undefined {
  if (mains.has(-1 - node)) return 'package';
  const isTest = testFlags(db);
  const importers = fileEdges(db, node, 'in').filter(({ from }) => isTest[-1 - from] !== 1);
  return importers.length === 0 ? 'main' : undefined;
}

interface SymbolFacts {
  kind: string;
  name: string;
  family: number | null;
}

function symbolReason(db: ShardDatabase, symbol: number, offered: ReadonlySet<number>): EntryReason | undefined {
  const facts = db
    .prepare('select s.kind, s.family, n.text as name from symbol s join name n on n.id = s.name where s.id = ?')
    .get(symbol) as SymbolFacts | undefined;
  if (facts === undefined) return undefined;
  const { kind, name } = facts;
  if (name === 'main' && (kind === 'function' || kind === 'method')) return 'main';
  if (offered.has(symbol)) return 'package';
  const isTest = testFlags(db);
  const isUsed = usesOf(db, symbol).some(
    ({ use, file, enclosing }) => !PASSING_ON.has(use) && isTest[file] !== 1 && enclosing !== symbol,
  );
  return isUsed || isFamilyUsed(db, facts) ? undefined : 'unused';
}

/** Symbols that the main files of packages define and export, or import from other files to re-export: by these uses. */
export function offeredSymbols(
  db: ShardDatabase,
  mains: ReadonlySet<number>,
  passing: (file: number) => ReadonlySet<number> = () => PASSING_ON,
): Set<number> {
  const offered = new Set<number>();
  const own = db.prepare('select id from symbol where id >= ? and id < ? and exported = 1');
  const taken = db.prepare('select refers from file_edge where file = ?');
  for (const file of mains) {
    for (const { id } of own.all(...symbolsOf(db, file)) as { id: number }[]) offered.add(id);
    const row = taken.get(file) as { refers: Uint8Array | null } | undefined;
    for (const { target, uses } of unpackReferences(row?.refers ?? null))
      if ([...passing(file)].some((use) => (uses & (1 << use)) !== 0)) offered.add(target);
  }
  return offered;
}

/** True if what a member overrides, or what overrides it, is used. */
function isFamilyUsed(db: ShardDatabase, { family }: SymbolFacts): boolean {
  if (family === null) return false;
  const row = db
    .prepare('select 1 from symbol s join usage u on u.symbol = s.id where s.family = ? limit 1')
    .get(family);
  return row !== undefined;
}

interface PackageChoice {
  /** Selects the `package.json` files that count, by their text; all do when absent. */
  takes?: (manifest: string) => boolean;
  /** True if what a pattern of `exports` fits counts too, as it does when absent; false for only what is named. */
  patterns?: boolean;
}

/**
 * The files that packages offer: what `package.json` names, or the source it is built from, and the top module of a
 * Python package or Rust library.
 */
export function packageMains(db: ShardDatabase, { takes, patterns = true }: PackageChoice = {}): Set<number> {
  const rows = db
    .prepare(
      `select f.id, f.path from file f
        where exists (select 1 from json_each(?) n
                       where f.path = n.value or substr(f.path, -length(n.value) - 1) = '/' || n.value)
        order by f.id`,
    )
    .all(JSON.stringify(['package.json', ...PACKAGE_FILES])) as { id: number; path: string }[];
  const paths = new Set(rows.map(({ path }) => path));
  const mains = new Set(rows.filter(({ path }) => isTopModule(path, paths)).map(({ id }) => id));
  const text = new TextReader(db);
  const indexedPaths = new Set(
    (db.prepare('select path from file').all() as { path: string }[]).map((row) => row.path),
  );
  for (const { id, path } of rows.filter((row) => row.path.endsWith('.json')).slice(0, MOST_MANIFESTS)) {
    const folder = path.slice(0, -'package.json'.length);
    const manifest = text.lines(id, 1, MANIFEST_LINES).join('\n');
    if (takes?.(manifest) === false) continue;
    for (const entry of packageEntries(folder, manifest, { paths: indexedPaths, patterns })) {
      const file = fileAt(db, entry);
      if (file !== undefined) mains.add(file);
    }
  }
  return mains;
}

/** The file that says what a package offers, unless that package is a part of another one. */
function isTopModule(path: string, paths: ReadonlySet<string>): boolean {
  const { packageFile, nestsPackages } = definitionOf(path) ?? {};
  if (packageFile === undefined || nestsPackages !== true) return packageFile !== undefined;
  const folders = path.split('/').slice(0, -1);
  return folders.length === 0 || !paths.has([...folders.slice(0, -1), packageFile].join('/'));
}
