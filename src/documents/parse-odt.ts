import { lockedFile, readParts, titleOfPart } from './office-parts.ts';
import { type Block, documentOf, type ParsedDocument } from './sections.ts';
import { readXml } from '../platform/xml.ts';
import { BlockWriter } from './block-writer.ts';

/** Elements whose text is not part of the document as it is read: deleted text, comments, lists of contents, form fields. */
const SILENT: ReadonlySet<string> = new Set([
  'text:tracked-changes',
  'office:annotation',
  'office:forms',
  'text:table-of-content',
  'text:note-citation',
  'svg:title',
  'svg:desc',
  'office:scripts',
  'office:font-face-decls',
]);
const MOST_SPACES = 100;

/** Reads the text of an OpenDocument text with its headings; footnotes stand in brackets where they are cited. */
export async function parseOdt(bytes: Buffer): Promise<ParsedDocument> {
  const parts = await readParts(bytes, 'The OpenDocument text', (name) =>
    ['content.xml', 'meta.xml', 'META-INF/manifest.xml'].includes(name),
  );
  if (/<manifest:encryption-data\b/.test(parts.get('META-INF/manifest.xml') ?? ''))
    throw lockedFile('The OpenDocument text');
  return documentOf(readOdtText(parts.get('content.xml') ?? ''), titleOfPart(parts.get('meta.xml') ?? ''));
}

/** A paragraph or heading that is open: inside of a footnote or frame, in another one. */
interface OpenParagraph {
  text: string;
  /** Of a heading; 0 for a paragraph. */
  depth: number;
  isNote: boolean;
}

class OdtText {
  readonly writer = new BlockWriter();
  readonly #open: OpenParagraph[] = [];
  readonly #rows: string[][] = [];
  #notes = 0;
  #silent: { name: string; times: number } | undefined;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#silent !== undefined) {
      if (this.#silent.name === name) this.#silent.times += 1;
      return;
    }
    if (SILENT.has(name)) this.#silent = { name, times: 1 };
    else if (name === 'text:p' || name === 'text:h') {
      const depth = name === 'text:h' ? Number(attributes['text:outline-level'] ?? 1) || 1 : 0;
      this.#open.push({ text: '', depth, isNote: this.#notes > 0 });
    } else if (name === 'text:s') this.text(' '.repeat(Math.min(Number(attributes['text:c'] ?? 1) || 1, MOST_SPACES)));
    else if (name === 'text:tab') this.text('\t');
    else if (name === 'text:line-break') this.text('\n');
    else if (name === 'text:note-body') this.#notes += 1;
    else if (name === 'table:table-row') this.#rows.push([]);
    else if (name === 'table:table-cell') this.#rows.at(-1)?.push('');
  }

  text(text: string): void {
    const paragraph = this.#open.at(-1);
    if (this.#silent === undefined && paragraph !== undefined) paragraph.text += text;
  }

  close(name: string): void {
    if (this.#silent !== undefined) {
      if (this.#silent.name === name) this.#silent.times -= 1;
      if (this.#silent.times === 0) this.#silent = undefined;
    } else if (name === 'text:p' || name === 'text:h') this.#endParagraph();
    else if (name === 'text:note-body') this.#notes -= 1;
    else if (name === 'table:table-row') {
      const cells = (this.#rows.pop() ?? []).map((cell) => cell.trim());
      if (cells.every((cell) => cell === '')) return;
      // A table inside of a cell is part of its text.
      if (this.#rows.length > 0) this.#addToCell(cells.join(' | '));
      else this.writer.line(cells.join(' | '));
    }
  }

  #endParagraph(): void {
    const paragraph = this.#open.pop();
    if (paragraph === undefined) return;
    const text = paragraph.text.trim();
    const outer = this.#open.at(-1);
    if (outer !== undefined) outer.text += paragraph.isNote ? ` [${text}]` : ` ${text} `;
    else if (this.#rows.length > 0) this.#addToCell(text.replaceAll('\n', ' '));
    else if (paragraph.depth > 0) this.writer.heading(paragraph.depth, text);
    else this.writer.line(text);
  }

  #addToCell(text: string): void {
    const cells = this.#rows.at(-1);
    if (cells === undefined) return;
    cells[cells.length - 1] = `${cells.at(-1) ?? ''} ${text}`;
  }
}

function readOdtText(content: string): Block[] {
  const reader = new OdtText();
  readXml(content, {
    open: (name, attributes) => reader.open(name, attributes),
    text: (text) => reader.text(text.replaceAll(/\s+/g, ' ')),
    close: (name) => reader.close(name),
  });
  return reader.writer.finish();
}
