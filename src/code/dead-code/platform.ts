import { addToList } from '../../kernel/lists.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { definitionOf } from '../../languages/languages.ts';
import { rulesOf } from './conventions.ts';
import { holderOf, kindAt, type SymbolColumns } from './store-symbols.ts';
import type { TextClues } from './store-texts.ts';

/**
 * Names by which build tools choose files: values of GOOS and GOARCH, of Rust's `target_os` and `target_family`, the platforms
 * of React Native, and the usual names of runtimes. Words such as `server`, `client`, `other` or `stub` are none: in 70 repositories
 * files that differ by them were parts of one program, but for those of one package of Go, which are twins without them.
 */
const PLATFORMS: ReadonlySet<string> = new Set(
  (
    'aix android darwin dragonfly freebsd haiku hurd illumos ios ipados macos netbsd openbsd plan9 redox solaris tvos ' +
    'visionos wasi watchos windows linux unix posix win32 win msvc mingw cygwin apple bsd wasm wasip1 wasm32 wasm64 js jvm ' +
    'native nativescript web browser node deno bun worker edge electron 386 amd64 x86 x64 arm arm64 aarch64 ' +
    'mips mips64 mipsle mips64le ppc64 ppc64le riscv64 s390x loong64 sse2 avx2 neon'
  ).split(' '),
);

/** Definitions of which a build has one. */
export interface Twins {
  /** Of each symbol that has twins, they and itself. */
  of: ReadonlyMap<number, readonly number[]>;
}

/** Input that tells whether a build, a condition or a test chooses a symbol. */
interface JudgedFiles {
  files: readonly { id: number; path: string; language: string; test: number }[];
  symbols: SymbolColumns;
  clues: TextClues;
  twins: Twins;
  /** By file, 1 where its code uses something of another file or is used there. */
  joined: Uint8Array;
  textOf: (file: number) => string;
}

interface TwinFile {
  path: string;
  language: string;
}

/**
 * The path of a file without what chooses it: `list.ios.tsx`, `list.web.tsx` and `list.tsx` are one, as are
 * `sys/unix/pipe.rs` and `sys/windows/pipe.rs`.
 */
export function pathOfAnyPlatform(path: string): string {
  const folders = path.split('/');
  const words = (folders.pop() ?? '').split(/(?=[._-])/);
  const name = words.map((word, at) => {
    const isChoice = at < words.length - 1 && PLATFORMS.has(word.replace(/^[._-]/, '').toLowerCase());
    if (!isChoice) return word;
    return at === 0 ? '*' : '';
  });
  return [...folders.map((folder) => (PLATFORMS.has(folder.toLowerCase()) ? '*' : folder)), name.join('')].join('/');
}

/**
 * Finds definitions that stand for each other, of which a build takes one by platform or condition: those of one name and
 * kind in one file, in files that differ by a platform (`pathOfAnyPlatform`), in the files of one package where a package
 * has a name once, and in `choices`: files of which a manifest takes one. Overloads are no twins.
 */
export function findTwins(
  db: ShardDatabase,
  {
    files,
    symbols,
    choices,
  }: { files: readonly TwinFile[]; symbols: SymbolColumns; choices: ReadonlyMap<number, string> },
): Twins {
  const named = db.prepare('select id, qualified, parameters from symbol');
  named.setReturnArrays(true);
  const scopes = files.map(({ path, language }, id) => choices.get(id) ?? scopeOf(path, language));
  const groups = new Map<string, number[]>();
  for (const [symbol, qualified, parameters] of named.iterate() as unknown as Iterable<
    [number, string, string | null]
  >) {
    const scope = scopes[symbols.files[symbol] ?? 0];
    if (scope === undefined) continue;
    const isMember = holderOf(symbols, symbol) >= 0;
    const key = `${scope}\n${kindAt(symbols, symbol)} ${qualified} ${parameters ?? ''} ${isMember}`;
    addToList(groups, key, symbol);
  }
  const of = new Map<number, readonly number[]>();
  for (const group of groups.values()) if (group.length > 1) for (const symbol of group) of.set(symbol, group);
  return { of };
}

/** Counts what uses one of some twins for all of them. */
export function shareUses({ references }: SymbolColumns, { of }: Twins): void {
  for (const group of new Set(of.values())) {
    const total = group.reduce((sum, symbol) => sum + (references[symbol] ?? 0), 0);
    for (const symbol of group) references[symbol] = total;
  }
}

function scopeOf(path: string, language: string): string {
  const any = pathOfAnyPlatform(path);
  if (definitionOf(path)?.packsFolders !== true) return `${language} ${any}`;
  const isTest = /_test\.\w+$/.test(path);
  return `${language} ${isTest} ${any.slice(0, any.lastIndexOf('/') + 1)}`;
}

/** Reason to doubt that a symbol is dead because of its file, whatever the symbol is. */
export function doubtOfFile(judging: JudgedFiles, symbol: number): string | undefined {
  const { files, symbols, joined } = judging;
  const id = symbols.files[symbol] ?? 0;
  if (isChosen(judging, symbol)) return 'another build or condition may take it';
  if (files[id]?.test === 1 && joined[id] !== 1)
    return 'its file is beside tests and stands alone, so they may read it as data';
  return undefined;
}

/** True if a platform, a setting of the build or a condition decides that a symbol is there. */
function isChosen({ files, symbols, clues, twins, textOf }: JudgedFiles, symbol: number): boolean {
  const file = files[symbols.files[symbol] ?? 0];
  if (file === undefined) return false;
  if (twins.of.has(symbol) || clues.choices.has(file.id)) return true;
  if (clues.conditional.some((path) => file.path.startsWith(path))) return true;
  const isConditional = rulesOf(file.language)?.isConditional;
  const line = (symbols.lines[symbol] ?? 1) - 1;
  const isMember = holderOf(symbols, symbol) >= 0;
  return isConditional?.({ path: file.path, lines: textOf(file.id).split('\n'), line, isMember }) === true;
}
