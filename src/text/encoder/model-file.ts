import { closeSync, openSync, readSync } from 'node:fs';

/** Sizes of the model. */
export interface ModelSizes {
  /** Components of a vector. */
  dimensions: number;
  layers: number;
  /** Components between the two halves of a layer's feed-forward part. */
  hidden: number;
  /** Most tokens of a text. */
  positions: number;
  /** Pieces of words with a row in the word table. */
  pieces: number;
}

/** Begins the file, after its own length: what the model is and where its tensors are, from the end of the header on. */
interface ModelHeader {
  model: string;
  sizes: ModelSizes;
  /** By name: offset and length in bytes. */
  tensors: Record<string, [offset: number, bytes: number]>;
}

/** An open file of weights. */
export interface ModelFile extends Disposable {
  header: ModelHeader;
  /** Length of a tensor in bytes. */
  sizeOf(name: string): number;
  /** Reads a tensor into the begin of `target`. */
  read(name: string, target: Uint8Array): void;
}

/** Length of the header's length, a 32-bit integer, little endian. */
const LENGTH_BYTES = 4;

/** Opens the weights that `scripts/models.ts` wrote. */
export function openModelFile(path: string): ModelFile {
  const file = openSync(path, 'r');
  try {
    const length = new DataView(readBytes(file, LENGTH_BYTES, 0).buffer).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(readBytes(file, length, LENGTH_BYTES))) as ModelHeader;
    const tensorOf = (name: string): [number, number] => {
      const tensor = header.tensors[name];
      if (tensor === undefined) throw new Error(`${path} has no tensor ${name}.`);
      return tensor;
    };
    return {
      header,
      sizeOf: (name) => tensorOf(name)[1],
      read: (name, target) => {
        const [offset, bytes] = tensorOf(name);
        readInto(file, target.subarray(0, bytes), LENGTH_BYTES + length + offset);
      },
      [Symbol.dispose]: () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function readBytes(file: number, bytes: number, position: number): Uint8Array<ArrayBuffer> {
  const target = new Uint8Array(bytes);
  readInto(file, target, position);
  return target;
}

function readInto(file: number, target: Uint8Array, position: number): void {
  if (readSync(file, target, 0, target.length, position) !== target.length)
    throw new Error('The file of the model ends too early: it was not copied or installed whole.');
}

/** The file of a model, as `openModelFile` reads it. */
export function packModel(header: Omit<ModelHeader, 'tensors'>, tensors: ReadonlyMap<string, Uint8Array>): Buffer {
  const places: ModelHeader['tensors'] = {};
  let offset = 0;
  for (const [name, { length }] of tensors) {
    places[name] = [offset, length];
    offset += length;
  }
  const json = Buffer.from(JSON.stringify({ ...header, tensors: places }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, ...tensors.values()]);
}
