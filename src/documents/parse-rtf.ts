import { type Block, documentOf, type ParsedDocument } from './sections.ts';
import { DEFAULT_ENCODING, encodingOfCharacterSet, encodingOfCodePage } from './rtf-charsets.ts';
import { type RtfToken, rtfTokens } from './rtf-tokens.ts';
import { BlockWriter } from './block-writer.ts';

/** Destinations that hold no text of the document, or repeat it on every page. */
const SILENT: ReadonlySet<string> = new Set(
  (
    'colortbl pict objdata objclass objname header headerl headerr headerf footer footerl footerr footerf ' +
    'sp shprslt nonesttables fldinst filetbl revtbl listtable listoverridetable rsidtbl generator xmlnstbl themedata colorschememapping ' +
    'datastore latentstyles bkmkstart bkmkend annotation atnid atnauthor atntime atndate atnicn atnref atnparent ' +
    'tc xe nonshppict private ftnsep ftnsepc aftnsep aftnsepc pgdsctbl background formfield'
  ).split(' '),
);
/** Destinations behind `\*` that hold text of the document all the same. */
const READ_THOUGH_OPTIONAL: ReadonlySet<string> = new Set(['shpinst', 'nesttableprops']);
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['line', '\n'],
  ['lbr', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
]);
const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['~', '\u00a0'],
  ['_', '\u2011'],
  ['\\', '\\'],
  ['{', '{'],
  ['}', '}'],
]);
const ENDS_OF_PARAGRAPHS: ReadonlySet<string> = new Set(['par', 'sect', 'page', 'softpage', 'column']);
/** Levels 0 to 8 of `\outlinelevel` are headings, 9 is text. */
const MOST_LEVEL = 8;
/** Word's name of a heading style, the same in any language. */
const HEADING_STYLE = /^\s*heading ([1-9])\b/i;
/** Deeper groups are those of hostile files. */
const MOST_GROUPS = 10_000;

/** Destination of the text of a group. `twice` is text for old readers, whose Unicode form follows in a group of its own. */
type Destination = 'text' | 'silent' | 'fonts' | 'styles' | 'info' | 'title' | 'note' | 'twice';

/** Destination of the text of a group that begins with a word, by the destination of the group around it. */
const INNER: Readonly<Partial<Record<Destination, Readonly<Record<string, Destination>>>>> = {
  text: { fonttbl: 'fonts', stylesheet: 'styles', info: 'info', footnote: 'note', upr: 'twice' },
  info: { title: 'title' },
  twice: { ud: 'text' },
};

/** State that a group changes for its content. */
interface Group {
  destination: Destination;
  isHidden: boolean;
  font: number;
  /** Characters behind `\u` that stand for it in old readers. */
  skipCount: number;
  /** The word that began the group comes first; `\*` was before it. */
  isNew: boolean;
  isOptional: boolean;
}

/** Properties of the paragraph. */
interface Paragraph {
  level: number | undefined;
  style: number | undefined;
  isInTable: boolean;
}

/**
 * Reads the text of an RTF file with its headings: paragraphs of an outline level, or of a style that has one. Rows of tables
 * are lines, footnotes stand in brackets where they are cited.
 */
export function parseRtf(bytes: Uint8Array): ParsedDocument {
  const reader = new RtfReader();
  for (const token of rtfTokens(bytes)) reader.read(token);
  return documentOf(reader.finish(), reader.title.trim());
}

class RtfReader {
  title = '';
  readonly #writer = new BlockWriter();
  #group: Group = { destination: 'text', isHidden: false, font: -1, skipCount: 1, isNew: false, isOptional: false };
  readonly #outer: Group[] = [];
  /** Groups that are open and too many to be remembered. */
  #beyond = 0;
  #encoding = DEFAULT_ENCODING;
  readonly #encodingOfFont = new Map<number, string>();
  readonly #decoders = new Map<string, InstanceType<typeof TextDecoder>>();
  /** Bytes of text whose characters may go on. */
  #bytes: number[] = [];
  #skip = 0;
  #defaultFont = -1;
  #text = '';
  /** Start of the current footnote in the text. */
  #noteStart = 0;
  #cells: string[] = [];
  #paragraph: Paragraph = { level: undefined, style: undefined, isInTable: false };
  /** Levels of the styles that have one, by number. */
  readonly #levelOfStyle = new Map<number, number>();
  #style: { number: number; name: string; level: number | undefined } | undefined;

