import {
  Definition,
  DefinitionFlag,
  DefinitionKind,
  Export,
  ExportHow,
  FacetColumn,
  type FileFacts,
  Narrowing,
} from '../../languages/facts/facts.ts';
import type { NameTable } from './name-table.ts';
import { PairIndex } from './pair-index.ts';

const { stride: WIDTH } = Definition;

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
  /** Where the facet rows of a local definition start in `facetRows`; one more entry than definitions. */
  readonly facetStarts: Int32Array;
  readonly facetRows: Int32Array;
  /** Export rows by outside name id, stars apart. */
  readonly exports: ReadonlyMap<number, readonly number[]>;
  /** Modules (strings) whose every export this file exports too. */
  readonly stars: readonly number[];
  /** Narrowing rows by scope. */
  readonly narrowings: ReadonlyMap<number, readonly number[]>;
}

/** Whether a definition of this kind is a member of its owner when it has one (a parameter is not). */
function canBeOwned(kind: number): boolean {
  return kind !== DefinitionKind.parameter && kind !== DefinitionKind.type_parameter;
}

/** The name of the component that a file is, '' for other files: facts are the same whatever the path. */
function componentName(path: string): string {
  return /([^/]+)\.(?:vue|svelte)$/.exec(path)?.[1] ?? '';
}

export function loadUnit(file: number, path: string, facts: FileFacts, at: { base: number; table: NameTable }): Unit {
  const names = Int32Array.from(facts.strings, (text) => at.table.id(text));
  const count = facts.definitions.length / WIDTH;
  const [definitionNames, scopes, owners] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  const component = componentName(path);
  for (let one = 0, row = 0; one < count; one += 1, row += WIDTH) {
    definitionNames[one] = names[facts.definitions[row + Definition.name] ?? 0] ?? 0;
    const isDefault = ((facts.definitions[row + Definition.flags] ?? 0) & DefinitionFlag.default) !== 0;
    if (isDefault && component !== '' && facts.strings[facts.definitions[row + Definition.name] ?? 0] === 'default')
      definitionNames[one] = at.table.id(component);
    scopes[one] = facts.definitions[row + Definition.scope] ?? -1;
    const kind = facts.definitions[row + Definition.kind] ?? 0;
    owners[one] = canBeOwned(kind) ? (facts.definitions[row + Definition.owner] ?? -1) : -1;
  }
  return {
    file,
    path,
    facts,
    base: at.base,
    count,
    names,
    definitionNames,
    scoped: new PairIndex(scopes, definitionNames),
    owned: new PairIndex(owners, definitionNames),
    ...indexFacets(facts, count),
    ...indexExports(facts, names),
    narrowings: groupRows(facts.narrowings, Narrowing.stride, Narrowing.scope),
  };
}

function indexFacets(facts: FileFacts, count: number): Pick<Unit, 'facetStarts' | 'facetRows'> {
  const rows = facts.facets.length / FacetColumn.stride;
  const starts = new Int32Array(count + 2);
  const owner = (row: number): number => facts.facets[row * FacetColumn.stride + FacetColumn.definition] ?? 0;
  for (let row = 0; row < rows; row += 1) starts[owner(row) + 2] = (starts[owner(row) + 2] ?? 0) + 1;
  for (let one = 2; one < starts.length; one += 1) starts[one] = (starts[one] ?? 0) + (starts[one - 1] ?? 0);
  const sorted = new Int32Array(rows);
  // starts[d + 1] is the write position of d: after the loop it is where d + 1 starts.
  for (let row = 0; row < rows; row += 1) {
    const at = starts[owner(row) + 1] ?? 0;
    sorted[at] = row;
    starts[owner(row) + 1] = at + 1;
  }
  return { facetStarts: starts.subarray(0, count + 1), facetRows: sorted };
}

function indexExports(facts: FileFacts, names: Int32Array): Pick<Unit, 'exports' | 'stars'> {
  const exports = new Map<number, number[]>();
  const stars: number[] = [];
  for (let row = 0; row < facts.exports.length; row += Export.stride) {
    if (facts.exports[row + Export.how] === ExportHow.star) {
      stars.push(facts.exports[row + Export.a] ?? 0);
      continue;
    }
    const name = names[facts.exports[row + Export.name] ?? 0] ?? 0;
    const rows = exports.get(name);
    if (rows === undefined) exports.set(name, [row]);
    else rows.push(row);
  }
  return { exports, stars };
}

function groupRows(table: Int32Array, stride: number, column: number): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (let row = 0; row < table.length; row += stride) {
    const key = table[row + column] ?? 0;
    const rows = groups.get(key);
    if (rows === undefined) groups.set(key, [row]);
    else rows.push(row);
  }
  return groups;
}
