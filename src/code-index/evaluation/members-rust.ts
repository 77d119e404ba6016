import type { Evaluation } from './evaluation.ts';
import { memberType, pairsOf } from './members.ts';
import type { Type } from './type-model.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Methods of sequences and iterators that give one element or nothing: an option. */
const MAYBE_ONE = words(
  'get get_mut first first_mut last last_mut next next_back nth peek find pop pop_front pop_back max_by_key min_by_key ' +
    'max_by min_by max min reduce split_first split_last',
);
/** Methods of sequences that give parts of them. */
const PARTS = words('chunks chunks_exact windows split rchunks');
/** Methods of maps that give a value or nothing, and those that give all of them, or each with its key. */
const MAP_ONE = words('get get_mut remove insert');
const VALUES = words('values values_mut into_values');
const PAIRS = words('iter iter_mut into_iter drain');

/** Overrides for the collections of Rust: methods that give options, and maps that give pairs. */
export function rustCollections(on: Evaluation): Pick<Evaluation, 'member'> {
  return { member: (type, name) => collectionMember(on, type, name) ?? memberType(on, type, name) };
}

/** Returns the type that a method of a collection gives where it differs from that of other languages; else undefined. */
function collectionMember(on: Evaluation, type: Type | undefined, name: number): Type | undefined {
  const text = on.program.names.text(name);
  switch (type?.kind) {
    case 'array':
    case 'tuple': {
      const element = on.element(type);
      if (MAYBE_ONE.has(text)) return { kind: 'builtin', result: { kind: 'promise', value: element } };
      if (PARTS.has(text)) return { kind: 'builtin', result: { kind: 'array', element: type } };
      const pair: Type = { kind: 'tuple', elements: [element, undefined] };
      return text === 'zip' ? { kind: 'builtin', result: { kind: 'array', element: pair } } : undefined;
    }
    case 'map':
      if (MAP_ONE.has(text)) return { kind: 'builtin', result: { kind: 'promise', value: type.value } };
      if (VALUES.has(text)) return { kind: 'builtin', result: { kind: 'array', element: type.value } };
      return PAIRS.has(text) ? { kind: 'builtin', result: pairsOf(type.value) } : undefined;
    default:
      return undefined;
  }
}
