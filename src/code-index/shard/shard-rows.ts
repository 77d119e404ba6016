import { shorten } from '../../kernel/shown-values.ts';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { identifierParts } from '../../text/terms.ts';
import { taggedComments } from '../format/comment-tags.ts';
import type { FileInput, SymbolInput } from '../format/shard-input.ts';
import { StructureWriter } from './shard-structure.ts';

/** The source of an expression for abbreviations whose full stop ends no sentence, without it. */
const ABBREVIATED = String.raw`\b(?:e\.g|i\.e|etc|vs|cf)`;

/** Longest signature and first sentence that are kept, in characters. */
const HEAD_LIMIT = 200;

/** Ids of a file and of its first symbol. */
interface FileIds {
  id: number;
  firstSymbol: number;
}

/** Writes what is said of one file alone: itself, its symbols with their names, its comments, its structure. */
export class RowWriter {
  readonly names: NameWriter;
  readonly #families: ReadonlyMap<number, number>;
  readonly #insertFile: StatementSync;
  readonly #insertSymbol: StatementSync;
  readonly #insertComment: StatementSync;
  readonly #structure: StructureWriter;

  constructor(db: DatabaseSync, families: ReadonlyMap<number, number>) {
    this.names = new NameWriter(db);
    this.#families = families;
    this.#insertFile = db.prepare('insert into file values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#insertSymbol = db.prepare('insert into symbol values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#insertComment = db.prepare('insert into comment (file, line, tag, text) values (?, ?, ?, ?)');
    this.#structure = new StructureWriter(db);
  }

  /** `starts` holds the offset of each line. */
  add({ id, firstSymbol }: FileIds, file: FileInput, starts: Int32Array): void {
    this.#addFile(id, firstSymbol, file);
    for (const [index, symbol] of file.symbols.entries()) this.#addSymbol(id, firstSymbol, { index, symbol });
    for (const { line, tag, text } of taggedComments(file, starts)) this.#insertComment.run(id, line, tag, text);
    this.#structure.add(id, firstSymbol, file);
  }

  #addFile(id: number, firstSymbol: number, file: FileInput): void {
    const { path, language, blob, sizeBytes, lines, parsed, reason = null, content } = file;
    const { parser = '', definitions = 0 } = file;
    const flags = [Number(file.test), Number(file.generated)] as const;
    const head = [id, path, language, blob, sizeBytes, lines] as const;
    const symbols = [firstSymbol, file.symbols.length] as const;
    this.#insertFile.run(...head, ...flags, parsed, reason, ...symbols, parser, definitions, content);
  }

  #addSymbol(file: number, firstSymbol: number, { index, symbol }: { index: number; symbol: SymbolInput }): void {
    const { kind, line, end, column, qualified, exported, parent } = symbol;
    const id = firstSymbol + index;
    this.#insertSymbol.run(
      id,
      file,
      this.names.add(symbol.name),
      qualified,
      kind,
      line,
      end,
      column,
      shorten(symbol.signature.replace(/\s+/g, ' ').trim(), HEAD_LIMIT),
      shorten(firstSentence(symbol.doc), HEAD_LIMIT),
      Number(exported),
      Number(symbol.member ?? false),
      parent === -1 ? null : firstSymbol + parent,
      this.#families.get(id) ?? null,
      symbol.parameters ?? null,
    );
  }
}

/** Distinct names of symbols, with ids in the order they come. */
class NameWriter {
  readonly ids = new Map<string, number>();
  readonly #insert: StatementSync;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare('insert into name values (?, ?, ?)');
  }

  add(name: string): number {
    const existing = this.ids.get(name);
    if (existing !== undefined) return existing;
    const id = this.reserve(name);
    const initials = identifierParts(name).map((part) => part.charAt(0));
    this.#insert.run(id, name, initials.join(''));
    return id;
  }

  /** The id of a name that has none yet, and whose row is written by the caller. */
  reserve(name: string): number {
    const id = this.ids.size;
    this.ids.set(name, id);
    return id;
  }
}

const SENTENCE_END = new RegExp(`(?<!${ABBREVIATED})[.!?](?: |$)`, 'i');

/** Up to the first full stop that ends a sentence and no abbreviation, an empty line or a tag such as `@param`, on one line. */
function firstSentence(doc: string): string {
  const paragraph = doc.trim().split(/\n\s*\n|\n\s*@\w|\n\s*:\w+/, 1)[0] ?? '';
  const text = paragraph.replace(/\s+/g, ' ').trim();
  const end = text.search(SENTENCE_END);
  return end === -1 ? text : text.slice(0, end + 1);
}
