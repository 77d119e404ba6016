import { DatabaseSync } from 'node:sqlite';

/** A value of the table `dense`: what is known of all files or symbols, in one blob. */
export interface DenseValue {
  name: string;
  data: Uint8Array;
}

/** Puts values into a finished shard before it is published; those that it has are replaced. */
export function addDenseValues(file: string, values: readonly DenseValue[]): void {
  const db = new DatabaseSync(file);
  try {
    db.exec('pragma journal_mode = off; pragma synchronous = full; begin');
    const insert = db.prepare('insert or replace into dense (name, data) values (?, ?)');
    for (const { name, data } of values) insert.run(name, data);
    db.exec('commit');
  } finally {
    db.close();
  }
}

/** The bytes of a column of integers, as `intsOf` reads them. */
export function bytesOfInts(values: Int32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** A column of integers. Copied, because a blob may not lie on a four-byte boundary. */
export function intsOf(data: Uint8Array): Int32Array {
  const bytes = data.slice();
  return new Int32Array(bytes.buffer, 0, bytes.length / 4);
}
