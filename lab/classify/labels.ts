import type { CommitText } from '../../src/commits/classify/classify-features.ts';
import { pathKind } from '../../src/kernel/path-kinds.ts';

/**
 * Returns the type of a commit by the definitions of the types where its paths leave no choice, otherwise the author's. Authors
 * of different projects call the same thing by different names, so this is the fairer measure.
 */
export function consistentLabel(commit: CommitText, author: string): string {
  const kinds = new Set(commit.files.map(({ path }) => pathKind(path)));
  const isOnly = (...allowed: string[]): boolean =>
    kinds.size > 0 && [...kinds].every((kind) => allowed.includes(kind));
  if (isOnly('ci')) return 'ci';
  if (isOnly('docs')) return 'docs';
  if (isOnly('test')) return 'test';
  return isOnly('manifest', 'lock') ? 'build' : author;
}

/** Figures of one run, in percent. */
export interface Figures {
  examples: number;
  accuracy: number;
  macroF1: number;
  f1: Record<string, number>;
}

export function figuresOf(
  gold: readonly string[],
  predictions: readonly string[],
  classes: readonly string[],
): Figures {
  const f1 = classes.map((type): [string, number] => {
    const both = gold.filter((label, at) => label === type && predictions[at] === type).length;
    const either = gold.filter((label) => label === type).length + predictions.filter((label) => label === type).length;
    return [type, percent((2 * both) / Math.max(1, either))];
  });
  return {
    examples: gold.length,
    accuracy: percent(gold.filter((label, at) => label === predictions[at]).length / Math.max(1, gold.length)),
    macroF1: percent(f1.reduce((sum, [, value]) => sum + value, 0) / 100 / classes.length),
    f1: Object.fromEntries(f1),
  };
}

export function percent(part: number): number {
  return Math.round(1000 * part) / 10;
}
