import { Definition, DefinitionKind, UseFlag } from '../../languages/facts/facts.ts';
import { languageOf } from '../../languages/languages.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { type Entity, NOTHING, read } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/** Kinds of definitions that may hold an object that is called. */
const HOLDS_OBJECT: ReadonlySet<number> = new Set<number>([
  DefinitionKind.variable,
  DefinitionKind.constant,
  DefinitionKind.property,
  DefinitionKind.parameter,
]);

/** The name of the method that calling an object calls, or -1 where no symbol has it. */
export function calledName({ program }: Evaluation, unit: Unit, symbolNames: Uint8Array): number {
  const { calledMethod } = languageOf(unit.facts.language);
  const name = calledMethod === undefined ? -1 : program.names.find(calledMethod);
  return (symbolNames[name] ?? 0) === 0 ? -1 : name;
}

/** The methods that a use of some names calls, when it is a call and they hold objects. `called` is what `calledName` gives. */
export function calledMethods(
  on: Evaluation,
  entities: readonly Entity[],
  { called, flags }: { called: number; flags: number },
): readonly Entity[] {
  if (called < 0 || (flags & UseFlag.call) === 0) return NOTHING;
  const methods = entities.flatMap((entity) => {
    if (entity < 0 || !HOLDS_OBJECT.has(read(on.program, entity, Definition.kind))) return [];
    const type = on.definition(entity);
    return (type?.kind === 'union' ? type.types : [type]).flatMap((part) =>
      part?.kind === 'instance' ? on.members(part, called).map((member) => member.entity) : [],
    );
  });
  return [...new Set(methods)];
}
