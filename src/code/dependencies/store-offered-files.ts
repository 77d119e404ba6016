import { joinSpecifier } from '../../kernel/paths.ts';
import { definitionOf } from '../../languages/languages.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { sourceFile } from '../entries/package-entries.ts';
import { handingOn, offeredSymbols, packageMains } from './store-entry-points.ts';
import { fileAt, pathOf, TextReader } from '../files/store-files.ts';

const STAR_EXPORT = /\bexport\s*(?:type\s*)?\*\s*(?:as\s+\w+\s*)?from\s*["'](\.[^"'\n]*)["']/g;
/** An entry file of more lines is no list of exports. */
const MOST_LINES = 5_000;

/** True if others may have a package: one that is private and has no version of its own is published nowhere. */
function isPublished(manifest: string): boolean {
  return !/"private"\s*:\s*true\b/.test(manifest) || /"version"\s*:\s*"(?!0\.0\.0")/.test(manifest);
}

/**
 * The files whose exports are the interface of a package: entry files by the `package.json` of packages that are published,
 * the top modules of Python packages, the libraries of Rust, and the files that such an entry hands on whole (`export * from`). By path. Read once for an open shard.
 */
export function offeredFiles(db: ShardDatabase, _none: object): string[] {
  return db.derived('offered_files', () => {
    const paths = new Set((db.prepare('select path from file').all() as { path: string }[]).map(({ path }) => path));
    const text = new TextReader(db);
    const idOf = db.prepare('select id from file where path = ?');
    const open = Array.from(packageMains(db, { takes: isPublished }), (id) => pathOf(db, id));
    const offered = new Set<string>();
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (offered.has(path)) continue;
      offered.add(path);
      const { id } = idOf.get(path) as { id: number };
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      for (const [, specifier = ''] of text.lines(id, 1, MOST_LINES).join('\n').matchAll(STAR_EXPORT)) {
        const named = sourceFile('', joinSpecifier(folder, specifier), paths);
        if (named !== undefined) open.push(named);
      }
    }
    return [...offered].toSorted();
  });
}

/** Manifests of Python packages that can be published. */
const PYTHON_MANIFEST = /(?:^|\/)(?:pyproject\.toml|setup\.py|setup\.cfg)$/;

/**
 * The symbols that published packages offer, in the order of their ids: what their entry files define and export or hand on. A Python
 * package without a manifest around it is published nowhere.
 */
export function publicSymbols(db: ShardDatabase): number[] {
  const paths = (db.prepare('select path from file').all() as { path: string }[]).map(({ path }) => path);
  const folders = paths.flatMap((path) =>
    PYTHON_MANIFEST.test(path) ? [path.slice(0, path.lastIndexOf('/') + 1)] : [],
  );
  const isOffered = (path: string): boolean =>
    definitionOf(path)?.nestsPackages !== true || folders.some((folder) => path.startsWith(folder));
  const files = offeredFiles(db, {})
    .filter(isOffered)
    .flatMap((path) => fileAt(db, path) ?? []);
  const passing = (file: number): ReadonlySet<number> => handingOn(pathOf(db, file));
  return [...offeredSymbols(db, new Set(files), passing)].toSorted((a, b) => a - b);
}
