import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { termsOf } from '../../kernel/terms.ts';

/** Names of files that say nothing about what is in them. */
const EVERYWHERE = /^(?:index|main|util|helper|mod|lib|init|type|core|base|common)$/;
/** Trees that show or measure the code and are not what runs. */
const BESIDE =
  /(?:^|\/)_?(?:docs?|documentation|website|examples?|samples?|demos?|playgrounds?|bench(?:es|marks?)?|fixtures?|t|testing|test-?suites?|integration|e2e|[\w-]+-tests?)\//i;
/** Files that build, check or release the code. */
const TOOLING = /(?:^|\/)\.|^(?:scripts?|tools?|build|hack|ci|extras?)\/|\.config\.[cm]?[jt]s$/;
/** Types without code: nothing in them runs. */
const DECLARATIONS = /\.d\.[cm]?ts$/;
const TEXT = /\.(?:md|mdx|rst|txt|adoc|json|ya?ml|toml|xml|html?|css|scss|lock|cfg|ini|svg)$/i;

/** What a path says about a file, whatever is asked. */
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
    const rows = db.prepare('select path, symbols, language, generated from file order by id').all() as {
      path: string;
      symbols: number;
      language: string;
      generated: number;
    }[];
    return rows.map(({ path, symbols, language, generated }) => {
      const name = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
      const isText = TEXT.test(path) || generated === 1 || (language === '' && symbols === 0);
      return {
        path,
        stem: termsOf(name).filter((term) => !EVERYWHERE.test(term)),
        beside: Number(BESIDE.test(path)),
        tooling: Number(TOOLING.test(path)),
        text: Number(isText),
        declarations: Number(DECLARATIONS.test(path)),
      };
    });
  });
}

/** File ids by path; made once for an open shard. */
export function fileIds(db: ShardDatabase): ReadonlyMap<string, number> {
  return db.derived('file_by_path', () => new Map(pathFacts(db).map(({ path }, file) => [path, file])));
}

/** Whether a file, by its name without ending, is called as files of other folders are: `index`, `utils`. */
export function isNamedEverywhere(name: string): boolean {
  return termsOf(name).every((term) => EVERYWHERE.test(term));
}

/** The part of the terms that a text has. */
export function shareOf(terms: readonly string[], having: ReadonlySet<string>): number {
  return terms.length === 0 ? 0 : terms.filter((term) => having.has(term)).length / terms.length;
}
