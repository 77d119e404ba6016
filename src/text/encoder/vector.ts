const LARGEST_BYTE = 127;

/** A vector in bytes. Only its direction matters, so its largest component takes the whole range. */
export function toBytes(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const factor = LARGEST_BYTE / (largest || 1);
  return Int8Array.from(vector, (value) => Math.round(value * factor));
}

/** The vector in floats, with length 1: for sums and means of vectors. */
export function unitVector(vector: Int8Array): Float32Array {
  const length = lengthOf(vector) || 1;
  return Float32Array.from(vector, (value) => value / length);
}

/** Cosine similarity of two vectors of one model, from -1 to 1. */
export function cosine(a: Int8Array, b: Int8Array): number {
  return dotProduct(a, b) / (lengthOf(a) * lengthOf(b) || 1);
}

function lengthOf(vector: Int8Array): number {
  return Math.sqrt(dotProduct(vector, vector));
}

function dotProduct(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
