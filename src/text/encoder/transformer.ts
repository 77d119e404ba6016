import { readFileSync } from 'node:fs';
import { type ModelFile, openModelFile } from './model-file.ts';

/** A Q4_0 block of the file: 32 weights in 18 bytes. */
const BLOCK = { weights: 32, bytes: 18 };

const FLOAT_BYTES = 4;
const PAGE_BYTES = 65_536;
/** A line of the processor's cache; SIMD reads 16 bytes at a time. */
const ALIGNMENT = 64;
/** Matrix products compute four rows at a time. */
const TILE_ROWS = 4;

/** Of the memory that the arithmetic works on. */
type Address = number;

/** The functions of `models/encoder.ts`, which documents their arguments: addresses and sizes. */
type Arithmetic = Record<
  'expand' | 'embed' | 'normalize' | 'quantize' | 'multiply' | 'attend' | 'gelu',
  (...values: readonly number[]) => void
>;

interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of WebAssembly that is used: the types of Node do not have it. */
interface WebAssembly {
  Memory: new (size: { initial: number }) => WebAssemblyMemory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Arithmetic };
}

/** A matrix with 8-bit weights, and what is added to its product. */
interface Linear {
  weights: Address;
  scales: Address;
  biases: Address;
  inputs: number;
  outputs: number;
}

interface Norm {
  weights: Address;
  biases: Address;
}

interface Layer {
  /** Makes the query, the key and the value of each token. */
  projection: Linear;
  attention: Linear;
  attentionNorm: Norm;
  expansion: Linear;
  reduction: Linear;
  norm: Norm;
}

/** Rows of all tokens of a text, in floats but for what is quantised. */
interface Buffers {
  ids: Address;
  states: Address;
  attended: Address;
  projected: Address;
  hidden: Address;
  quantized: Address;
  quantizedScales: Address;
  shares: Address;
}

/** A loaded model. */
interface Transformer {
  /** Most tokens of a text. */
  positions: number;
  /** The mean of what the last layer makes of the tokens, with length 1. About 1 ms a token. */
  encode: (ids: readonly number[]) => Float32Array;
}

/** Loads a BERT-like model: 0.2 s, and 45 MB for one of 12 layers and 384 dimensions. */
export function loadTransformer(paths: { weights: string; wasm: string }): Transformer {
  using file = openModelFile(paths.weights);
  const { sizes } = file.header;
  const { dimensions, positions } = sizes;
  const heap = new WasmHeap(readFileSync(paths.wasm));
  const buffers = takeBuffers(heap, sizes);
  const loader = new TensorLoader(heap, file);
  const words = loader.load('words');
  const positionRows = loader.load('positions');
  const firstNorm = loader.loadNorm('norm');
  const layers = Array.from({ length: sizes.layers }, (_, number) => loader.loadLayer(number));
  const { arithmetic } = heap;
  const { ids, states, attended, projected, hidden } = buffers;

  const apply = (linear: Linear, input: Address, output: Address, rows: number): void => {
    const { quantized, quantizedScales } = buffers;
    const { weights, scales, biases, inputs, outputs } = linear;
    arithmetic.quantize(input, quantized, quantizedScales, rows, inputs);
    arithmetic.multiply(quantized, quantizedScales, weights, scales, biases, output, rows, outputs, inputs);
  };
  const applyNorm = ({ weights, biases }: Norm, added: Address, tokens: number): void =>
    arithmetic.normalize(states, added, weights, biases, tokens, dimensions);
  const applyLayer = (layer: Layer, tokens: number, rows: number): void => {
    apply(layer.projection, states, projected, rows);
    arithmetic.attend(projected, attended, buffers.shares, tokens, dimensions);
    apply(layer.attention, attended, hidden, rows);
    applyNorm(layer.attentionNorm, hidden, tokens);
    apply(layer.expansion, states, hidden, rows);
    arithmetic.gelu(hidden, rows * sizes.hidden);
    apply(layer.reduction, hidden, projected, rows);
    applyNorm(layer.norm, projected, tokens);
  };
  const encode = (tokenIds: readonly number[]): Float32Array => {
    const tokens = tokenIds.length;
    if (tokens === 0 || tokens > positions) throw new Error(`The model reads 1 to ${positions} tokens, not ${tokens}.`);
    const rows = Math.ceil(tokens / TILE_ROWS) * TILE_ROWS;
    heap.integers(ids, tokens).set(tokenIds);
    // Rows that only fill up a tile.
    for (const buffer of [states, attended]) heap.floats(buffer, rows * dimensions).fill(0);
    arithmetic.embed(ids, words, positionRows, states, tokens, dimensions);
    applyNorm(firstNorm, 0, tokens);
    for (const layer of layers) applyLayer(layer, tokens, rows);
    return unitMean(heap.floats(states, tokens * dimensions), dimensions);
  };
  return { positions, encode };
}

