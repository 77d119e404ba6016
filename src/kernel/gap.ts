/** What an index lacks of the commit it is of, because the repository does not have it, or it was not understood. */
export interface Gap {
  /** `note` is worth a sentence, but no answer is less whole for it. */
  kind: 'shallow' | 'missing' | 'submodules' | 'pointers' | 'syntax' | 'note';
  /** Of files, paths or (shallow) commits that are there. */
  count: number;
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
