import { DefinitionFlag, Facet, NodeOp } from '../../languages/facts/facts.ts';
import { languageOf } from '../../languages/languages.ts';
import type { SymbolInput } from '../format/shard-input.ts';
import { genericsOf, listAt, namesOf, operand, opOf } from './nodes.ts';
import { facetsOf, type Program } from './program.ts';
import type { Unit } from './unit.ts';

/** Adds what they take to the functions of a file that share a qualified name. `locals` are the definitions of the rows. */
export function addParameterLists(program: Program, unit: Unit, rows: SymbolInput[], locals: readonly number[]): void {
  if (languageOf(unit.facts.language).hasOverloads !== true) return;
  const functions = [...rows.keys()].filter((row) => /^(function|method)$/.test(rows[row]?.kind ?? ''));
  for (const same of Map.groupBy(functions, (row) => rows[row]?.qualified ?? '').values()) {
    if (same.length < 2) continue;
    for (const row of same) {
      const parameter = rows[row];
      if (parameter !== undefined) parameter.parameters = parameterList(program, unit, locals[row] ?? 0);
    }
  }
}

/**
 * Returns the parameter list of a function, by types as they are written without their packages: `(String, List<Item>,
 * int...)`.
 */
function parameterList(program: Program, unit: Unit, local: number): string {
  const types = facetsOf(program, unit.base + local, Facet.parameter).map((node) => {
    const parameter = operand(unit, node, 1);
    const flags = parameter < 0 ? 0 : unit.facts.definitions.flags(parameter);
    const type = writtenType(unit, operand(unit, node, 0));
    return (flags & DefinitionFlag.rest) === 0 ? type : `${type.replace(/\[\]$/, '')}...`;
  });
  return `(${types.join(', ')})`;
}

function writtenType(unit: Unit, node: number): string {
  const { strings } = unit.facts;
  const all = (nodes: Iterable<number>): string => Array.from(nodes, (part) => writtenType(unit, part)).join(', ');
  switch (opOf(unit, node)) {
    case NodeOp.Primitive:
      return strings[operand(unit, node, 0)] ?? '?';
    case NodeOp.TypeName: {
      const generics = genericsOf(unit, node);
      const name = strings[namesOf(unit, node).at(-1) ?? 0] ?? '?';
      return generics.length === 0 ? name : `${name}<${all(generics)}>`;
    }
    case NodeOp.ArrayType:
      return `${writtenType(unit, operand(unit, node, 0))}[]`;
    case NodeOp.TupleType:
      return `(${all(listAt(unit, node, 0))})`;
    case NodeOp.FunctionType:
      return `(${all(listAt(unit, node, 1))}) -> ${writtenType(unit, operand(unit, node, 0))}`;
    case NodeOp.Parameter:
      return writtenType(unit, operand(unit, node, 0));
    default:
      return '?';
  }
}
