import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { LANGUAGES } from '../../languages/languages.ts';
import { symbolsOf, testFlags } from '../files/store-files.ts';
import { isNamedEverywhere, pathFacts } from './path-features.ts';

const BUILT = LANGUAGES.flatMap(({ built }) => built ?? []);
const ENDING = /\.\w+$/;

/**
 * The files from which the one at a path may be built: those with the longest end of it, whatever its folder of output and
 * its ending are. `dist/utils/mail.js` is `src/utils/mail.ts`, else a `mail.ts` elsewhere. No declarations, no tests.
 */
export function sourcesOf(db: ShardDatabase, path: string, folder = ''): number[] {
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
export function fileOfFrame(
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
export function isSurely(
  db: ShardDatabase,
  file: number,
  { path, symbol = '' }: { path: string; symbol?: string | undefined },
): boolean {
  const [folder, name = ''] = path.replace(ENDING, '').split('/').slice(-2);
  const source = pathFacts(db)[file]?.path.split('/').at(-2);
  return !isNamedEverywhere(name) || folder === source || definesFunction(db, file, symbol);
}

/** True if a file has a symbol with the name of the function of a frame. */
export function definesFunction(db: ShardDatabase, file: number, symbol: string): boolean {
  const name = symbol.match(/[\w$]+/g)?.at(-1);
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
