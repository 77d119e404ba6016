import type { FactsCache } from '../extract/facts-cache.ts';
import { definitionOf, type LanguageGroup, languageOf, listVisibleGroups } from '../../languages/languages.ts';
import { createEvaluationOf } from '../evaluation/evaluations.ts';
import { unpackIds } from '../format/store-codec.ts';
import type { BaseShard } from './base-shard.ts';
import { type Change, changedNames, isMoved, isOfGroups, parsersOf, UNWRITTEN } from './changed-names.ts';
import type { Layout } from './layout.ts';
import type { LazyProgram } from './lazy-program.ts';
import { type ImportingFiles, importingFiles } from './importing-files.ts';
import { Mentions } from './mentions.ts';
import { otherSymbolNames } from './symbol-names.ts';
import { visibleNames } from './visible-names.ts';
import { wordsOf } from '../../text/words.ts';

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
  const done = new Set<LanguageGroup>();
  for (const group of new Set(lazy.program.groups)) {
    if (group === undefined || done.has(group)) continue;
    const groups = listVisibleGroups(group);
    for (const each of groups) done.add(each);
    for (const file of affectedOf([...groups], changes, parts, lazy)) files.add(file);
  }
  return files;
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

/** The affected files of groups that see each other's names: all of them when names alone do not tell. */
function affectedOf(
  groups: readonly LanguageGroup[],
  changes: readonly Change[],
  parts: AffectedParts,
  lazy: LazyProgram,
): Iterable<number> {
  const own = changes.filter((change) => isOfGroups(change, groups));
  const isAnyMoved = changes.some(isMoved);
  if (own.length === 0 && !isAnyMoved) return [];
  const all = [...lazy.program.groups].flatMap((group, file) =>
    group !== undefined && groups.includes(group) ? [file] : [],
  );
  if (own.some(isVisibleEverywhere)) return all;
  const mentions = new Mentions(parts.base);
  const importing = groups.find((group) => languageOf(group).seesByImport === true);
  const means = importing && specifiersOf(importing, parts, lazy);
  const seeing = means && importingFiles(filesOf(changes), { ...parts, mentions, means });
  const changed = changedNames(changes, { ...parts, groups, lazy, isByImport: seeing !== undefined });
  const others = groups.flatMap((group) => otherSymbolNames(group, parts, lazy));
  const spread = new Spread({ parts, lazy, groups, all, mentions, seeing });
  spread.start(changes, changed.importedBy);
  const { names, mentioned, isComplete } = changed;
  if (isComplete && !isAnyMoved && names.size + others.length === 0) return spread.files;
  if (groups.some((group) => languageOf(group).isResolvedWhole === true)) return all;
  if (seeing === undefined) {
    const isAll =
      !isComplete || !spread.run([...names, ...others]) || !spread.addMentioning(mentioned, isNoDeclaration);
    return isAll ? all : spread.files;
  }
  if (!isComplete) spread.affectSeeing();
  return spread.run(names) && spread.addMentioning(others) ? spread.files : all;
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

/** Test of a place where a name is written. */
type Accepted = Parameters<Mentions['of']>[1];

/** True of a name that does not say which package its own file is of. */
const isNoDeclaration: Accepted = ({ text, at }) =>
  !/^\s*(?:package|namespace)\b[^;{]*$/.test(text.slice(text.lastIndexOf('\n', at) + 1, at));

interface SpreadParts {
  parts: AffectedParts;
  lazy: LazyProgram;
  groups: readonly LanguageGroup[];
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
  readonly #shortForm: ((name: string) => string) | undefined;
  /** Names that are made from a name, in the affected files. */
  readonly #madeFrom = new Map<string, Set<string>>();

  constructor({ parts, lazy, groups, all, mentions, seeing }: SpreadParts) {
    this.#parts = parts;
    this.#lazy = lazy;
    this.#all = new Set(all);
    this.#mentions = mentions;
    this.#seeing = seeing;
    this.#shortForm = groups.map((group) => languageOf(group).shortForm).find((form) => form !== undefined);
  }

  /** Begins with the changed files, and the files that import one of some old files. */
  start(changes: readonly Change[], importedBy: ReadonlySet<number>): void {
    const { base, layout } = this.#parts;
    for (const { after } of changes) if (after !== undefined) this.#affect(layout.files.indexOf(after));
    this.#affectOld(this.#seeing?.redirected ?? []);
    this.#affectDescribing(new Set(changes.map(({ path }) => path)));
    if (importedBy.size === 0) return;
    const links = base.rows<[number, Uint8Array]>('select file, imports from link where imports is not null');
    for (const [file, imports] of links)
      if (unpackIds(imports).some((id) => importedBy.has(id))) this.#affectOld([file]);
  }

  /** Follows all names to their end. False when that is about the whole group. */
  run(names: Iterable<string>): boolean {
    this.#affectRewritten();
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
  addMentioning(names: Iterable<string>, accepted?: Accepted): boolean {
    for (const name of names) {
      const files = this.#mentioning(name, accepted);
      if (files === undefined) return false;
      this.#affectOld(files);
    }
    return this.#isShare();
  }

  /** Takes the declaration files of changed files: what both name is one thing. */
  #affectDescribing(changed: ReadonlySet<string>): void {
    for (const file of this.#all) {
      const path = this.#parts.layout.files[file]?.path ?? '';
      if (
        definitionOf(path)
          ?.describedPaths?.(path)
          .some((each) => changed.has(each)) === true
      )
        this.#affect(file);
    }
  }

  /** How the markup of a component writes names is not in its text. */
  #affectRewritten(): void {
    for (const file of this.#all) {
      const parser = this.#parts.layout.files[file]?.base?.parser || undefined;
      if (parser !== undefined && languageOf(parser).isRewritten === true) this.#affect(file);
    }
  }

  /** Old ids of the files that write a name, in any form; undefined when that is not known. */
  #mentioning(name: string, accepted?: Accepted): Set<number> | undefined {
    const files = this.#writing(name, accepted);
    const short = this.#shortForm?.(name) ?? name;
    if (files === undefined || short === name) return files;
    const others = this.#writing(short, accepted);
    return others && new Set([...files, ...others]);
  }

  #writing(name: string, accepted?: Accepted): Set<number> | undefined {
    const files = this.#mentions.of(name, accepted);
    if (files !== undefined || this.#seeing !== undefined) return files;
    // Of short names the index of texts knows nothing; the facts of all files do.
    const { layout } = this.#parts;
    const holding = new Set<number>();
    for (const file of this.#all) {
      const base = layout.files[file]?.base;
      const strings = base === undefined ? undefined : this.#lazy.program.units[file]?.facts.strings;
      if (base !== undefined && strings?.some((text) => hasWord(text, name)) === true) holding.add(base.id);
    }
    return holding;
  }

  #follow(name: string): boolean {
    if (UNWRITTEN.has(name)) return true;
    const files = this.#mentioning(name);
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

/** True if what a file declares is a name of every file, or is written otherwise than it is named. */
function isVisibleEverywhere(change: Change): boolean {
  return parsersOf(change).some((parser) => {
    const { isAmbient, isRewritten } = languageOf(parser);
    return isAmbient === true || isRewritten === true;
  });
}

/** True if a text of the facts, which may be a path or the body of a macro, has a name. */
function hasWord(text: string, name: string): boolean {
  return text === name || (text.includes(name) && wordsOf(text, 'name').includes(name));
}
