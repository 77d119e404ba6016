import { groupOf, type LanguageGroup, listVisibleGroups } from '../../languages/languages.ts';
import { setImmediate } from 'node:timers/promises';
import type { ExactNames } from '../program/exact-names.ts';
import { ExactOverlay } from './exact-uses.ts';
import type { SymbolInput } from '../format/shard-input.ts';
import { createEvaluationOf } from '../evaluation/evaluations.ts';
import { findHeritage, groupFamilies, type Heritage } from './families.ts';
import { markHeritage } from './heritage-uses.ts';
import { type FileUses, findUses, type UseFinder } from './occurrences.ts';
import { foldersOfPackages } from '../names/workspaces.ts';
import type { Program, ProgramFile } from '../program/program.ts';
import { symbolRows } from '../program/symbol-rows.ts';
import { type LoadedProgram, loadSymbols, type SymbolTable } from '../program/symbols.ts';
import type { Unit } from '../program/unit.ts';

interface ResolveInput {
  /** Every file of the commit in ascending order of path (`<`); those without facts keep their place. */
  files: readonly ProgramFile[];
  /** Texts of the configuration files, by path: see `isResolutionConfig`. */
  configs: ReadonlyMap<string, string>;
  /** Names of these files as compilers resolve them, in place of what is resolved here. */
  exact?: ExactNames | undefined;
  signal?: AbortSignal;
  /** Called now and then with the number of files that are done. */
  onProgress?: (done: number, total: number) => void;
}

/** References of the names of one commit. File and symbol ids are those of `ShardInput`. */
export interface Resolution {
  symbolCount: number;
  /** Links of each file with facts. */
  uses: readonly (FileLinks | undefined)[];
  /** Files with facts whose names lead on further than the stack goes: nothing is known of their uses. */
  unresolved: readonly number[];
  /** Groups of symbols that override or implement each other, ascending. */
  families: number[][];
  /** The symbols of a file, whose text gives the signatures and documentation. Empty for a file without facts. */
  symbols(file: number, text: string): SymbolInput[];
  /** Forgets the links and the facts of a file that nobody asks for again. */
  release(file: number): void;
}

/** References of the names of one file. */
export interface FileLinks extends Pick<FileUses, 'occurrences' | 'nameOnly' | 'imports'> {
  /** Symbols that a symbol of the file extends or implements. */
  supers: ReadonlyMap<number, readonly number[]>;
  /** Pairs of symbols, one after the other, that the file makes members of one family. */
  familyPairs: Int32Array;
}

/** Input of resolution. */
interface ResolutionInput {
  program: Program;
  table: SymbolTable;
  configs: ReadonlyMap<string, string>;
  /**
   * Returns the flags of names that symbols have, see `UseFinder`. Called once for each group that a resolved file belongs to.
   */
  symbolNames: (group: LanguageGroup) => Uint8Array;
}

/** Longest time that resolution holds the thread before others may run. */
const SLICE_MS = 50;

/** Most times that a finder is made anew after the stack ended; a cycle that every file meets must not cost this each time. */
const MOST_RENEWALS = 16;

/** True if resolution reads the text of a file: module maps of the languages. */
export function isResolutionConfig(path: string): boolean {
  return /(^|\/)(package\.json|[jt]sconfig[^/]*\.json|go\.mod|Cargo\.toml|[^/]+\.csproj)$/.test(path);
}

/**
 * Resolves every name of a commit: about 0.3 s for 100,000 lines in one thread, and memory of about the facts twice. The
 * answer depends on the files and their order only.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function resolveProgram(input: ResolveInput): Promise<Resolution> {
  const { files, configs, signal, onProgress } = input;
  signal?.throwIfAborted();
  const loaded = loadSymbols(files);
  const { program, table } = loaded;
  const symbolNames = (group: LanguageGroup): Uint8Array => namesOfSymbols(loaded, group);
  const exact = input.exact ?? { files: new Map(), overrides: [] };
  const overlay = new ExactOverlay(program, table, exact, foldersOfPackages(configs));
  const { links, unresolved } = await resolveFiles({ program, table, configs, symbolNames }, files.keys(), {
    refine: (unit, uses) => overlay.refine(unit, uses),
    ...(signal && { signal }),
    onProgress: (file) => onProgress?.(file + 1, files.length),
  });
  onProgress?.(files.length, files.length);
  const supers = new Map([...links.values()].flatMap((link) => [...link.supers]));
  const uses = linksByFile(links, files.length);
  const families = groupFamilies(table.count, [...pairsOf(links.values()), ...overlay.overrides()]);
  return {
    symbolCount: table.count,
    uses,
    unresolved,
    families,
    symbols: (file, text) => symbolRows(program, table, { file, text }, supers),
    release: (file) => {
      uses[file] = undefined;
      program.units[file] = undefined;
    },
  };
}

/** No closure may hold the map: it would hold the links of files that are released. */
function linksByFile(links: ReadonlyMap<number, FileLinks>, files: number): (FileLinks | undefined)[] {
  return Array.from({ length: files }, (_, file) => links.get(file));
}

