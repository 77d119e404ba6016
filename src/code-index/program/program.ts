import { Definition, DefinitionKind, Facet, type FileFacts, ScopeKind } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { groupOf, type LanguageGroup } from '../../languages/languages.ts';
import { fileIdsOf, type ListedFile } from './linked-files.ts';
import { NameTable } from './name-table.ts';
import type { FileHead } from './file-head.ts';
import { loadUnit, type Unit } from './unit.ts';

/** A file as it goes into a program. Files without facts keep their place, so that ids agree with the file list. */
export interface ProgramFile extends ListedFile {
  facts?: FileFacts;
}

/**
 * All files of one commit, loaded for resolution. A definition is a number from 0 over all files, in file order; an
 * entity is a definition, or a module written as `-1 - module`. Modules are files, then `packages` (directories that
 * are one name space: Go and Java packages, Python name space packages).
 */
export interface Program {
  readonly files: readonly Pick<ProgramFile, 'path'>[];
  /** One a file; undefined for those without facts. They may be loaded as they are asked for: see `unitsOf`. */
  readonly units: (Unit | undefined)[];
  /** Head of a file with facts, and its first definition, where files are loaded as they are asked for: see `headsOf`. */
  readonly headOf?: (file: number) => { base: number; head: FileHead };
  /** Group of each file with facts. */
  readonly groups: readonly (LanguageGroup | undefined)[];
  readonly names: NameTable;
  /** File of each definition. */
  readonly fileOf: Int32Array;
  /** Files by path; of a path that leads through symbolic links the file behind them. */
  readonly fileIds: ReadonlyMap<string, number>;
  readonly packages: Package[];
}

/** Files that share one name space. `key` is the directory or the package name. */
export interface Package {
  key: string;
  files: number[];
}

export type Entity = number;
export const NOTHING: readonly Entity[] = [];
export const moduleEntity = (module: number): Entity => -1 - module;
export const moduleOf = (entity: Entity): number => -1 - entity;

/** Loads the files in order. `onFile` sees each of them as soon as it is loaded: facts may be forgotten before the next. */
export function loadProgram(
  files: readonly ProgramFile[],
  onFile: (file: number, unit: Unit | undefined) => void,
): Program {
  const names = new NameTable();
  let base = 0;
  const units = files.map(({ path, facts }, file) => {
    const unit = facts === undefined ? undefined : loadUnit(file, path, facts, { base, table: names });
    base += unit?.count ?? 0;
    onFile(file, unit);
    return unit;
  });
  const fileOf = new Int32Array(base);
  for (const unit of units) if (unit !== undefined) fileOf.fill(unit.file, unit.base, unit.base + unit.count);
  const groups = units.map((unit) => (unit === undefined ? undefined : groupOf(unit.facts.language)));
  return { files, units, groups, names, fileOf, fileIds: fileIdsOf(files), packages: [] };
}

/** The files of some groups, in order. The others are not looked at: a program that grows would load them. */
export function* unitsOf(program: Program, ...groups: readonly (LanguageGroup | undefined)[]): Generator<Unit> {
  for (const [file, group] of program.groups.entries()) {
    const unit = group !== undefined && groups.includes(group) ? program.units[file] : undefined;
    if (unit !== undefined) yield unit;
  }
}

/** The file of a definition, loaded. */
export function unitOf(program: Program, definition: number): Unit {
  const unit = program.units[program.fileOf[definition] ?? -1];
  if (unit === undefined) throw new Error(`definition ${definition} is of no file of the program`);
  return unit;
}

export function read(
  program: Program,
  definition: number,
  column: (typeof Definition)[keyof typeof Definition],
): number {
  const unit = unitOf(program, definition);
  return unit.facts.definitions.at(definition - unit.base, column);
}

export function hasFlag(program: Program, definition: number, flag: number): boolean {
  return (read(program, definition, Definition.flags) & flag) !== 0;
}

export function nameOf(program: Program, definition: number): number {
  const unit = unitOf(program, definition);
  return intAt(unit.definitionNames, definition - unit.base);
}

/** The definition that this one is a member of, or -1. */
export function ownerOf(program: Program, definition: number): number {
  const unit = unitOf(program, definition);
  const owner = unit.facts.definitions.owner(definition - unit.base);
  return owner < 0 ? -1 : unit.base + owner;
}

/** The nodes (or local definitions) of one facet of a definition, in source order. */
export function facetsOf(program: Program, definition: number, facet: number): number[] {
  const unit = unitOf(program, definition);
  const local = definition - unit.base;
  const nodes: number[] = [];
  const { facets } = unit.facts;
  const end = intAt(unit.facetStarts, local + 1);
  for (let at = intAt(unit.facetStarts, local); at < end; at += 1) {
    const row = intAt(unit.facetRows, at);
    if (facets.facet(row) === facet) nodes.push(facets.node(row));
  }
  return nodes;
}

/** The type parameters of a definition as program-wide definitions. */
export function typeParametersOf(program: Program, definition: number): number[] {
  const { base } = unitOf(program, definition);
  return facetsOf(program, definition, Facet.typeParameter).map((local) => base + local);
}

/** True if one scope is reached from another through blocks alone. */
export function reachedThroughBlocks(unit: Unit, from: number, to: number): boolean {
  for (let at = from; at !== to; at = unit.facts.scopes.parent(at)) {
    if (at < 0 || unit.facts.scopes.kind(at) !== ScopeKind.block) return false;
  }
  return true;
}

/** Local definitions called `name` in exactly this scope, appended to `into` as program-wide ids. */
export function definedIn(unit: Unit, scope: number, name: number): number[] {
  const entities: number[] = [];
  for (let row = unit.scoped.find(scope, name); row >= 0; row = unit.scoped.next(row)) entities.push(unit.base + row);
  return entities;
}

/** Members called `name` of a definition, those written inside it only, in source order. */
export function ownMembers(program: Program, definition: number, name: number): number[] {
  const unit = unitOf(program, definition);
  const members: number[] = [];
  const first = unit.owned.find(definition - unit.base, name);
  for (let row = first; row >= 0; row = unit.owned.next(row)) members.push(unit.base + row);
  return members;
}

const HOLDERS = new Set<number>([
  DefinitionKind.class,
  DefinitionKind.interface,
  DefinitionKind.struct,
  DefinitionKind.trait,
  DefinitionKind.enum,
  DefinitionKind.table,
  DefinitionKind.container,
]);

/** True if values of this definition have members. */
export const holdsMembers = (kind: number): boolean => HOLDERS.has(kind);
