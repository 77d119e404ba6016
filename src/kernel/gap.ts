import { counted } from './counted.ts';

/** Part of its commit that an index lacks, because the repository does not have it, or it was not understood. */
export interface Gap {
  /** `note` is a sentence for people: no answer is less complete for it. */
  kind:
    | 'shallow'
    | 'missing'
    | 'submodules'
    | 'pointers'
    | 'syntax'
    | 'unparsed'
    | 'large'
    | 'lines'
    | 'binary'
    | 'encoding'
    | 'links'
    | 'note';
  /** Number of files, paths or (shallow) commits that are there. */
  count: number;
  /** Number of its files that are among those counted as unparsed; of syntax errors all when absent. */
  unparsed?: number;
  /** A sentence that names them. */
  text: string;
}

/** Most paths that a sentence names. */
const MOST_NAMED = 10;

/** Paths with commas between, the first ten: `lib/a, lib/b and 3 more`. */
export function namePaths(paths: readonly string[]): string {
  const more = paths.length - MOST_NAMED;
  return paths.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Gaps of several runs, each once. */
export function joinGaps(...all: readonly (readonly Gap[])[]): Gap[] {
  return [...new Map(all.flat().map((gap) => [gap.text, gap])).values()];
}

/** Describes gaps in a few words each. Files counted in `unparsed` under no other reason come first. */
export function describeGaps(gaps: readonly Gap[], unparsed: number): string[] {
  const named = gaps.reduce((sum, gap) => sum + (gap.unparsed ?? (gap.kind === 'syntax' ? gap.count : 0)), 0);
  const files = unparsed <= named ? [] : [`${counted(unparsed - named, 'file')} unparsed`];
  return [...files, ...gaps.flatMap(({ kind, count }) => (kind === 'note' ? [] : [GAP_WORDS[kind](count)]))];
}

const GAP_WORDS: Readonly<Record<Exclude<Gap['kind'], 'note'>, (count: number) => string>> = {
  shallow: (count) => `history cut at ${counted(count, 'commit')}`,
  missing: (count) => `content of ${counted(count, 'file')} missing`,
  submodules: (count) => `${counted(count, 'submodule')} not indexed`,
  pointers: (count) => counted(count, 'LFS pointer'),
  syntax: (count) => `${counted(count, 'file')} with syntax errors`,
  unparsed: (count) => `${counted(count, 'file')} unparsed`,
  large: (count) => `${counted(count, 'file')} too large`,
  lines: (count) => `${counted(count, 'file')} of very long lines`,
  binary: (count) => `${counted(count, 'file')} with zero bytes`,
  encoding: (count) => `${counted(count, 'file')} in a guessed encoding`,
  links: (count) => `${counted(count, 'symbolic link')} not followed`,
};
