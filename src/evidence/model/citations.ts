import type { ShownLine, Source } from './brief.ts';

/** Sources, each once, numbered from 1 in the order in which they are cited. */
export class Citations {
  readonly #sources: Source[];
  readonly #numbers: Map<string, number>;

  /** `sources` are numbered from 1 already. */
  constructor(sources: readonly Source[] = []) {
    this.#sources = [...sources];
    this.#numbers = new Map(sources.map((source) => [keyOf(source), source.number]));
  }

  get sources(): readonly Source[] {
    return this.#sources;
  }

  /** The source with its number; one that is cited already keeps its own. */
  cite(source: Omit<Source, 'number'>): Source {
    const existing = this.#sources[(this.numberOf(source) ?? 0) - 1];
    if (existing !== undefined) return existing;
    const added = { ...source, number: this.#sources.length + 1 };
    this.#numbers.set(keyOf(source), added.number);
    this.#sources.push(added);
    return added;
  }

  numberOf(source: Pick<Source, 'repo' | 'id'>): number | undefined {
    return this.#numbers.get(keyOf(source));
  }
}

function keyOf({ repo, id }: Pick<Source, 'repo' | 'id'>): string {
  return `${repo}\n${id}`;
}

/** A text as lines without numbers, without those that are empty. */
export function linesOf(text: string): ShownLine[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ text: line }));
}