/** The mean of rows, with length 1. */
function unitMean(rows: Float32Array, size: number): Float32Array {
  const sums = new Float32Array(size);
  for (const [at, value] of rows.entries()) sums[at % size] = (sums[at % size] ?? 0) + value;
  const length = Math.hypot(...sums) || 1;
  return sums.map((value) => value / length);
}

function takeBuffers(
  heap: WasmHeap,
  { dimensions, hidden, positions }: { dimensions: number; hidden: number; positions: number },
): Buffers {
  const rows = (columns: number): Address => heap.take(positions * columns * FLOAT_BYTES);
  return {
    ids: rows(1),
    states: rows(dimensions),
    attended: rows(dimensions),
    projected: rows(3 * dimensions),
    hidden: rows(hidden),
    // Two bytes a value.
    quantized: rows(hidden / 2),
    quantizedScales: rows(1),
    shares: heap.take((positions + TILE_ROWS) * FLOAT_BYTES),
  };
}

/** The memory of the arithmetic, which grows while the model is loaded. Nothing is given back. */
class WasmHeap {
  readonly arithmetic: Arithmetic;
  readonly #memory: WebAssemblyMemory;
  /** The module keeps what it needs below. */
  #end = PAGE_BYTES;

  constructor(wasm: Uint8Array) {
    // The compiler knows nothing of this property of Node.
    const { Memory, Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssembly }).WebAssembly;
    this.#memory = new Memory({ initial: 1 });
    const imports = { env: { memory: this.#memory, abort: stop } };
    this.arithmetic = new Instance(new Module(wasm), imports).exports;
  }

  take(bytes: number): Address {
    const address = this.#end;
    this.#end += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    const missing = this.#end - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    return address;
  }

  /** Views are valid until the next `take`. */
  bytes(address: Address, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, address, length);
  }

  floats(address: Address, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, address, length);
  }

  integers(address: Address, length: number): Int32Array {
    return new Int32Array(this.#memory.buffer, address, length);
  }
}

/** Called for what cannot happen: the module was compiled with this import. */
function stop(): never {
  throw new Error('The arithmetic of the encoder stopped.');
}

/** Brings tensors of the file into the memory of the arithmetic. */
class TensorLoader {
  readonly #heap: WasmHeap;
  readonly #file: ModelFile;
  /** Room for the blocks of the largest matrix. */
  readonly #blocks: Address;

  constructor(heap: WasmHeap, file: ModelFile) {
    const { dimensions, hidden } = file.header.sizes;
    this.#heap = heap;
    this.#file = file;
    this.#blocks = heap.take((dimensions * hidden * BLOCK.bytes) / BLOCK.weights);
  }

  load(name: string): Address {
    const bytes = this.#file.sizeOf(name);
    const address = this.#heap.take(bytes);
    this.#file.read(name, this.#heap.bytes(address, bytes));
    return address;
  }

  loadNorm(name: string): Norm {
    return { weights: this.load(`${name}.weights`), biases: this.load(`${name}.biases`) };
  }

  loadLayer(number: number): Layer {
    const { dimensions, hidden } = this.#file.header.sizes;
    const of = (part: string): string => `layers.${number}.${part}`;
    return {
      projection: this.#loadLinear(of('projection'), dimensions),
      attention: this.#loadLinear(of('attention'), dimensions),
      attentionNorm: this.loadNorm(of('attention-norm')),
      expansion: this.#loadLinear(of('expansion'), dimensions),
      reduction: this.#loadLinear(of('reduction'), hidden),
      norm: this.loadNorm(of('norm')),
    };
  }

  #loadLinear(name: string, inputs: number): Linear {
    const bytes = this.#file.sizeOf(`${name}.weights`);
    const outputs = (bytes / BLOCK.bytes) * (BLOCK.weights / inputs);
    const [weights, scales] = [this.#heap.take(outputs * inputs), this.#heap.take(outputs * FLOAT_BYTES)];
    const biases = this.load(`${name}.biases`);
    this.#file.read(`${name}.weights`, this.#heap.bytes(this.#blocks, bytes));
    this.#heap.arithmetic.expand(this.#blocks, outputs, inputs, weights, scales);
    return { weights, scales, biases, inputs, outputs };
  }
}
