import type { FactsCache } from '../extract/facts-cache.ts';
import type { FileFacts } from '../../languages/facts/facts.ts';
import { groupOf, listVisibleGroups, type LanguageGroup, languageOf, type Parser } from '../../languages/languages.ts';
import { createEvaluationOf } from '../evaluation/evaluations.ts';
import { unpackIds } from '../format/store-codec.ts';
import type { BaseFile, BaseShard } from './base-shard.ts';
import type { Layout, PlannedFile } from './layout.ts';
import type { LazyProgram } from './lazy-program.ts';
import { type ImportingFiles, importingFiles } from './importing-files.ts';
import { Mentions } from './mentions.ts';
import { otherSymbolNames } from './symbol-names.ts';
import { type VisibleNames, visibleNames } from './visible-names.ts';

/** Files whose names are those of their folder, and names that modules have without writing them. */
const FOLDER_FILES = /^(index|main|mod|lib|__init__)$/;
const UNWRITTEN: ReadonlySet<string> = new Set(['default', '=', '*', '']);

/** A group of which more files than this share are affected is resolved whole. */
const MOST_AFFECTED = 0.5;

/** Input of the search for affected files. */
interface AffectedParts {
  base: BaseShard;
  cache: FactsCache;
  layout: Layout;
  /** The texts that say where modules are. */
  configs: ReadonlyMap<string, string>;
}

/** The files whose names may mean something else now, with those that changed themselves; by new id. */
export function affectedFiles(parts: AffectedParts, lazy: LazyProgram): Set<number> {
  const changes = changesOf(parts);
  const files = new Set<number>();
  const groups = new Set<LanguageGroup>();
  for (const { before, after } of changes) {
    for (const group of [groupOf(before?.parser || undefined), groupOf(after?.source?.file.language.parser)])
      if (group !== undefined) for (const visible of listVisibleGroups(group)) groups.add(visible);
  }
  const arePathsOther = changes.some(({ before, after }) => before === undefined || after === undefined);
  for (const group of new Set(lazy.program.groups)) {
    if (group === undefined) continue;
    const isAffected = arePathsOther || groups.has(group);
    const affected = isAffected ? affectedOf(group, changes, parts, lazy) : [];
    for (const file of affected) files.add(file);
  }
  return files;
}

/** A path whose file is not what it was. */
interface Change {
  path: string;
  before?: BaseFile;
  after?: PlannedFile;
}

function changesOf({ base, layout }: AffectedParts): Change[] {
  const before = new Map(
    base.files.filter(({ id }) => (layout.unchangedTo[id] ?? -1) < 0).map((file) => [file.path, file]),
  );
  const after = new Map(layout.files.filter(({ source }) => source !== undefined).map((file) => [file.path, file]));
  return [...new Set([...before.keys(), ...after.keys()])].map((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    return { path, ...(old && { before: old }), ...(now && { after: now }) };
  });
}

/** The affected files of one group: all of it when names alone do not tell. */
function affectedOf(
  group: LanguageGroup,
  changes: readonly Change[],
  parts: AffectedParts,
  lazy: LazyProgram,
): Iterable<number> {
  const all = [...lazy.program.groups.keys()].filter((file) => lazy.program.groups[file] === group);
  const { resolvesByName, seesByImport } = languageOf(group);
  if (resolvesByName !== true || changes.some((change) => isVisibleEverywhere(change, group))) return all;
  const mentions = new Mentions(parts.base);
  const means = seesByImport === true ? specifiersOf(group, parts, lazy) : undefined;
  const seeing = means && importingFiles(filesOf(changes), { ...parts, mentions, means });
  const changed: ChangedNames = {
    group,
    parts,
    names: new Set(),
    importedBy: new Set(),
    isByImport: seeing !== undefined,
  };
  const isComplete = changes.every((change) => collectNames(change, changed));
  const others = otherSymbolNames(group, parts, lazy);
  const spread = new Spread({ parts, lazy, all, mentions, seeing });
  spread.start(changes, changed.importedBy);
  if (seeing === undefined) return isComplete && spread.run([...changed.names, ...others]) ? spread.files : all;
  if (!isComplete) spread.affectSeeing();
  return spread.run(changed.names) && spread.addMentioning(others) ? spread.files : all;
}

