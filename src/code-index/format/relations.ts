import type { Relation, SymbolKind, Use } from './rows.ts';
import { EXACT_BIT, USE_CODES } from './shard-input.ts';

/** Bits of a dependency: the index in this list. Of several between two symbols the first is reported. */
export const RELATIONS = [
  'extends',
  'implements',
  'calls',
  'imports',
  'references',
] as const satisfies readonly Relation[];

/** Relations between two files, in the order in which the first of several is reported. */
const BETWEEN_FILES: readonly Relation[] = ['imports', 'extends', 'implements', 'calls', 'references'];

const RELATION_OF_USE: Record<Use, Relation> = {
  call: 'calls',
  import: 'imports',
  type: 'references',
  read: 'references',
  write: 'references',
  export: 'references',
  test: 'calls',
  implements: 'references',
};

/** Kinds that are a promise without a body: who extends one implements it, unless it is one too. */
const CONTRACTS: ReadonlySet<SymbolKind | undefined> = new Set<SymbolKind>(['interface', 'trait']);

/** Relation bits by use bits: there are 256 of them, and a shard has millions. */
const BITS_OF_USES = Uint8Array.from({ length: EXACT_BIT }, (_, uses) =>
  USE_CODES.reduce((bits, use, code) => ((uses >> code) & 1 ? bits | relationBit(RELATION_OF_USE[use]) : bits), 0),
);

export function relationBit(relation: Relation): number {
  return 1 << RELATIONS.indexOf(relation);
}

/** Turns bits of uses into bits of relations; EXACT_BIT stays. */
export function relationsOfUses(uses: number): number {
  return (BITS_OF_USES[uses & (EXACT_BIT - 1)] ?? 0) | (uses & EXACT_BIT);
}

/** Returns the relation of a symbol of one kind to the one it extends. */
export function heritage(below: SymbolKind | undefined, above: SymbolKind | undefined): Relation {
  return CONTRACTS.has(above) && !CONTRACTS.has(below) ? 'implements' : 'extends';
}

/** Returns the relation to report for these bits, of the requested ones; undefined when none is requested. */
export function strongestRelation(bits: number, scope: { areFiles: boolean; relations: number }): Relation | undefined {
  const order: readonly Relation[] = scope.areFiles ? BETWEEN_FILES : RELATIONS;
  return order.find((relation) => (bits & scope.relations & relationBit(relation)) !== 0);
}
