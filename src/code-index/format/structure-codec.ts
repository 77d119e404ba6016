import type { FileFacts } from '../../languages/facts/facts.ts';
import { VarintReader, VarintWriter } from '../../kernel/varints.ts';

/**
 * Fingerprints (see `Fingerprint`) of many files by file and token, one column a field. After the rows of each file stands one
 * that is none, with the file -1.
 */
export interface FingerprintColumns {
  count: number;
  files: Int32Array;
  hashes: Int32Array;
  tokens: Int32Array;
  lines: Int32Array;
  endLines: Int32Array;
}

/** Fingerprints by token: their number, the places as varints, then the hashes. None is `null`: no blob. */
export function packFingerprints(rows: FileFacts['fingerprints']): Uint8Array | null {
  const { count } = rows;
  if (count === 0) return null;
  const out = new VarintWriter(count * 4);
  const hashes = new Int32Array(count);
  let [token, line] = [0, 0];
  out.push(count);
  for (let row = 0; row < count; row += 1) {
    hashes[row] = rows.hash(row);
    const [nextToken, nextLine] = [rows.token(row), rows.line(row)];
    out.push(nextToken - token);
    out.push(nextLine - line);
    out.push(rows.endLine(row) - nextLine);
    [token, line] = [nextToken, nextLine];
  }
  const places = out.bytes();
  const packed = new Uint8Array(places.length + hashes.byteLength);
  packed.set(places);
  packed.set(new Uint8Array(hashes.buffer), places.length);
  return packed;
}

/** The fingerprints of some files, in their order: 30 ns a row. */
export function unpackFingerprints(packed: readonly { file: number; fingerprints: Uint8Array }[]): FingerprintColumns {
  const count = packed.reduce((sum, { fingerprints }) => sum + new VarintReader(fingerprints).next() + 1, 0);
  const column = (): Int32Array => new Int32Array(count);
  const columns = { files: column(), hashes: column(), tokens: column(), lines: column(), endLines: column() };
  let row = 0;
  for (const { file, fingerprints } of packed) {
    const from = new VarintReader(fingerprints);
    const rows = from.next();
    const { buffer, byteOffset, length } = fingerprints;
    const hashes = new DataView(buffer, byteOffset + length - rows * 4, rows * 4);
    let [token, line] = [0, 0];
    for (let at = 0; at < rows; at += 1, row += 1) {
      columns.files[row] = file;
      columns.hashes[row] = hashes.getInt32(at * 4, true);
      columns.tokens[row] = token += from.next();
      columns.lines[row] = line += from.next();
      columns.endLines[row] = line + from.next();
    }
    columns.files[row] = -1;
    row += 1;
  }
  return { count, ...columns };
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