  read(token: RtfToken): void {
    if (token.kind === 'byte') return this.#readByte(token.byte);
    if (token.kind === 'word' && token.word === 'u') return this.#readUnicode(token.parameter ?? 0);
    // What stands for a character may be a control word or symbol too; a group ends the skipping.
    if (this.#skip > 0 && (token.kind === 'word' || token.kind === 'symbol')) {
      this.#skip -= 1;
      return;
    }
    this.#decodeBytes();
    if (token.kind === 'open') this.#openGroup();
    else if (token.kind === 'close') this.#closeGroup();
    else if (token.kind === 'symbol') this.#readSymbol(token.symbol);
    else this.#readWord(token.word, token.parameter);
  }

  finish(): Block[] {
    this.#decodeBytes();
    this.#endRow();
    this.#endParagraph();
    return this.#writer.finish();
  }

  #openGroup(): void {
    this.#skip = 0;
    if (this.#outer.length >= MOST_GROUPS) {
      this.#beyond += 1;
      return;
    }
    this.#outer.push(this.#group);
    this.#group = { ...this.#group, isNew: true, isOptional: false };
  }

  #closeGroup(): void {
    this.#skip = 0;
    if (this.#beyond > 0) {
      this.#beyond -= 1;
      return;
    }
    const outer = this.#outer.pop();
    if (outer === undefined) return;
    if (this.#group.destination === 'styles') this.#endStyle();
    if (this.#group.destination === 'note' && outer.destination !== 'note')
      this.#text = `${this.#text.slice(0, this.#noteStart)}${this.#text.slice(this.#noteStart).trim()}]`;
    this.#group = outer;
  }

  #readSymbol(symbol: string): void {
    if (symbol === '*') this.#group.isOptional = true;
    else {
      this.#group.isNew = false;
      const text = SYMBOLS.get(symbol);
      if (text !== undefined) this.#add(text);
    }
  }

  #readWord(word: string, parameter: number | undefined): void {
    const isFirst = this.#group.isNew;
    this.#group.isNew = false;
    if (isFirst) this.#startDestination(word);
    const { destination } = this.#group;
    if (destination === 'fonts') return this.#readFont(word, parameter);
    if (destination === 'styles') return this.#readStyle(word, parameter);
    if (word === 'uc') this.#group.skipCount = Math.max(0, parameter ?? 1);
    else if (word === 'ansicpg') this.#encoding = encodingOfCodePage(parameter ?? 0);
    else if (word === 'mac') this.#encoding = 'macintosh';
    else if (word === 'deff') this.#defaultFont = parameter ?? -1;
    else if (word === 'f') this.#group.font = parameter ?? -1;
    else if (word === 'v' || word === 'deleted') this.#group.isHidden = parameter !== 0;
    else if (word === 'plain') {
      this.#group.font = -1;
      this.#group.isHidden = false;
    } else if (destination === 'text' || destination === 'note') this.#readTextWord(word, parameter);
  }

  #startDestination(word: string): void {
    const { destination, isOptional } = this.#group;
    const inner = INNER[destination]?.[word];
    if (inner === 'note') {
      this.#add(' [');
      this.#noteStart = this.#text.length;
    }
    if (inner !== undefined) this.#group.destination = inner;
    else if (destination !== 'text' && destination !== 'note') return;
    else if (SILENT.has(word) || (isOptional && !READ_THOUGH_OPTIONAL.has(word))) this.#group.destination = 'silent';
  }

  #readTextWord(word: string, parameter: number | undefined): void {
    const character = CHARACTERS.get(word);
    if (character !== undefined) this.#add(character);
    else if (ENDS_OF_PARAGRAPHS.has(word)) this.#endParagraph();
    else if (word === 'cell' || word === 'nestcell') this.#endCell();
    else if (word === 'row' || word === 'nestrow') this.#endRow();
    else if (word === 'pard') this.#paragraph = { level: undefined, style: undefined, isInTable: false };
    else if (word === 'intbl') this.#paragraph.isInTable = true;
    else if (word === 's') this.#paragraph.style = parameter;
    else if (word === 'outlinelevel') this.#paragraph.level = parameter;
  }

  #readFont(word: string, parameter: number | undefined): void {
    if (word === 'f') this.#group.font = parameter ?? -1;
    const encoding =
      word === 'fcharset'
        ? encodingOfCharacterSet(parameter ?? 0)
        : word === 'cpg'
          ? encodingOfCodePage(parameter ?? 0)
          : undefined;
    if (encoding !== undefined) this.#encodingOfFont.set(this.#group.font, encoding);
  }

  #readStyle(word: string, parameter: number | undefined): void {
    if (word === 's') this.#style = { number: parameter ?? 0, name: '', level: undefined };
    else if (word === 'outlinelevel' && this.#style !== undefined) this.#style.level = parameter;
  }

  #endStyle(): void {
    if (this.#style === undefined) return;
    const { number, name } = this.#style;
    const level = this.#style.level ?? Number(HEADING_STYLE.exec(name)?.[1] ?? MOST_LEVEL + 2) - 1;
    if (level <= MOST_LEVEL) this.#levelOfStyle.set(number, level);
    this.#style = undefined;
  }

  #readByte(byte: number): void {
    this.#group.isNew = false;
    if (this.#skip > 0) this.#skip -= 1;
    else this.#bytes.push(byte);
  }

  #readUnicode(code: number): void {
    this.#decodeBytes();
    this.#group.isNew = false;
    // 16 bits with a sign; characters beyond them are two surrogates.
    this.#add(String.fromCharCode(code & 0xffff));
    this.#skip = this.#group.skipCount;
  }

  #decodeBytes(): void {
    if (this.#bytes.length === 0) return;
    const font = this.#group.font === -1 ? this.#defaultFont : this.#group.font;
    const encoding = this.#encodingOfFont.get(font) ?? this.#encoding;
    let decoder = this.#decoders.get(encoding);
    if (decoder === undefined) {
      decoder = new TextDecoder(encoding);
      this.#decoders.set(encoding, decoder);
    }
    this.#add(decoder.decode(Uint8Array.from(this.#bytes)));
    this.#bytes = [];
  }

  #add(text: string): void {
    const { destination, isHidden } = this.#group;
    if (destination === 'title') this.title += text;
    else if (destination === 'styles' && this.#style !== undefined) this.#style.name += text;
    else if ((destination === 'text' || destination === 'note') && !isHidden) this.#text += text;
  }

  #endCell(): void {
    this.#cells.push(this.#takeText().replaceAll('\n', ' '));
  }

  #endRow(): void {
    const cells = this.#cells;
    this.#cells = [];
    if (cells.some((cell) => cell !== '')) this.#writer.line(cells.join(' | '));
  }

  #endParagraph(): void {
    // A paragraph inside of a cell or a footnote does not end the line.
    if (this.#paragraph.isInTable || this.#group.destination === 'note') {
      this.#text += ' ';
      return;
    }
    const { level, style } = this.#paragraph;
    const depth = level ?? (style === undefined ? undefined : this.#levelOfStyle.get(style));
    const text = this.#takeText();
    if (depth !== undefined && depth <= MOST_LEVEL) this.#writer.heading(depth + 1, text);
    else this.#writer.line(text);
  }

  #takeText(): string {
    const text = this.#text
      .toWellFormed()
      .replaceAll(/[^\S\n]+/g, ' ')
      .trim();
    this.#text = '';
    return text;
  }
}
