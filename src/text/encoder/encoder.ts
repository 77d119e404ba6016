/** `query` for questions and for texts that are compared with each other; `passage` for texts that questions look for. */
export type TextKind = 'query' | 'passage';

/** Similarity of texts that have nothing to do with each other. */
export interface UsualSimilarity {
  mean: number;
  spread: number;
}

/** Turns texts into vectors: what means the same is near, in any language that the model knows. */
export interface Encoder {
  /** Identifies the model, its revision and settings. Vectors, and thresholds of their similarity, belong to one of them. */
  model: string;
  /** The model as people know it. */
  name: string;
  /** Of a question to texts that were encoded so; undefined where it was not measured. */
  usual?: Record<TextKind, UsualSimilarity>;
  limits: {
    /** Most texts that are encoded at a time: what is asked meanwhile waits for these. */
    texts: number;
    /** Longest text; callers cut off what is behind it. */
    characters: number;
  };
  /**
   * The direction of each text, in their order, all of one length (`vector.ts` compares them). Questions are encoded before
   * what waits in the background; a service is asked for one question once, and for more texts again while it is busy.
   *
   * @throws EncodingFailed when the encoder does not do its work; the reason of the signal.
   */
  encode(texts: readonly string[], kind: TextKind, signal?: AbortSignal): Promise<Int8Array[]>;
}

/** An encoder did not answer, or not as it should. Its message holds no text that was sent, and no key. */
export class EncodingFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EncodingFailed';
  }
}
