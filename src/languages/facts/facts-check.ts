import { type FileFacts, NodeOp } from './facts.ts';
import { type Operand, operandsOf } from './node-operands.ts';
import { intAt, TABLES } from './table.ts';

/**
 * Targets that a column or an operand may refer to: a position within the limits of a file. -1 means absent; 0 does of strings
 * and nodes.
 */
const Target = { number: 0, scope: 1, definition: 2, string: 3, node: 4, sketch: 5 } as const;

/** The columns of each table whose meaning does not depend on other columns. */
const COLUMNS: readonly TableIds[] = [
  idsOf('scopes', ['definition', Target.definition]),
  idsOf(
    'definitions',
    ['name', Target.string],
    ['scope', Target.scope],
    ['owner', Target.definition],
    ['type', Target.node],
    ['value', Target.node],
    ['context', Target.node],
    ['bodyScope', Target.scope],
    ['source', Target.string],
    ['imported', Target.string],
  ),
  idsOf('facets', ['definition', Target.definition]),
  idsOf('references', ['name', Target.string], ['scope', Target.scope]),
  idsOf('members', ['name', Target.string], ['receiver', Target.node], ['scope', Target.scope]),
  idsOf('keys', ['name', Target.string], ['context', Target.node], ['scope', Target.scope]),
  idsOf('exports', ['name', Target.string]),
  idsOf('narrowings', ['scope', Target.scope], ['name', Target.string], ['node', Target.node]),
  idsOf('sites', ['node', Target.node]),
  idsOf('comments', ['definition', Target.definition]),
  idsOf('metrics', ['definition', Target.definition]),
  idsOf('syntax', ['definition', Target.definition], ['sketch', Target.sketch]),
  idsOf('fingerprints'),
  idsOf('unread', ['name', Target.string]),
];

interface TableIds {
  table: keyof typeof TABLES;
  width: number;
  ids: readonly { column: number; target: number }[];
}

function idsOf<Name extends keyof typeof TABLES>(
  table: Name,
  ...targets: readonly (readonly [column: keyof (typeof TABLES)[Name]['columns'] & string, target: number])[]
): TableIds {
  const { columns, width } = TABLES[table];
  const offsets = new Map(Object.entries(columns));
  return { table, width, ids: targets.map(([name, target]) => ({ column: offsets.get(name) ?? 0, target })) };
}

/** The operands of each operation by its code: what each refers to, negative for a list of such. */
const OPERANDS_BY_CODE: readonly (Int8Array | undefined)[] = readOperands();

function readOperands(): (Int8Array | undefined)[] {
  const { number, scope, definition, string, node } = Target;
  const targets: Record<Operand, number> = {
    '#': number,
    '.': scope,
    d: definition,
    s: string,
    S: -string,
    n: node,
    N: -node,
  };
  const byCode: (Int8Array | undefined)[] = [];
  for (const code of Object.values(NodeOp))
    byCode[code] = Int8Array.from(operandsOf(code).map((operand) => targets[operand]));
  return byCode;
}

/**
 * True if facts are consistent: every id is one of its table, each scope comes after the one around it, and the pool of nodes
 * is nodes from end to end. Following scopes outwards then ends. About 20 ms for 100,000 lines.
 */
export function areWellFormed(facts: FileFacts): boolean {
  const limits = limitsOf(facts);
  return (
    COLUMNS.every(({ table, width, ids }) => {
      const { words } = facts[table];
      return (
        words.length % width === 0 &&
        ids.every(({ column, target }) => areBelow(words, { column, width, limit: limits[target] ?? 0 }))
      );
    }) &&
    areNested(facts.scopes) &&
    areNodes(facts.nodes, limits)
  );
}

/** The first id of each target that is too high. */
function limitsOf({ scopes, definitions, strings, nodes, sketches }: FileFacts): Float64Array {
  return Float64Array.of(
    Infinity,
    scopes.count,
    definitions.count,
    strings.length,
    nodes.length,
    // The last sketch may be empty.
    sketches.length + 1,
  );
}

function areBelow(
  words: Int32Array,
  { column, width, limit }: { column: number; width: number; limit: number },
): boolean {
  for (let at = column; at < words.length; at += width) {
    const id = intAt(words, at);
    if (id < -1 || id >= limit) return false;
  }
  return true;
}

function areNested(scopes: FileFacts['scopes']): boolean {
  for (let scope = 0; scope < scopes.count; scope += 1) {
    const parent = scopes.parent(scope);
    if (parent < -1 || parent >= scope) return false;
  }
  return true;
}

/** Walks the pool from node to node. */
function areNodes(nodes: Int32Array, limits: Float64Array): boolean {
  let at = 0;
  while (at < nodes.length) {
    const operands = OPERANDS_BY_CODE[intAt(nodes, at++)];
    if (operands === undefined || at + operands.length > nodes.length) return false;
    for (const target of operands) {
      const items = target < 0 ? intAt(nodes, at++) : 1;
      if (items < 0 || at + items > nodes.length) return false;
      const limit = limits[Math.abs(target)] ?? 0;
      for (const end = at + items; at < end; at += 1) {
        const id = intAt(nodes, at);
        if (id >= limit || (id < -1 && target !== Target.number)) return false;
      }
    }
  }
  return true;
}
