import { join } from 'node:path';
import type { TextKind } from './encoder.ts';
import { loadTransformer } from './transformer.ts';
import { readPieces, unigramTokenizer } from './unigram-tokenizer.ts';
import { toBytes } from './vector.ts';

/** The files of the encoder that ships with the service, in `models/`. */
export const MODEL_FILES = {
  weights: 'multilingual-e5-small.bin',
  pieces: 'multilingual-e5-small.pieces.json',
  wasm: 'encoder.wasm',
} as const;

/** Loads the model of a folder into this thread, which it blocks: 0.3 s of processor time, then 1 ms a token. */
export function loadEncoder(folder: string): (text: string, kind: TextKind) => Int8Array {
  const { weights, pieces, wasm } = MODEL_FILES;
  const tokenize = unigramTokenizer(readPieces(join(folder, pieces)));
  const { positions, encode } = loadTransformer({ weights: join(folder, weights), wasm: join(folder, wasm) });
  // The model was trained with these before its texts.
  return (text, kind) => toBytes(encode(tokenize(`${kind}: ${text}`, positions)));
}
