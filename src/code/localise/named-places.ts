import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { LANGUAGES } from '../../languages/languages.ts';
import { symbolsOf, testFlags, TextReader } from '../files/store-files.ts';
import { filesMeant } from '../files/store-paths.ts';
import { isManifest, readManifest } from '../map/manifests.ts';
import { isNamedEverywhere, pathFacts } from './path-features.ts';
import { fileOfSymbol } from '../symbols/store-symbols.ts';
import { functionsNamed } from './named-symbols.ts';
import { wordsOf } from '../../text/words.ts';

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
function ownPath(db: ShardDatabase, path: string): OwnPath | undefined {
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

const BUILT = LANGUAGES.flatMap(({ built }) => built ?? []);
const ENDING = /\.\w+$/;

/**
 * The files from which the one at a path may be built: those with the longest end of it, whatever its folder of output and
 * its ending are. `dist/utils/mail.js` is `src/utils/mail.ts`, else a `mail.ts` elsewhere. No declarations, no tests.
 */
function sourcesOf(db: ShardDatabase, path: string, folder = ''): number[] {
  const made = BUILT.find(({ output }) => output.test(path));
  if (made === undefined) return [];
  const parts = path.replace(ENDING, '').split('/');
  const isTest = testFlags(db);
  const facts = pathFacts(db);
  const sources = (filesByStem(db).get(parts.at(-1) ?? '') ?? []).filter((file) => {
    const at = facts[file]?.path ?? '';
    return isTest[file] !== 1 && made.source.test(at) && (folder === '' || at.startsWith(`${folder}/`));
  });
  for (let from = 0; from < parts.length; from += 1) {
    const end = `/${parts.slice(from).join('/')}`;
    const matches = sources.filter((file) => `/${facts[file]?.path.replace(ENDING, '')}`.endsWith(end));
    if (matches.length > 0) return matches;
  }
  return [];
}

/**
 * The one of several files that a frame means: that which has its function, else that with most folders of its path. None
 * when these do not tell them apart.
 */
function fileOfFrame(
  db: ShardDatabase,
  files: readonly number[],
  { path, symbol = '' }: { path: string; symbol?: string | undefined },
): number | undefined {
  if (files.length < 2) return files[0];
  const defining = files.filter((file) => definesFunction(db, file, symbol));
  const remaining = defining.length > 0 ? defining : files;
  const folders = new Set(path.split('/'));
  const facts = pathFacts(db);
  const shared = (file: number): number =>
    (facts[file]?.path ?? '').split('/').filter((folder) => folders.has(folder)).length;
  const most = Math.max(...remaining.map(shared));
  const [file, other] = remaining.filter((candidate) => shared(candidate) === most);
  return other === undefined ? file : undefined;
}

/** True if a built file is surely made from one: not when both have a name that files in other folders have too. */
function isSurely(
  db: ShardDatabase,
  file: number,
  { path, symbol = '' }: { path: string; symbol?: string | undefined },
): boolean {
  const [folder, name = ''] = path.replace(ENDING, '').split('/').slice(-2);
  const source = pathFacts(db)[file]?.path.split('/').at(-2);
  return !isNamedEverywhere(name) || folder === source || definesFunction(db, file, symbol);
}

/** True if a file has a symbol with the name of the function of a frame. */
function definesFunction(db: ShardDatabase, file: number, symbol: string): boolean {
  const name = wordsOf(symbol, 'asciiName').at(-1);
  if (name === undefined) return false;
  const { first, end } = symbolsOf(db, file);
  const query =
    'select 1 from symbol s join name n on n.id = s.name where s.id >= ? and s.id < ? and n.text = ? limit 1';
  return db.prepare(query).get(first, end, name) !== undefined;
}

/** The files of each name without its ending; made once for an open shard. */
function filesByStem(db: ShardDatabase): ReadonlyMap<string, readonly number[]> {
  return db.derived('files_by_stem', () =>
    Map.groupBy(pathFacts(db).keys(), (file) =>
      (pathFacts(db)[file]?.path ?? '').replace(/^.*\//, '').replace(ENDING, ''),
    ),
  );
}

/** Folders of a path that are left off at its beginning: `/usr/lib/python3/site-packages/shop/mail.py`. */
const MOST_FOLDERS = 16;
/** A name that more files have points at none. */
const MOST_MEANT = 4;

/**
 * The files that a path of a trace means: those with the longest end of it, as traces have the paths of the machine that
 * wrote them. None when more than four may be meant, or when the path is in a package of others.
 */
export function filesOfTrace(db: ShardDatabase, path: string): number[] {
  const own = ownPath(db, path);
  const files = own === undefined ? [] : (own.files ?? filesAtEnd(db, own.path));
  return files.length <= MOST_MEANT ? files : [];
}

function filesAtEnd(db: ShardDatabase, path: string): number[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  const last = Math.min(parts.length, MOST_FOLDERS);
  for (let from = 0; from < last; from += 1) {
    const files = filesMeant(db, parts.slice(from).join('/'));
    if (files.length > 0) return files;
  }
  return [];
}

/** A line of a trace. */
interface TraceFrame {
  path: string;
  line?: number | undefined;
  symbol?: string | undefined;
}

/** A frame whose file is in the index. */
export interface FrameLocation {
  file: number;
  /** None in a file from which the one of the trace was built. */
  line: number | undefined;
  symbol: string | undefined;
}

/** The frames that are code of this repository, in their order: libraries and tests are left out. */
export function ownFrames(db: ShardDatabase, frames: readonly TraceFrame[]): FrameLocation[] {
  const isTest = testFlags(db);
  return frames.flatMap((frame) => {
    const files = filesOfTrace(db, frame.path).filter((file) => isTest[file] !== 1);
    const file = fileOfFrame(db, files, frame);
    if (file !== undefined) {
      const moved = movedFunction(db, file, frame.symbol);
      return [moved ?? { file, line: frame.line, symbol: frame.symbol }];
    }
    const source = files.length > 0 ? undefined : sourceOf(db, frame);
    return source === undefined ? [] : [{ file: source, line: undefined, symbol: frame.symbol }];
  });
}

/**
 * Path and line of each frame whose file is in the index, by position; undefined for others, and without a line where the frame
 * is of a built file or its function has moved.
 */
export function resolveFrames(
  db: ShardDatabase,
  { frames }: { frames: readonly TraceFrame[] },
): ({ path: string; line: number | undefined } | undefined)[] {
  const facts = pathFacts(db);
  return frames.map((frame) => {
    const [location] = ownFrames(db, [frame]);
    return location && { path: facts[location.file]?.path ?? '', line: location.line };
  });
}

/**
 * Current location of the function of a frame, when it is no longer in its file and only one other outside of tests has its
 * name.
 */
function movedFunction(db: ShardDatabase, file: number, symbol: string | undefined): FrameLocation | undefined {
  if (symbol === undefined || definesFunction(db, file, symbol)) return undefined;
  const [candidate, other] = functionsNamed(db, symbol);
  return candidate === undefined || other !== undefined
    ? undefined
    : { file: fileOfSymbol(db, candidate), line: undefined, symbol };
}

/** The file from which that of a frame was built. */
function sourceOf(db: ShardDatabase, frame: TraceFrame): number | undefined {
  const own = ownPath(db, frame.path);
  const file = own && fileOfFrame(db, sourcesOf(db, own.path, own.folder), frame);
  return file !== undefined && isSurely(db, file, frame) ? file : undefined;
}
