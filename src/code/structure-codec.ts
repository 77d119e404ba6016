import { Fingerprint } from './facts.ts';
import { VarintReader, VarintWriter } from './store-codec.ts';

/** One fingerprint of a file: see `Fingerprint`. */
export interface FingerprintRow {
  hash: number;
  token: number;
  line: number;
  endLine: number;
}

/** Fingerprints by token: their number, the places as varints, then the hashes. None is `null`: no blob. */
export function packFingerprints(rows: Int32Array): Uint8Array | null {
  const count = rows.length / Fingerprint.stride;
  if (count === 0) return null;
  const out = new VarintWriter(count * 4);
  const hashes = new Int32Array(count);
  let [token, line] = [0, 0];
  out.push(count);
  for (let row = 0; row < count; row += 1) {
    const at = row * Fingerprint.stride;
    hashes[row] = rows[at + Fingerprint.hash] ?? 0;
    const [nextToken = 0, nextLine = 0, endLine = 0] = rows.subarray(at + Fingerprint.token, at + Fingerprint.stride);
    out.push(nextToken - token);
    out.push(nextLine - line);
    out.push(endLine - nextLine);
    [token, line] = [nextToken, nextLine];
  }
  const places = out.bytes();
  const packed = new Uint8Array(places.length + hashes.byteLength);
  packed.set(places);
  packed.set(new Uint8Array(hashes.buffer), places.length);
  return packed;
}

export function unpackFingerprints(blob: Uint8Array | null): FingerprintRow[] {
  if (blob === null) return [];
  const from = new VarintReader(blob);
  const count = from.next();
  const hashes = new DataView(blob.buffer, blob.byteOffset + blob.length - count * 4, count * 4);
  let [token, line] = [0, 0];
  return Array.from({ length: count }, (_, row) => {
    token += from.next();
    line += from.next();
    return { hash: hashes.getInt32(row * 4, true), token, line, endLine: line + from.next() };
  });
}

/** A sketch as its hashes, one after another. An empty one is `null`: no blob. */
export function packSketch(sketch: Int32Array): Uint8Array | null {
  return sketch.length === 0 ? null : new Uint8Array(sketch.slice().buffer);
}

export function unpackSketch(blob: Uint8Array | null): number[] {
  if (blob === null) return [];
  const view = new DataView(blob.buffer, blob.byteOffset, blob.length);
  return Array.from({ length: blob.length / 4 }, (_, at) => view.getInt32(at * 4, true));
}
