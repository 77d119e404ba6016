import { Definition, DefinitionKind, UseFlag } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { languageOf } from '../../languages/languages.ts';
import type { Evaluation } from './evaluation.ts';
import { type Entity, read } from '../program/program.ts';
import type { Type } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

/** Meaning of the keys of a literal of Go: fields of a struct, values that the keys or positions are, or either. */
type LiteralKeys = 'fields' | 'values' | 'unknown';

/** Named types that are made from one another before the search ends. */
const MOST_NAMED = 20;

/**
 * Returns the meaning of the keys of a literal of a type: those of `type Set map[string]bool` are values, wherever it is
 * declared.
 */
function literalKeys(on: Evaluation, type: Type | undefined): LiteralKeys {
  let made = type;
  for (let step = 0; step < MOST_NAMED; step += 1) {
    switch (made?.kind) {
      case 'map':
      case 'array':
      case 'tuple':
        return 'values';
      case 'instance': {
        if (read(on.program, made.definition, Definition.kind) !== DefinitionKind.type) return 'fields';
        const [base] = on.bases(made);
        made = base;
        break;
      }
      default:
        return 'unknown';
    }
  }
  return 'unknown';
}

/**
 * Returns the entities that a key of a literal of Go names when it is no field of a struct, or may be none (`isCertain` is
 * false then). Undefined for fields, and in other languages. `row` is one of keys, `type` the type of the literal.
 */
export function valueKey(
  on: Evaluation,
  unit: Unit,
  row: number,
  type: Type | undefined,
): { entities: readonly Entity[]; isCertain: boolean } | undefined {
  const are = languageOf(unit.facts.language).hasValueKeys === true ? literalKeys(on, type) : 'fields';
  if (are === 'fields') return undefined;
  const { keys } = unit.facts;
  const name = intAt(unit.names, keys.name(row));
  const bound = on.names.lookup(unit, name, keys.scope(row), UseFlag.value);
  return { entities: bound.flatMap((definition) => on.names.follow(definition)), isCertain: are === 'values' };
}
