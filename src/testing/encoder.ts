import { type Encoder, EncodingFailed, type TextKind } from '../text/encoder/encoder.ts';
import { toBytes } from '../text/encoder/vector.ts';
import { wordVector } from './embedding-server.ts';

/** An encoder of this process, by which texts are near that share words, or words that mean the same. */
export interface TestEncoder extends Encoder {
  /** Calls that encoded texts. */
  calls: { texts: readonly string[]; kind: TextKind }[];
  /** True if calls fail. */
  isBroken: boolean;
}

export function testEncoder(meanings: Record<string, string> = {}, model = 'words'): TestEncoder {
  const encoder: TestEncoder = {
    model,
    name: model,
    limits: { texts: 2, characters: 1_000 },
    usual: { query: { mean: 0, spread: 0.1 }, passage: { mean: 0, spread: 0.1 } },
    calls: [],
    isBroken: false,
    encode: async (texts, kind, signal) => {
      signal?.throwIfAborted();
      if (encoder.isBroken) throw new EncodingFailed('The encoder does not work.');
      encoder.calls.push({ texts, kind });
      return texts.map((text) => toBytes(Float32Array.from(wordVector(text, { dimensions: 64, meanings }))));
    },
  };
  return encoder;
}
