import trained from './localise-weights.json' with { type: 'json' };

/** What speaks for a file as the place of a fault, or against it. */
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
 * `bench/training/train-localise.ts`. Fixes quote neither traces nor paths and touch neither tests nor prose; the weights of
 * these are set there, so that a frame decides over words.
 */
const WEIGHTS: Record<Feature, number> = trained.weights;

/** Features of all files, by file id. */
export type FileFeatures = Record<Feature, Float32Array>;

/** A file with how likely it is the place, as far as the report tells it (0 to 1 over all files), and what made that. */
export interface RankedFile {
  file: number;
  likelihood: number;
  /** Parts of the weighted sum, those that are 0 left out. */
  parts: Partial<Record<Feature, number>>;
}

/** The likeliest files, at most `limit`; of equals the first. Files that nothing speaks for are left out. */
export function rankFiles(features: FileFeatures, limit: number): RankedFile[] {
  const files = features.text.length;
  const sums = new Float64Array(files);
  for (const feature of FEATURES) {
    const [weight, values] = [WEIGHTS[feature], features[feature]];
    for (let file = 0; file < files; file += 1) sums[file] = (sums[file] ?? 0) + weight * (values[file] ?? 0);
  }
  const most = sums.reduce((best, sum) => Math.max(best, sum), 0);
  const all = sums.reduce((total, sum) => total + Math.exp(sum - most), 0);
  return Array.from(sums, (sum, file) => ({ file, sum }))
    .filter(({ sum }) => sum > 0)
    .toSorted((a, b) => b.sum - a.sum || a.file - b.file)
    .slice(0, limit)
    .map(({ file, sum }) => ({ file, likelihood: Math.exp(sum - most) / all, parts: partsOf(features, file) }));
}

function partsOf(features: FileFeatures, file: number): RankedFile['parts'] {
  const parts: RankedFile['parts'] = {};
  for (const feature of FEATURES) {
    const value = features[feature][file] ?? 0;
    if (value !== 0) parts[feature] = WEIGHTS[feature] * value;
  }
  return parts;
}
