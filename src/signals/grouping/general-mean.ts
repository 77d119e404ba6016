import trained from './general-mean.json' with { type: 'json' };

/**
 * The mean of the vectors of messages about many subjects in several languages, which says what an encoder puts into every vector;
 * undefined for another encoder than the one that it was measured with.
 */
export function generalMean(model: string | null): Float32Array | undefined {
  if (model !== trained.model) return undefined;
  const bytes = Buffer.from(trained.vector, 'base64');
  return Float32Array.from(
    new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
    (value) => value * trained.unit,
  );
}
