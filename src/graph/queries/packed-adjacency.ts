import type { CodeAdjacency, EdgeList, EdgeLists } from '../model/adjacency.ts';

/** Integers at the beginning of a packed adjacency: symbols, files, and the lengths of what varies. */
const HEAD = 5;

/** An adjacency in one blob: its head, then the columns of four bytes, of two, and of one. */
export function packAdjacency({
  symbols,
  files,
  says,
  kinds,
  commonness,
  leaving,
  reaching,
}: CodeAdjacency): Uint8Array {
  const head = Int32Array.of(symbols, files, says.length, leaving.bytes.length, reaching.bytes.length);
  const columns = [head, leaving.starts, reaching.starts, says, kinds, commonness, leaving.bytes, reaching.bytes];
  const packed = new Uint8Array(columns.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of columns) {
    packed.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return packed;
}

/** The columns are views of one copy in memory that threads share. */
export function unpackAdjacency(data: Uint8Array): CodeAdjacency {
  const buffer = new SharedArrayBuffer(data.length);
  new Uint8Array(buffer).set(data);
  const [symbols = 0, files = 0, saysLength = 0, leavingLength = 0, reachingLength = 0] = new Int32Array(
    buffer,
    0,
    HEAD,
  );
  const nodes = symbols + files;
  let at = HEAD * 4;
  const take = (bytes: number): number => (at += bytes) - bytes;
  const starts = (): Int32Array => new Int32Array(buffer, take((nodes + 1) * 4), nodes + 1);
  const [leavingStarts, reachingStarts] = [starts(), starts()];
  const says = new Uint16Array(buffer, take(saysLength * 2), saysLength);
  const bytes = (length: number): Uint8Array => new Uint8Array(buffer, take(length), length);
  const [kinds, commonness] = [bytes(nodes), bytes(nodes)];
  const [leaving, reaching] = [bytes(leavingLength), bytes(reachingLength)];
  return {
    symbols,
    files,
    says,
    kinds,
    commonness,
    leaving: { starts: leavingStarts, bytes: leaving },
    reaching: { starts: reachingStarts, bytes: reaching },
  };
}

export function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

/** A column in memory that threads share; itself when it is there. */
export function shared<Column extends Int32Array | Uint16Array | Uint8Array>(
  column: Column,
  kind: new (buffer: SharedArrayBuffer) => Column,
): Column {
  if (column.buffer instanceof SharedArrayBuffer) return column;
  const copy = new kind(new SharedArrayBuffer(column.byteLength));
  copy.set(column);
  return copy;
}

export function shareLists({ leaving, reaching }: EdgeLists): EdgeLists {
  return { leaving: shareList(leaving), reaching: shareList(reaching) };
}

function shareList({ starts, bytes }: EdgeList): EdgeList {
  return { starts: shared(starts, Int32Array), bytes: shared(bytes, Uint8Array) };
}
