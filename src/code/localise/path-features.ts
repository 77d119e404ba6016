import { baseName } from '../../kernel/paths.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { termsOf } from '../../text/terms.ts';
import { isPathOf } from '../../kernel/path-kinds.ts';

/** Names of files that say nothing about what is in them. */
const EVERYWHERE = /^(?:index|main|util|helper|mod|lib|init|type|core|base|common)$/;
/** Tokens from which on two files with the same ones are copies. */
const LEAST_COPIED = 40;
/** Types without code: nothing in them runs. */
const DECLARATIONS = /\.d\.[cm]?ts$/;
const TEXT = /\.(?:md|mdx|rst|txt|adoc|json|ya?ml|toml|xml|html?|css|scss|lock|cfg|ini|svg)$/i;

/** Facts about a file from its path, whatever the question. */
interface PathFacts {
  path: string;
  /** Terms of the name of the file, those left out that are the names of files everywhere. */
  stem: readonly string[];
  /** 1 where it holds, else 0. */
  beside: number;
  tooling: number;
  /** Prose, data, and what is built out of the sources: nobody mends a fault there. */
  text: number;
  declarations: number;
}

/** The facts of all files by id; made once for an open shard. */
export function pathFacts(db: ShardDatabase): readonly PathFacts[] {
  return db.derived('localise_paths', () => {
    const copies = findCopies(db);
    const rows = db.prepare('select id, path, symbols, language, generated from file order by id').all() as {
      id: number;
      path: string;
      symbols: number;
      language: string;
      generated: number;
    }[];
    return rows.map(({ id, path, symbols, language, generated }) => {
      const name = baseName(path).replace(/\..*$/, '');
      const isText = TEXT.test(path) || generated === 1 || (language === '' && symbols === 0);
      return {
        path,
        stem: termsOf(name).filter((term) => !EVERYWHERE.test(term)),
        beside: Number(isPathOf('besideCode', path) || copies.has(id)),
        tooling: Number(isPathOf('tooling', path)),
        text: Number(isText),
        declarations: Number(DECLARATIONS.test(path)),
      };
    });
  });
}

/**
 * Files with the same code as another one, which more files depend on: old copies, and twins for another platform. Of equals
 * the first that is not beside the code stays.
 */
function findCopies(db: ShardDatabase): ReadonlySet<number> {
  const rows = db
    .prepare(
      `select s.hash, f.id, f.path, coalesce(length(e.depended_by), 0) as used from structure s
         join file f on f.id = s.file left join file_edge e on e.file = f.id
        where s.tokens >= ? and s.hash in (select hash from structure group by hash having count(*) > 1)
        order by f.id`,
    )
    .all(LEAST_COPIED) as { hash: number; id: number; path: string; used: number }[];
  const copies = new Set<number>();
  for (const group of Map.groupBy(rows, ({ hash }) => hash).values()) {
    const [, ...others] = group.toSorted(
      (a, b) =>
        Number(isPathOf('besideCode', a.path)) - Number(isPathOf('besideCode', b.path)) ||
        b.used - a.used ||
        a.id - b.id,
    );
    for (const { id } of others) copies.add(id);
  }
  return copies;
}

/** File ids by path; made once for an open shard. */
export function fileIds(db: ShardDatabase): ReadonlyMap<string, number> {
  return db.derived('file_by_path', () => new Map(pathFacts(db).map(({ path }, file) => [path, file])));
}

/** True if a file, by its name without ending, is called as files of other folders are: `index`, `utils`. */
export function isNamedEverywhere(name: string): boolean {
  return termsOf(name).every((term) => EVERYWHERE.test(term));
}

/** The part of the terms that a text has. */
export function shareOf(terms: readonly string[], having: ReadonlySet<string>): number {
  return terms.length === 0 ? 0 : terms.filter((term) => having.has(term)).length / terms.length;
}
