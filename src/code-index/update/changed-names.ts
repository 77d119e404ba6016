import type { FactsCache } from '../extract/facts-cache.ts';
import type { FileFacts } from '../../languages/facts/facts.ts';
import { groupOf, type LanguageGroup, languageOf, type Parser } from '../../languages/languages.ts';
import { spaceOfUnit } from '../names/names-rules.ts';
import type { BaseFile, BaseShard } from './base-shard.ts';
import type { Layout, PlannedFile } from './layout.ts';
import type { LazyProgram } from './lazy-program.ts';
import { type ChangedFacts, namesInOtherOrder } from './part-order.ts';
import { type VisibleNames, visibleNames } from './visible-names.ts';

/** Files whose names are those of their folder, and names that modules have without writing them. */
const FOLDER_FILES = /^(index|main|mod|lib|__init__)$/;
export const UNWRITTEN: ReadonlySet<string> = new Set(['default', '=', '*', '']);

/** Stands for names that are not known. */
const AMBIGUOUS = '';

/** A path whose file is not what it was. */
export interface Change {
  path: string;
  before?: BaseFile;
  after?: PlannedFile;
}

/** Input of the search for the names that a change is about. */
interface Parts {
  groups: readonly LanguageGroup[];
  base: BaseShard;
  cache: FactsCache;
  layout: Layout;
  lazy: LazyProgram;
  /** The files that may import a path are known: its name tells nothing more. */
  isByImport: boolean;
}

/** Result of a search for changed names. */
interface ChangedNames {
  names: Set<string>;
  /** Names of packages that have other files: who writes them imports these, and nothing more is other. */
  mentioned: Set<string>;
  /** Old files of which something is imported without writing its name, or that are gone. */
  importedBy: Set<number>;
  /** False when it cannot be decided which names are other. */
  isComplete: boolean;
}

/** True if a path comes or goes. */
export function isMoved({ before, after }: Change): boolean {
  return before === undefined || after === undefined;
}

/** True if a change is one of a file of some groups. */
export function isOfGroups(change: Change, groups: readonly LanguageGroup[]): boolean {
  return parsersOf(change).some((parser) => groups.includes(groupOf(parser)));
}

/** Parsers of a path, before and now. */
export function parsersOf({ before, after }: Change): Parser[] {
  const parsers = [before?.parser || undefined, after?.source?.file.language.parser];
  return parsers.filter((parser) => parser !== undefined);
}

/** Finds the names that are not what they were. */
export function changedNames(changes: readonly Change[], parts: Parts): ChangedNames {
  const changed: ChangedNames = { names: new Set(), mentioned: new Set(), importedBy: new Set(), isComplete: true };
  const spaces = new Spaces(parts);
  const facts: ChangedFacts[] = [];
  changed.isComplete = changes.every((change) => collectNames(change, { parts, changed, spaces, facts }));
  if (changed.isComplete) for (const name of namesInOtherOrder(facts, parts)) changed.names.add(name);
  return changed;
}

interface Collection {
  parts: Parts;
  changed: ChangedNames;
  spaces: Spaces;
  /** Facts of the files that stay, before and after. */
  facts: ChangedFacts[];
}

/** Adds the names that are not what they were. False when that cannot be decided. */
function collectNames(change: Change, { parts, changed, spaces, facts }: Collection): boolean {
  const { path, before, after } = change;
  const { names, importedBy } = changed;
  const isOwn = isOfGroups(change, parts.groups);
  const modules = (): string[] => (parts.isByImport ? [] : moduleNames(path, parts.base, isOwn));
  if (before !== undefined && after === undefined) importedBy.add(before.id);
  if (isMoved(change)) for (const name of modules()) names.add(name);
  if (names.has(AMBIGUOUS)) return false;
  if (!isOwn) return true;
  const [old, now] = [oldFacts(before, parts.cache), after?.source?.file.facts];
  if (old === undefined) return false;
  const [oldNames, newNames] = [namesOf(old), namesOf(now)];
  const isElsewhere = isMoved(change) || oldNames.space !== newNames.space;
  if (isElsewhere ? oldNames.handedOn + newNames.handedOn !== '' : oldNames.handedOn !== newNames.handedOn)
    return false;
  if (isElsewhere && before !== undefined) importedBy.add(before.id);
  if (isElsewhere && !parts.isByImport)
    for (const each of [old, now]) spaces.addMoved(path, each === 'none' ? undefined : each, changed);
  const isAny = isElsewhere || spaces.areAmong(oldNames.stars, newNames.stars);
  for (const name of new Set([...oldNames.names.keys(), ...newNames.names.keys()])) {
    if (!isAny && oldNames.names.get(name)?.text === newNames.names.get(name)?.text) continue;
    names.add(name);
    if (!UNWRITTEN.has(name)) continue;
    if (before !== undefined) importedBy.add(before.id);
    for (const module of modules()) names.add(module);
  }
  if (old !== 'none' && now !== undefined) facts.push({ before: old, after: now });
  return parts.isByImport || !names.has(AMBIGUOUS);
}

