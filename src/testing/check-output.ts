import type { AnyOperation } from '../platform/operation/operation.ts';

/**
 * Checks that an answer has the shape that its operation declares, which other code reads, and no field besides. Notes are for
 * people and part of no shape.
 *
 * @throws Error that names what is wrong.
 */
export function checkOutput({ name, output }: AnyOperation, json: Record<string, unknown>): void {
  const action = typeof json['action'] === 'string' ? json['action'] : '';
  const declared = output?.[action];
  if (declared === undefined) return;
  const { notes: _, ...fields } = json;
  const undeclared = findUndeclared(fields, declared.parse(fields));
  if (undeclared.length > 0)
    throw new Error(`The output of ${name} ${action} does not declare: ${[...new Set(undeclared)].join(', ')}`);
}

/** Paths of fields that a parsed value lacks. */
function findUndeclared(value: unknown, parsed: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => findUndeclared(item, (parsed as unknown[])[at]));
  if (typeof value !== 'object' || value === null) return [];
  const declared = parsed as Record<string, unknown>;
  return Object.entries(value).flatMap(([name, inner]) =>
    name in declared ? findUndeclared(inner, declared[name]).map((path) => `${name}.${path}`) : [name],
  );
}
