import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { LANGUAGES } from '../../languages/languages.ts';
import { TextReader } from '../files/store-files.ts';
import { filesMeant } from '../files/store-paths.ts';
import { isManifest, readManifest } from '../map/manifests.ts';
import { pathFacts } from './path-features.ts';

const FORMS = LANGUAGES.flatMap(({ installed }) => installed ?? []);
/** Lines of a manifest that are read, and manifests. */
const MOST_LINES = 400;
const MOST_READ = 200;

/** A path of a trace that may be of this repository. */
interface OwnPath {
  /** Without the folders in which a package manager put it. */
  path: string;
  /** The folder of the package that it is of, '' for the root; undefined when no package is named. */
  folder?: string;
  /** The files that it means, where these are known already. */
  files?: number[];
}

/**
 * Path in this repository that a path of a trace means: undefined for the file of a package that is another one's. A package is
 * of this repository when one of its manifests has the name, or, where packages are imported by other names than these, when
 * the whole path in the package is in the index.
 */
export function ownPath(db: ShardDatabase, path: string): OwnPath | undefined {
  const groups = FORMS.map((form) => form.exec(path)?.groups).find((group) => group !== undefined);
  if (groups === undefined) return { path };
  const { all = '', name, module = '', path: inside = '' } = groups;
  const copied = filesMeant(db, path.slice(path.lastIndexOf(`${all}/`)));
  if (copied.length > 0) return { path, files: copied };
  const folder = packageFolders(db).get(plainName(name ?? module));
  if (folder !== undefined) return { path: inside, folder };
  const files = name === undefined ? filesMeant(db, inside) : [];
  return files.length > 0 ? { path: inside, files } : undefined;
}

/** The folders of the packages of a repository, by their names. */
function packageFolders(db: ShardDatabase): ReadonlyMap<string, string> {
  return db.derived('package_folders', () => {
    const texts = new TextReader(db);
    const manifests = pathFacts(db)
      .map(({ path }, id) => ({ id, path }))
      .filter(({ path }) => isManifest(path))
      .slice(0, MOST_READ)
      .flatMap(({ id, path }) => readManifest(path, texts.lines(id, 1, MOST_LINES).join('\n')) ?? []);
    return new Map(manifests.map(({ name, folder }) => [plainName(name), folder]));
  });
}

/** Python takes `-` and `_` for the same, and Go's cache writes `!a` for `A`. */
function plainName(name: string): string {
  return name
    .replaceAll(/!(?=[a-z])/g, '')
    .replaceAll('_', '-')
    .toLowerCase();
}
