import type { SmellRow } from '../../src/code/outputs/outputs.ts';
import { formatNumber } from '../format.ts';

/** Smells of a line, for the margin of the source. */
export interface SmellMark {
  /** `Cognitive complexity 28 (threshold 15)`; several with semicolons between. */
  text: string;
  /** The last line of the longest of them. */
  end: number;
  /** One is at least twice its threshold. */
  isSevere: boolean;
}

const WORDS: Record<string, (value: string) => string> = {
  complexity: (value) => `Cognitive complexity ${value}`,
  long_function: (value) => `${value} lines of code in a function`,
  many_parameters: (value) => `${value} parameters`,
  deep_nesting: (value) => `${value} levels of nesting`,
  duplicate: (value) => `${value} duplicated tokens`,
  cycle: (value) => `Import cycle of ${value} files`,
  large_file: (value) => `${value} lines of code in the file`,
  god_class: (value) => `${value} methods in a class`,
};

const SEVERE = 2;

/** A smell in words, with its threshold. */
export function smellText({ smell, value, threshold }: SmellRow): string {
  const count = formatNumber(value);
  return `${WORDS[smell]?.(count) ?? `${smell.replaceAll('_', ' ')} ${count}`} (threshold ${formatNumber(threshold)})`;
}

/** Groups smells by the line on which they begin. */
export function marksByLine(rows: readonly SmellRow[]): Map<number, SmellMark> {
  return new Map(
    Array.from(
      Map.groupBy(rows, ({ line }) => line),
      ([line, smells]) => [
        line,
        {
          text: smells.map(smellText).join('; '),
          end: Math.max(...smells.map(({ end }) => end)),
          isSevere: smells.some(({ score }) => score >= SEVERE),
        },
      ],
    ),
  );
}
