import { Parser } from 'htmlparser2';

/** What is called for each part of an XML text, in its order. Names are as the text has them, with their prefix. */
interface XmlHandlers {
  open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

/**
 * Calls handlers for the elements and texts of an XML document. No tree is made, whose depth anybody could choose, and no entity
 * that a document declares is expanded. Faulty XML is read as far as it goes.
 */
export function readXml(source: string, { open, text, close }: XmlHandlers): void {
  const parser = new Parser(
    {
      onopentag: open,
      ...(text !== undefined && { ontext: text }),
      ...(close !== undefined && { onclosetag: (name: string) => close(name) }),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(source);
  parser.end();
}

/** Collects the blocks of a document: text below the headings that come before it. */
export class BlockWriter {
  readonly blocks: { path: string[]; text: string }[] = [];
  readonly #headings: { depth: number; text: string }[] = [];
  #lines: string[] = [];
  #path: string[] = [];

  /** A heading, under those of a smaller depth. One without text is none. */
  heading(depth: number, text: string): void {
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

  finish(): { path: string[]; text: string }[] {
    this.#flush();
    return this.blocks;
  }

  #flush(): void {
    const text = this.#lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
    this.#lines = [];
    if (text !== '') this.blocks.push({ path: this.#path, text });
  }
}
