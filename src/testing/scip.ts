/** A document of a test index: symbols with the places where they stand, and what they implement. */
export interface ScipSketch {
  path: string;
  /** 1 UTF-8, 2 UTF-16, 3 UTF-32; not written when absent. */
  encoding?: number;
  /** Line, column and end column from 0. Roles are SCIP's: 1 a definition, 2 an import, 4 a write. */
  names: { symbol: string; at: readonly [line: number, column: number, end: number]; roles?: number }[];
  implementations?: { symbol: string; other: string }[];
}

/** Bytes of a SCIP index, as an indexer writes them. */
export function scipIndex(documents: readonly ScipSketch[], tool = 'scip-test'): Uint8Array {
  const metadata = message([bytesField(2, message([textField(1, tool), textField(2, '1.0.0')]))]);
  return message([bytesField(1, metadata), ...documents.map((document) => bytesField(2, documentOf(document)))]);
}

function documentOf({ path, encoding, names, implementations = [] }: ScipSketch): Uint8Array {
  return message([
    textField(1, path),
    ...names.map(({ symbol, at, roles = 0 }) =>
      bytesField(2, message([bytesField(1, message(at.map(varint))), textField(2, symbol), integerField(3, roles)])),
    ),
    ...implementations.map(({ symbol, other }) =>
      bytesField(3, message([textField(1, symbol), bytesField(4, message([textField(1, other), integerField(3, 1)]))])),
    ),
    ...(encoding === undefined ? [] : [integerField(6, encoding)]),
  ]);
}

const message = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
const integerField = (number: number, value: number): Uint8Array => message([varint(number * 8), varint(value)]);
const textField = (number: number, text: string): Uint8Array => bytesField(number, new Uint8Array(Buffer.from(text)));
const bytesField = (number: number, bytes: Uint8Array): Uint8Array =>
  message([varint(number * 8 + 2), varint(bytes.length), bytes]);

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let remainder = value;
  for (; remainder > 127; remainder >>>= 7) bytes.push((remainder & 127) | 128);
  return Uint8Array.from([...bytes, remainder]);
}