function filesOf(changes: readonly Change[]): { files: number[]; added: string[] } {
  const added = changes.filter(({ before, after }) => before === undefined && after !== undefined);
  return { files: changes.flatMap(({ before }) => before?.id ?? []), added: added.map(({ path }) => path) };
}

/** Returns the test of whether a specifier of a file that stays means a path now. */
function specifiersOf(
  group: LanguageGroup,
  { layout, configs }: AffectedParts,
  { program }: LazyProgram,
): (specifier: string, file: number, path: string) => boolean {
  const { names } = createEvaluationOf(group, program, configs);
  return (specifier, file, path) => {
    const to = layout.unchangedTo[file] ?? -1;
    const unit = program.groups[to] === group ? program.units[to] : undefined;
    return unit !== undefined && names.module(unit, specifier) === program.fileIds.get(path);
  };
}

/** Result of a search for changed names. */
interface ChangedNames {
  group: LanguageGroup;
  parts: AffectedParts;
  names: Set<string>;
  /** Old files of which something is imported without writing its name, or that are gone. */
  importedBy: Set<number>;
  /** The files that may import a path are known: its name tells nothing more. */
  isByImport: boolean;
}

/** Adds the names that are not what they were. False when that cannot be decided. */
function collectNames({ path, before, after }: Change, changed: ChangedNames): boolean {
  const { group, parts, names, importedBy, isByImport } = changed;
  const modules = (): string[] => (isByImport ? [] : moduleNames(path, parts));
  if (before !== undefined && after === undefined) importedBy.add(before.id);
  if (before === undefined || after === undefined) for (const name of modules()) names.add(name);
  if (names.has(AMBIGUOUS)) return false;
  if (!parsersOf({ before, after }).some((parser) => groupOf(parser) === group)) return true;
  const [old, now] = [oldNames(before, parts.cache), newNames(after?.source?.file.facts)];
  if (old === undefined || (before !== undefined && after !== undefined && old.whole !== now.whole)) return false;
  if ((before === undefined || after === undefined) && (old.whole + now.whole).split('\n').length > 2) return false;
  for (const name of new Set([...old.names.keys(), ...now.names.keys()])) {
    if (old.names.get(name)?.text === now.names.get(name)?.text) continue;
    names.add(name);
    if (!UNWRITTEN.has(name)) continue;
    if (before !== undefined) importedBy.add(before.id);
    for (const module of modules()) names.add(module);
  }
  return isByImport || !names.has(AMBIGUOUS);
}

/** Stands for names that are not known. */
const AMBIGUOUS = '';

/** The names by which other files may import a path. */
function moduleNames(path: string, { base }: AffectedParts): string[] {
  const parts = path.split('/');
  const stem = (parts.at(-1) ?? '').replace(/\..*$/, '');
  const folder = parts.slice(0, -1).join('/');
  const isExistingFolder = base.files.some((file) => file.path !== path && file.path.startsWith(`${folder}/`));
  if (stem === '__init__' || (FOLDER_FILES.test(stem) && isExistingFolder)) return [AMBIGUOUS];
  // A folder that comes or goes is a module itself in some languages.
  return isExistingFolder ? [stem] : [stem, ...parts.slice(0, -1)];
}

const NO_NAMES: VisibleNames = { names: new Map(), whole: '' };

function oldNames(before: BaseFile | undefined, cache: FactsCache): VisibleNames | undefined {
  if (before === undefined || before.parser === '') return NO_NAMES;
  const cached = cache.read(before.blob, before.parser);
  return cached === undefined || !('facts' in cached) ? undefined : visibleNames(cached.facts);
}

function newNames(facts: FileFacts | undefined): VisibleNames {
  return facts === undefined ? NO_NAMES : visibleNames(facts);
}

interface SpreadParts {
  parts: AffectedParts;
  lazy: LazyProgram;
  all: readonly number[];
  mentions: Mentions;
  /** The files that see what changed; any file may when absent. */
  seeing: ImportingFiles | undefined;
}

