import { isPublicPath } from '../classify/breaking.ts';
import { isPresent } from '../removals/find-removed-exports.ts';
import type { SymbolChange } from './compare-symbols.ts';
import { isCompatible } from './compatible.ts';
import type { ComparedFile } from './comparison.ts';

/** The group that a change affects: users of the library, or other files of the repository. */
type Reach = 'public' | 'repository';

/** Reason why a change of a symbol may break something. */
export interface Break {
  reach: Reach;
  reason: string;
  /** Other files that use the symbol, some of `users`. */
  usedIn: string[];
  users: number;
}

/** An exported name that a file handed on and does not any more; it declared no symbol of this name. */
export interface LostName {
  name: string;
  breakage: Break;
}

/** Users of a symbol according to the index or the texts. */
interface SymbolUsers {
  files: number;
  paths: readonly string[];
}

/** Lookups of facts about symbols. */
interface BreakFacts {
  /** Files whose exports are the interface of a package: see `isPublicPath`. */
  offered: ReadonlySet<string>;
  /** Files that use a symbol of a file, in the index; undefined where that does not have it. */
  usersOf: (path: string, qualified: string) => SymbolUsers | undefined;
}

/** Symbols of whose users the index is asked: what was exported and is gone or has another head, in code of the product. */
export function mayBreak({ rank, change }: ComparedFile, symbol: SymbolChange): boolean {
  const was = symbol.before ?? symbol.symbol;
  return (
    rank === 0 && change.status !== 'A' && (symbol.change === 'removed' || symbol.change === 'changed') && was.exported
  );
}

/** Returns what the changes of each file break, by symbol change, and the names that it does not re-export any more. */
export function findBreaks(
  files: readonly ComparedFile[],
  facts: BreakFacts,
): Map<ComparedFile, { bySymbol: Map<SymbolChange, Break>; lost: LostName[] }> {
  const gained = new Map<string, number>();
  for (const { ends } of files)
    for (const name of ends?.after.offered ?? [])
      if (ends?.before.offered.has(name) !== true) gained.set(name, (gained.get(name) ?? 0) + 1);
  const breaksByFile = new Map<ComparedFile, { bySymbol: Map<SymbolChange, Break>; lost: LostName[] }>();
  for (const file of files) {
    const bySymbol = new Map<SymbolChange, Break>();
    for (const symbol of file.symbols) {
      const breaks = mayBreak(file, symbol) ? breakOf(files, facts, { file, change: symbol }) : undefined;
      if (breaks !== undefined) bySymbol.set(symbol, breaks);
    }
    const lost = lostNames(file, facts.offered).filter((name) => !gained.has(name));
    breaksByFile.set(file, { bySymbol, lost: lost.map((name) => ({ name, breakage: lostBreak(files, file, name) })) });
  }
  return breaksByFile;
}

function breakOf(
  files: readonly ComparedFile[],
  { offered, usersOf }: BreakFacts,
  { file, change }: { file: ComparedFile; change: SymbolChange },
): Break | undefined {
  const { path, oldPath = path } = file.change;
  const { qualified, signature } = change.before ?? change.symbol;
  if (change.before !== undefined && isCompatible(path, signature, change.symbol.signature)) return undefined;
  const [top = qualified] = qualified.split('/');
  const where = change.change === 'removed' ? oldPath : path;
  // A member is reached through its type.
  const ofTop = usersOf(where, top) ?? namedIn(files, file, top);
  const users = top === qualified ? ofTop : (usersOf(where, qualified) ?? { files: 0, paths: [] });
  const entries = ofTop.paths.filter((user) => offered.has(user) && user !== where);
  const isOffered = isPublicPath(oldPath, offered) && file.ends?.before.offered.has(top) === true;
  if (!isOffered && entries.length === 0 && users.files === 0) return undefined;
  const isPublic = isOffered || entries.length > 0;
  const what = change.change === 'removed' ? 'removed' : 'signature changed';
  const through = isOffered ? '' : ` through ${entries[0]}`;
  const used = users.files === 0 ? '' : `${isPublic ? ', ' : ''}used in ${filesText(users.files)}`;
  return {
    reach: isPublic ? 'public' : 'repository',
    reason: `${what}; ${isPublic ? `public interface${through}` : ''}${used}`,
    usedIn: users.paths.slice(0, MOST_NAMED),
    users: users.files,
  };
}

/** Users that a reason names; all are counted. */
const MOST_NAMED = 5;

function lostBreak(files: readonly ComparedFile[], file: ComparedFile, name: string): Break {
  const users = namedIn(files, file, name.replace(/^\* of /, ''));
  return {
    reach: 'public',
    reason: 'no longer exported; public interface',
    usedIn: users.paths.slice(0, MOST_NAMED),
    users: users.files,
  };
}

/** Names that a public file offered and does not any more, without those of symbols that it declared itself. */
function lostNames({ change, ends, symbols }: ComparedFile, offered: ReadonlySet<string>): string[] {
  const { path, oldPath = path } = change;
  if (ends === undefined || !isPublicPath(oldPath, offered)) return [];
  const own = new Set(symbols.filter(({ change: kind }) => kind === 'removed').map(({ symbol }) => symbol.qualified));
  return [...ends.before.offered].filter((name) => !own.has(name) && !isPresent(ends.after, name, ends.before));
}

/** Other files of the product that changed too and had the name before: who used what is gone had to. */
function namedIn(files: readonly ComparedFile[], file: ComparedFile, name: string): SymbolUsers {
  const paths = files
    .filter((other) => other !== file && other.rank === 0 && other.words?.has(name) === true)
    .map(({ change }) => change.oldPath ?? change.path);
  return { files: paths.length, paths };
}

function filesText(count: number): string {
  return count === 1 ? '1 other file' : `${count} other files`;
}
