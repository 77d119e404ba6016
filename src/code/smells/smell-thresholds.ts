/** Smells of code, in the words that clients filter by. */
export const SMELLS = [
  'complexity',
  'long_function',
  'many_parameters',
  'deep_nesting',
  'duplicate',
  'cycle',
  'large_file',
  'god_class',
] as const;
export type Smell = (typeof SMELLS)[number];

/** A value above its threshold smells; a duplicate or a cycle from its threshold on. */
export type SmellThresholds = Readonly<Record<Smell, number>>;

/**
 * Thresholds that most linters and the Sonar rules take: cognitive complexity, lines of code of a function, parameters, levels
 * of nesting, tokens of a duplicate, files of an import cycle, lines of code of a file, methods of a class.
 */
export const DEFAULT_THRESHOLDS: SmellThresholds = {
  complexity: 15,
  long_function: 80,
  many_parameters: 5,
  deep_nesting: 4,
  duplicate: 50,
  cycle: 2,
  large_file: 750,
  god_class: 20,
};

/** Duplicates are looked for with the index, whatever the threshold is later: shorter ones are not known. */
export const LEAST_DUPLICATE_TOKENS = 30;

/** Thresholds as settings write them, `complexity=20,duplicate=100`; those left out keep their default. */
export function readThresholds(text: string): SmellThresholds {
  const given = text.split(',').flatMap((part) => {
    const [name, value] = part.split('=');
    return SMELLS.some((smell) => smell === name?.trim()) ? [[name?.trim(), Number(value)] as const] : [];
  });
  const thresholds = { ...DEFAULT_THRESHOLDS, ...Object.fromEntries(given) };
  return { ...thresholds, duplicate: Math.max(LEAST_DUPLICATE_TOKENS, thresholds.duplicate) };
}
