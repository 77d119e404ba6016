const OBJECT_BYTES = 32;
const SLOT_BYTES = 8;
const STRING_BYTES = 16;

/**
 * About what plain data takes in memory: strings, numbers, arrays, objects, maps, sets and typed arrays, each object
 * counted once. Visits all of it, so measure where a value enters a cache, not at each look-up.
 */
export function estimateBytes(value: unknown): number {
  const visited = new Set<object>();
  const waiting: unknown[] = [value];
  let bytes = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    bytes += SLOT_BYTES;
    if (typeof next === 'string') bytes += STRING_BYTES + next.length;
    if (typeof next !== 'object' || next === null || visited.has(next)) continue;
    visited.add(next);
    bytes += OBJECT_BYTES;
    if (ArrayBuffer.isView(next)) bytes += next.byteLength;
    else for (const part of partsOf(next)) waiting.push(part);
  }
  return bytes;
}

function partsOf(value: object): Iterable<unknown> {
  if (value instanceof Map) return [...value.keys(), ...value.values()];
  if (value instanceof Set || Array.isArray(value)) return value as Iterable<unknown>;
  return Object.values(value);
}
