import trained from './localise-weights.json' with { type: 'json' };

/** Features that make a file more or less likely to hold a fault. */
export const FEATURES = [
  'frame',
  'path',
  'literal',
  'defines',
  'uses',
  'names',
  'text',
  'symbols',
  'title_search',
  'file_name',
  'history',
  'fixes',
  'graph',
  'changed',
  'beside',
  'tooling',
  'prose',
  'test',
] as const;
export type Feature = (typeof FEATURES)[number];

/**
 * Each feature is 0 to 1, `defines`, `uses` and `literal` up to 2. Most weights are learned from messages of fixes by
 * `lab/training/train-localise.ts`. Fixes quote neither traces nor paths and touch neither tests nor prose; the weights of
 * these are set there, so that a frame decides over words.
 */
const WEIGHTS: Record<Feature, number> = trained.weights;

/** Features of all files, by file id. */
export type FileFeatures = Record<Feature, Float32Array>;

/**
 * Features that do not depend on words: from a trace, a text that is verbatim in a file, and the kind of file. Where files are
 * ranked by words alone, these count the same.
 */
const STATED = ['frame', 'literal', 'changed', 'beside', 'tooling', 'prose', 'test'] as const satisfies Feature[];

/** The weighted sum of all features by file id; files that nothing speaks for have 0 or less. */
export function weighFiles(features: FileFeatures): Float32Array {
  return sumOf(features, FEATURES);
}

/** The weighted sum of what does not depend on words. */
export function weighStated(features: FileFeatures): Float32Array {
  return sumOf(features, STATED);
}

/** The part of one such feature. */
export function weighStatedFeature(features: FileFeatures, name: (typeof STATED)[number], file: number): number {
  return WEIGHTS[name] * (features[name][file] ?? 0);
}

/** Likelihood of each file to be the location of the fault as far as the report tells: 0 to 1, all together 1. */
export function likelihoodsOf(sums: Float32Array): Float32Array {
  const most = sums.reduce((best, sum) => Math.max(best, sum), 0);
  const all = sums.reduce((total, sum) => total + Math.exp(sum - most), 0);
  return sums.map((sum) => Math.exp(sum - most) / all);
}

function sumOf(features: FileFeatures, names: readonly Feature[]): Float32Array {
  const sums = new Float32Array(features.text.length);
  for (const name of names) {
    const [weight, values] = [WEIGHTS[name], features[name]];
    for (let file = 0; file < sums.length; file += 1) sums[file] = (sums[file] ?? 0) + weight * (values[file] ?? 0);
  }
  return sums;
}