/** Follows names from file to file: a file that mentions one is affected, and what it makes from it is another name. */
class Spread {
  readonly files = new Set<number>();
  readonly #parts: AffectedParts;
  readonly #lazy: LazyProgram;
  readonly #all: ReadonlySet<number>;
  readonly #mentions: Mentions;
  readonly #seeing: ImportingFiles | undefined;
  /** Names that are made from a name, in the affected files. */
  readonly #madeFrom = new Map<string, Set<string>>();

  constructor({ parts, lazy, all, mentions, seeing }: SpreadParts) {
    this.#parts = parts;
    this.#lazy = lazy;
    this.#all = new Set(all);
    this.#mentions = mentions;
    this.#seeing = seeing;
    // How the markup of a component writes names is not in its text.
    for (const file of all) {
      const parser = parts.layout.files[file]?.base?.parser || undefined;
      if (parser !== undefined && languageOf(parser).isRewritten === true) this.#affect(file);
    }
  }

  /** Begins with the changed files, and the files that import one of some old files. */
  start(changes: readonly Change[], importedBy: ReadonlySet<number>): void {
    const { base, layout } = this.#parts;
    for (const { after } of changes) if (after !== undefined) this.#affect(layout.files.indexOf(after));
    this.#affectOld(this.#seeing?.redirected ?? []);
    if (importedBy.size === 0) return;
    const links = base.rows<[number, Uint8Array]>('select file, imports from link where imports is not null');
    for (const [file, imports] of links)
      if (unpackIds(imports).some((id) => importedBy.has(id))) this.#affectOld([file]);
  }

  /** Follows all names to their end. False when that is about the whole group. */
  run(names: Iterable<string>): boolean {
    const open = new Set(names);
    const done = new Set<string>();
    while (done.size < open.size) {
      for (const name of open) {
        if (done.has(name)) continue;
        done.add(name);
        if (!this.#follow(name)) return false;
      }
      for (const name of done) for (const made of this.#madeFrom.get(name) ?? []) open.add(made);
    }
    return true;
  }

  /** Takes all files that can see a change, whatever they mention. */
  affectSeeing(): void {
    this.#affectOld(this.#seeing?.all ?? []);
  }

  /** Takes the files that mention some names, which change nothing that others see. False when that is about the whole group. */
  addMentioning(names: Iterable<string>): boolean {
    for (const name of names) {
      const files = this.#mentions.of(name);
      if (files === undefined) return false;
      this.#affectOld(files);
    }
    return this.#isShare();
  }

  #follow(name: string): boolean {
    if (UNWRITTEN.has(name)) return true;
    const files = this.#mentions.of(name);
    const seeing = this.#seeing?.all;
    if (files === undefined && seeing === undefined) return false;
    this.#affectOld([...(files ?? seeing ?? [])].filter((file) => seeing?.has(file) !== false));
    return this.#isShare();
  }

  #isShare(): boolean {
    return this.files.size <= this.#all.size * MOST_AFFECTED;
  }

  #affectOld(files: Iterable<number>): void {
    for (const file of files) this.#affect(this.#parts.layout.unchangedTo[file] ?? -1);
  }

  #affect(file: number): void {
    if (!this.#all.has(file) || this.files.has(file)) return;
    this.files.add(file);
    const facts = this.#lazy.program.units[file]?.facts;
    if (facts === undefined) return;
    for (const [name, { mentions }] of visibleNames(facts).names) {
      for (const mention of mentions) {
        if (mention === name) continue;
        const existing = this.#madeFrom.get(mention) ?? new Set<string>();
        this.#madeFrom.set(mention, existing.add(name));
      }
    }
  }
}

/** True if what a file of a group declares is a name of every file, or is written otherwise than it is named. */
function isVisibleEverywhere(change: Change, group: LanguageGroup): boolean {
  const parsers = parsersOf(change).filter((parser) => parser !== undefined);
  if (!parsers.some((parser) => groupOf(parser) === group)) return false;
  return parsers.some((parser) => {
    const { isAmbient, isRewritten } = languageOf(parser);
    return isAmbient === true || isRewritten === true;
  });
}

function parsersOf({
  before,
  after,
}: {
  before?: BaseFile | undefined;
  after?: PlannedFile | undefined;
}): (Parser | undefined)[] {
  return [before?.parser || undefined, after?.source?.file.language.parser];
}
