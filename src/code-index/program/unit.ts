import { addToList } from '../../kernel/lists.ts';
import { DefinitionFlag, DefinitionKind, ExportHow, type FileFacts } from '../../languages/facts/facts.ts';
import { HeldFacts } from '../../languages/facts/held-facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { definitionOf } from '../../languages/languages.ts';
import type { NameTable } from './name-table.ts';
import { PairIndex } from './pair-index.ts';

/** One file of a program: its facts, and the indexes over them that resolution asks. */
export interface Unit {
  /** Place in the program's list of files. */
  readonly file: number;
  readonly path: string;
  readonly facts: FileFacts;
  /** Program-wide id of the first definition; the others follow. */
  readonly base: number;
  /** Number of definitions. */
  readonly count: number;
  /** Program-wide name id of each string. */
  readonly names: Int32Array;
  /** Program-wide name id of each definition. */
  readonly definitionNames: Int32Array;
  /** Local definitions by scope and name id. */
  readonly scoped: PairIndex;
  /** Local definitions by local owner and name id. */
  readonly owned: PairIndex;
  /** First facet row of each local definition in `facetRows`; one more entry than definitions. */
  readonly facetStarts: Int32Array;
  readonly facetRows: Int32Array;
  /** Export rows by outside name id, stars apart. */
  readonly exports: ReadonlyMap<number, readonly number[]>;
  /** Modules (strings) whose every export this file exports too. */
  readonly stars: readonly number[];
  /** Export rows of macros that declare modules, and of calls that may. */
  readonly macros: readonly number[];
  /** Narrowing rows by scope. */
  readonly narrowings: ReadonlyMap<number, readonly number[]>;
}

/** True if a definition of this kind is a member of its owner when it has one (a parameter is not). */
function canBeOwned(kind: number): boolean {
  return kind !== DefinitionKind.parameter && kind !== DefinitionKind.type_parameter;
}

/** The name of the component that a file is, '' for other files: facts are the same whatever the path. */
function componentName(path: string): string {
  return definitionOf(path)?.isComponent === true ? (/([^/]+)\.[^./]+$/.exec(path)?.[1] ?? '') : '';
}

/** The parts of a unit that are computed of its facts. */
type Derived = Pick<
  Unit,
  | 'names'
  | 'definitionNames'
  | 'scoped'
  | 'owned'
  | 'facetStarts'
  | 'facetRows'
  | 'exports'
  | 'stars'
  | 'macros'
  | 'narrowings'
>;

/** `base` is the id of the first definition. */
export function loadUnit(file: number, path: string, facts: FileFacts, at: { base: number; table: NameTable }): Unit {
  if (facts instanceof HeldFacts) return new HeldUnit(file, path, facts, at);
  return { file, path, facts, base: at.base, count: facts.definitions.count, ...deriveUnit(path, facts, at.table) };
}

/** A unit whose facts may be forgotten between two questions: what is computed of them goes with them. */
class HeldUnit implements Unit {
  readonly file: number;
  readonly path: string;
  readonly facts: HeldFacts;
  readonly base: number;
  readonly count: number;
  readonly #table: NameTable;

  constructor(file: number, path: string, facts: HeldFacts, { base, table }: { base: number; table: NameTable }) {
    this.file = file;
    this.path = path;
    this.facts = facts;
    this.base = base;
    this.#table = table;
    // Names get their ids in the order of files, whenever they are read.
    this.count = this.#derived().definitionNames.length;
  }

  #derived(): Derived {
    const content = this.facts.content();
    content.derived ??= deriveUnit(this.path, content.facts, this.#table);
    // Nothing else is put there.
    return content.derived as Derived;
  }

  get names(): Unit['names'] {
    return this.#derived().names;
  }
  get definitionNames(): Unit['definitionNames'] {
    return this.#derived().definitionNames;
  }
  get scoped(): Unit['scoped'] {
    return this.#derived().scoped;
  }
  get owned(): Unit['owned'] {
    return this.#derived().owned;
  }
  get facetStarts(): Unit['facetStarts'] {
    return this.#derived().facetStarts;
  }
  get facetRows(): Unit['facetRows'] {
    return this.#derived().facetRows;
  }
  get exports(): Unit['exports'] {
    return this.#derived().exports;
  }
  get stars(): Unit['stars'] {
    return this.#derived().stars;
  }
  get macros(): Unit['macros'] {
    return this.#derived().macros;
  }
  get narrowings(): Unit['narrowings'] {
    return this.#derived().narrowings;
  }
}

function deriveUnit(path: string, facts: FileFacts, table: NameTable): Derived {
  const names = Int32Array.from(facts.strings, (text) => table.id(text));
  const { definitions } = facts;
  const { count } = definitions;
  const [definitionNames, scopes, owners] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  const component = componentName(path);
  for (let row = 0; row < count; row += 1) {
    definitionNames[row] = intAt(names, definitions.name(row));
    const isDefault = (definitions.flags(row) & DefinitionFlag.default) !== 0;
    if (isDefault && component !== '' && facts.strings[definitions.name(row)] === 'default')
      definitionNames[row] = table.id(component);
    scopes[row] = definitions.scope(row);
    owners[row] = canBeOwned(definitions.kind(row)) ? definitions.owner(row) : -1;
  }
  return {
    names,
    definitionNames,
    scoped: new PairIndex(scopes, definitionNames),
    owned: new PairIndex(owners, definitionNames),
    ...indexFacets(facts, count),
    ...indexExports(facts, names),
    narrowings: groupNarrowings(facts.narrowings),
  };
}

function indexFacets(facts: FileFacts, count: number): Pick<Unit, 'facetStarts' | 'facetRows'> {
  const { facets } = facts;
  const starts = new Int32Array(count + 2);
  for (let row = 0; row < facets.count; row += 1) {
    const after = facets.definition(row) + 2;
    starts[after] = intAt(starts, after) + 1;
  }
  for (let index = 2; index < starts.length; index += 1)
    starts[index] = intAt(starts, index) + intAt(starts, index - 1);
  const sorted = new Int32Array(facets.count);
  // starts[d + 1] is the write position of d: after the loop it is where d + 1 starts.
  for (let row = 0; row < facets.count; row += 1) {
    const next = facets.definition(row) + 1;
    const at = intAt(starts, next);
    sorted[at] = row;
    starts[next] = at + 1;
  }
  return { facetStarts: starts.subarray(0, count + 1), facetRows: sorted };
}

function indexExports(facts: FileFacts, names: Int32Array): Pick<Unit, 'exports' | 'stars' | 'macros'> {
  const exports = new Map<number, number[]>();
  const stars: number[] = [];
  const macros: number[] = [];
  for (let row = 0; row < facts.exports.count; row += 1) {
    const how = facts.exports.how(row);
    if (how === ExportHow.star) stars.push(facts.exports.a(row));
    else if (how === ExportHow.template || how === ExportHow.expanded) macros.push(row);
    if (how >= ExportHow.star) continue;
    const name = intAt(names, facts.exports.name(row));
    addToList(exports, name, row);
  }
  return { exports, stars, macros };
}

function groupNarrowings(narrowings: FileFacts['narrowings']): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (let row = 0; row < narrowings.count; row += 1) {
    addToList(groups, narrowings.scope(row), row);
  }
  return groups;
}
