import type { Block } from './sections.ts';

/** Deeper headings than word processors have are those of hostile files: every section repeats its path. */
const MOST_DEPTH = 10;

/** Collects the blocks of a document: text below the headings that come before it. */
export class BlockWriter {
  readonly #blocks: Block[] = [];
  readonly #headings: { depth: number; text: string }[] = [];
  #lines: string[] = [];
  #path: string[] = [];

  /** A heading, under those of a smaller depth. One without text is none. */
  heading(level: number, text: string): void {
    const depth = Math.min(level, MOST_DEPTH);
    const title = text.replaceAll(/\s+/g, ' ').trim();
    if (title === '') return;
    this.#flush();
    while ((this.#headings.at(-1)?.depth ?? 0) >= depth) this.#headings.pop();
    this.#headings.push({ depth, text: title });
    this.#path = this.#headings.map((heading) => heading.text);
  }

  /** One paragraph, item of a list, or row of a table. */
  line(text: string): void {
    this.#lines.push(text.trim());
  }

  finish(): Block[] {
    this.#flush();
    return this.#blocks;
  }

  #flush(): void {
    const text = this.#lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
    this.#lines = [];
    if (text !== '') this.#blocks.push({ path: this.#path, text });
  }
}
