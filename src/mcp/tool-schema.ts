import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AnyOperation } from '../platform/operation/operation.ts';

/** Order of the keys of a published schema, so that the same operations give the same bytes. Others follow as they come. */
const KEY_ORDER = [
  'type',
  'description',
  'enum',
  'items',
  'properties',
  'required',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
];

/** Part of no contract with a client: the dialect is the protocol's default, and unknown keys are accepted. */
const DROPPED = new Set(['$schema', 'additionalProperties']);

type Json = Record<string, unknown>;

/** Returns the entry of an operation in `tools/list`. Costs a schema conversion (about 200 us): made once per process. */
export function describeTool(operation: AnyOperation): Tool {
  return {
    name: operation.name,
    annotations: operation.annotations,
    description: operation.description,
    inputSchema: inputSchema(operation.input),
  };
}

/** JSON Schema of what a caller may send: defaults are optional, `required` is always there. */
function inputSchema(input: z.ZodObject): Tool['inputSchema'] {
  const schema = tidy(z.toJSONSchema(input, { target: 'draft-2020-12', io: 'input' }));
  return {
    type: 'object',
    properties: (schema['properties'] ?? {}) as NonNullable<Tool['inputSchema']['properties']>,
    required: (schema['required'] ?? []) as string[],
  };
}

/** The schema with its keys in order, without what clients need not read. Names of properties keep their order. */
function tidy(schema: Json): Json {
  const keys = Object.keys(schema).filter((key) => !DROPPED.has(key) && !isIntegerRange(key, schema[key]));
  keys.sort((a, b) => rank(a) - rank(b));
  return Object.fromEntries(keys.map((key) => [key, tidyValue(key, schema[key])]));
}

function tidyValue(key: string, value: unknown): unknown {
  if (key === 'properties')
    return Object.fromEntries(Object.entries(value as Json).map(([name, inner]) => [name, tidy(inner as Json)]));
  return key === 'items' ? tidy(value as Json) : value;
}

/** True for the range of safe integers: zod states it for every `z.int()`, and it is of no use to a client. */
function isIntegerRange(key: string, value: unknown): boolean {
  return (key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

function rank(key: string): number {
  const index = KEY_ORDER.indexOf(key);
  return index === -1 ? KEY_ORDER.length : index;
}
