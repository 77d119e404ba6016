/** Words of a question that readings take in turn: what one reading takes, the next ones do not see. */
export class Scan {
  /** As it was asked; taken parts are blanks. */
  #open: string;

  constructor(text: string) {
    this.#open = text.normalize('NFC');
  }

  /** Matches of a pattern in what is open, which are taken where they are what is meant. */
  take(pattern: RegExp, isMeant: (match: RegExpExecArray) => boolean = () => true): RegExpExecArray[] {
    const global = new RegExp(pattern.source, 'giu');
    const matches = [...this.#open.matchAll(global)].filter(isMeant);
    for (const match of matches) this.#blank(match.index, match[0].length);
    return matches;
  }

  /** Takes a pattern where it is; whether it was. */
  has(pattern: RegExp): boolean {
    return this.take(pattern).length > 0;
  }

  /** Text that nothing has taken yet, with its case. */
  get open(): string {
    return this.#open;
  }

  #blank(from: number, length: number): void {
    this.#open = this.#open.slice(0, from) + ' '.repeat(length) + this.#open.slice(from + length);
  }
}

/** Returns a pattern of whole words, the longest of them first. */
export function wordsPattern(words: Iterable<string>): string {
  const escaped = [...words]
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return String.raw`(?<![\p{L}\p{N}])(?:${escaped.join('|')})(?![\p{L}\p{N}])`;
}
