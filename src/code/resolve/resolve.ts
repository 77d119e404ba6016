import { setImmediate } from 'node:timers/promises';
import type { ExactNames } from '../refine/exact-names.ts';
import { ExactOverlay } from '../refine/exact-uses.ts';
import type { SymbolInput } from '../shard-input.ts';
import { createEvaluationOf } from './evaluations.ts';
import { findHeritage, groupFamilies, type Heritage } from './families.ts';
import { type FileUses, findUses, namesOfSymbols, type UseFinder } from './occurrences.ts';
import { languageGroup, type LanguageGroup, loadProgram, type Program, type ProgramFile } from './program.ts';
import { symbolRows } from './symbol-rows.ts';
import { buildSymbols, type SymbolTable } from './symbols.ts';

export interface ResolveInput {
  /** Every file of the commit in ascending order of path (`<`); those without facts keep their place. */
  files: readonly ProgramFile[];
  /** Texts of the configuration files, by path: see `isResolutionConfig`. */
  configs: ReadonlyMap<string, string>;
  /** What compilers know of these files, in the place of what is resolved here. */
  exact?: ExactNames | undefined;
  signal?: AbortSignal;
  /** Called now and then with the number of files that are done. */
  onProgress?: (done: number, total: number) => void;
}

/** What the names of one commit refer to. File and symbol ids are those of `ShardInput`. */
export interface Resolution {
  symbolCount: number;
  /** Uses in each file with facts. */
  uses: readonly (Pick<FileUses, 'occurrences' | 'nameOnly' | 'imports'> | undefined)[];
  /** Files with facts whose names lead on further than the stack goes: nothing is known of their uses. */
  unresolved: readonly number[];
  /** Groups of symbols that override or implement each other, ascending. */
  families: number[][];
  /** The symbols of a file, whose text gives the signatures and documentation. Empty for a file without facts. */
  symbols(file: number, text: string): SymbolInput[];
}

/** What one part of the files gives; parts are resolved apart from each other and in any order. */
export interface PartUses {
  uses: Map<number, FileUses>;
  heritage: Map<number, Heritage>;
}

/** How long resolution keeps the thread before others may run. */
const SLICE_MS = 50;

/** How often a finder is made anew after the stack ended; a circle that every file meets must not cost this each time. */
const MOST_RENEWALS = 16;

/** Whether resolution reads the text of a file: module maps of the languages. */
export function isResolutionConfig(path: string): boolean {
  return /(^|\/)(package\.json|[jt]sconfig[^/]*\.json|go\.mod|Cargo\.toml)$/.test(path);
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
  const program = loadProgram(files);
  const table = buildSymbols(program);
  const finders = new Finders(program, table, configs);
  const part: PartUses = { uses: new Map(), heritage: new Map() };
  const overlay = new ExactOverlay(program, table, input.exact ?? { files: new Map(), overrides: [] });
  const unresolved: number[] = [];
  let pauseAt = performance.now() + SLICE_MS;
  for (const unit of program.units) {
    if (unit === undefined) continue;
    const group = languageGroup(unit.facts.language);
    const finder = finders.of(group);
    try {
      const uses = findUses(finder, unit);
      part.heritage.set(unit.file, findHeritage(finder.on, table, unit));
      part.uses.set(unit.file, overlay.refine(unit, uses));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      unresolved.push(unit.file);
      finders.renew(group);
    }
    if (performance.now() < pauseAt) continue;
    onProgress?.(unit.file + 1, files.length);
    await setImmediate();
    signal?.throwIfAborted();
    pauseAt = performance.now() + SLICE_MS;
  }
  onProgress?.(files.length, files.length);
  const supers = new Map([...part.heritage.values()].flatMap((one) => [...one.supers]));
  return {
    symbolCount: table.count,
    uses: files.map((_, file) => part.uses.get(file)),
    unresolved,
    families: groupFamilies(table.count, [...pairsOf(part), ...overlay.overrides()]),
    symbols: (file, text) => symbolRows(program, table, { file, text }, supers),
  };
}

/** What finds the uses in each group of languages, made when its first file comes. */
class Finders {
  readonly #program: Program;
  readonly #table: SymbolTable;
  readonly #configs: ReadonlyMap<string, string>;
  readonly #made = new Map<LanguageGroup, UseFinder>();
  #renewals = 0;

  constructor(program: Program, table: SymbolTable, configs: ReadonlyMap<string, string>) {
    this.#program = program;
    this.#table = table;
    this.#configs = configs;
  }

  of(group: LanguageGroup): UseFinder {
    const known = this.#made.get(group);
    if (known !== undefined) return known;
    const [program, table] = [this.#program, this.#table];
    const on = createEvaluationOf(group, program, this.#configs);
    const finder = { program, table, on, symbolNames: namesOfSymbols(program, table, group) };
    this.#made.set(group, finder);
    return finder;
  }

  /** Forgets a finder that was interrupted: what it was in the middle of would look like known to the next file. */
  renew(group: LanguageGroup): void {
    this.#renewals += 1;
    if (this.#renewals <= MOST_RENEWALS) this.#made.delete(group);
  }
}

function* pairsOf({ uses, heritage }: PartUses): Generator<[number, number]> {
  for (const one of heritage.values()) yield* one.overrides;
  for (const one of uses.values()) yield* one.sameMember;
}