/** The names by which other files may import a path. `isOwn`: it is a file of the language. */
function moduleNames(path: string, base: BaseShard, isOwn: boolean): string[] {
  const parts = path.split('/');
  const stem = (parts.at(-1) ?? '').replace(/\..*$/, '');
  const folders = parts.slice(0, -1);
  const hasFiles = (folder: readonly string[]): boolean =>
    base.files.some((file) => file.path !== path && file.path.startsWith(`${folder.join('/')}/`));
  const isExistingFolder = hasFiles(folders);
  if (isOwn && (stem === '__init__' || (FOLDER_FILES.test(stem) && isExistingFolder))) return [AMBIGUOUS];
  // What lies in a folder with its name may mean it without writing that.
  if (isOwn && hasFiles([...folders, stem])) return [AMBIGUOUS];
  // A folder that comes or goes is a module itself in some languages.
  return [stem, ...folders.filter((_, depth) => !hasFiles(folders.slice(0, depth + 1)))];
}

/** The facts that a file had: `none` without any, undefined when they are forgotten. */
function oldFacts(before: BaseFile | undefined, cache: FactsCache): FileFacts | 'none' | undefined {
  if (before === undefined || before.parser === '') return 'none';
  const cached = cache.read(before.blob, before.parser);
  return cached === undefined || !('facts' in cached) ? undefined : cached.facts;
}

const NO_NAMES: VisibleNames = { names: new Map(), space: '', handedOn: '', stars: [] };

function namesOf(facts: FileFacts | 'none' | undefined): VisibleNames {
  return facts === undefined || facts === 'none' ? NO_NAMES : visibleNames(facts);
}

/** The packages and name spaces of the files that stay. */
class Spaces {
  readonly #parts: Parts;
  /** Their full names, and those of the spaces around them. */
  #full: Set<string> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Adds the names of the packages of a file that comes or goes. */
  addMoved(path: string, facts: FileFacts | undefined, { names, mentioned }: ChangedNames): void {
    if (facts === undefined) return;
    const folder = path.split('/').at(-2);
    if (languageOf(facts.language).packsFolders === true && folder !== undefined) mentioned.add(folder);
    const spaces = spacesOf(path, facts);
    const [own] = spaces;
    if (own === undefined || own === languageOf(facts.language).programPackage) return;
    mentioned.add(lastPart(own));
    for (const space of spaces) if (!this.#all().has(space)) names.add(lastPart(space));
  }

  /** True if one of two lists of modules has one of the repository that the other has not. */
  areAmong(before: readonly string[], after: readonly string[]): boolean {
    const others = [...before, ...after].filter((source) => !before.includes(source) || !after.includes(source));
    return others.some((source) => {
      const name = lastPart(source);
      return [...this.#all()].some((space) => lastPart(space) === name) || this.#isSymbol(name);
    });
  }

  #isSymbol(name: string): boolean {
    return this.#parts.base.rows('select 1 from name where text = ? collate nocase limit 1', name).length > 0;
  }

  #all(): ReadonlySet<string> {
    if (this.#full !== undefined) return this.#full;
    this.#full = new Set();
    const { groups, layout, lazy } = this.#parts;
    for (const [file, { base }] of layout.files.entries()) {
      const group = lazy.program.groups[file];
      if (base === undefined || group === undefined || !groups.includes(group)) continue;
      for (const space of spacesOf(base.path, lazy.program.units[file]?.facts)) this.#full.add(space);
    }
    return this.#full;
  }
}

/** The package or module of a file and those around it, from the inside out. */
function spacesOf(path: string, facts: FileFacts | undefined): string[] {
  const name = facts === undefined ? '' : spaceOfUnit({ path, facts });
  const ends = [...name.matchAll(/[.\\]|::/g)].map(({ index }) => index);
  return name === '' ? [] : [name, ...ends.toReversed().map((end) => name.slice(0, end))];
}

const lastPart = (name: string): string => /[^.\\:/]*$/.exec(name)?.[0] ?? name;