/** Resolves the names of some files of a program. Files without facts have no links. */
export async function resolveFiles(
  input: ResolutionInput,
  files: Iterable<number>,
  run: { refine?: (unit: Unit, uses: FileUses) => FileUses; signal?: AbortSignal; onProgress?: (file: number) => void },
): Promise<{ links: Map<number, FileLinks>; unresolved: number[] }> {
  const { program, table } = input;
  const finders = new Finders(input);
  const links = new Map<number, FileLinks>();
  const unresolved: number[] = [];
  let pauseAt = performance.now() + SLICE_MS;
  for (const file of files) {
    const unit = program.units[file];
    if (unit === undefined) continue;
    const group = groupOf(unit.facts.language);
    const finder = finders.of(group);
    try {
      const uses = findUses(finder, unit);
      const heritage = findHeritage(finder.on, table, unit);
      const refined = run.refine?.(unit, uses) ?? uses;
      const occurrences = markHeritage(unit, table, refined.occurrences, heritage);
      links.set(file, linksOf({ ...refined, occurrences }, heritage));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      unresolved.push(file);
      finders.renew(group);
    }
    if (performance.now() < pauseAt) continue;
    run.onProgress?.(file);
    await setImmediate();
    run.signal?.throwIfAborted();
    pauseAt = performance.now() + SLICE_MS;
  }
  return { links, unresolved };
}

function linksOf({ occurrences, nameOnly, imports, sameMember }: FileUses, { supers, overrides }: Heritage): FileLinks {
  return { occurrences, nameOnly, imports, supers, familyPairs: Int32Array.from([...overrides, ...sameMember].flat()) };
}

/** Finders of the uses in each group of languages, made when the first file of the group comes. */
class Finders {
  readonly #scope: ResolutionInput;
  readonly #made = new Map<LanguageGroup, UseFinder>();
  #renewals = 0;

  constructor(input: ResolutionInput) {
    this.#scope = input;
  }

  of(group: LanguageGroup): UseFinder {
    const existing = this.#made.get(group);
    if (existing !== undefined) return existing;
    const { program, table, configs, symbolNames } = this.#scope;
    const on = createEvaluationOf(group, program, configs);
    const finder = { program, table, on, symbolNames: symbolNames(group) };
    this.#made.set(group, finder);
    return finder;
  }

  /** Forgets a finder that was interrupted: what it was in the middle of would look like known to the next file. */
  renew(group: LanguageGroup): void {
    this.#renewals += 1;
    if (this.#renewals <= MOST_RENEWALS) this.#made.delete(group);
  }
}

/** The pairs of symbols that files make members of one family. */
export function* pairsOf(links: Iterable<Pick<FileLinks, 'familyPairs'>>): Generator<[number, number]> {
  for (const { familyPairs } of links)
    for (let at = 0; at < familyPairs.length; at += 2) yield [familyPairs[at] ?? 0, familyPairs[at + 1] ?? 0];
}

/** Names of the symbols of one group of languages: what only the name suggests is kept for these. */
function namesOfSymbols({ program, table, spellings }: LoadedProgram, group: LanguageGroup): Uint8Array {
  const names = new Uint8Array(program.names.size);
  const groups = listVisibleGroups(group);
  for (const [file, own] of program.groups.entries()) {
    if (own === undefined || !groups.has(own)) continue;
    for (let symbol = table.firstOf[file] ?? 0; symbol < (table.firstOf[file + 1] ?? 0); symbol += 1) {
      const spelling = spellings[symbol] ?? 0;
      const name = spelling >> 1;
      names[name] = (names[name] ?? 0) | ((spelling & 1) === 1 ? 1 : 3);
    }
  }
  return names;
}
