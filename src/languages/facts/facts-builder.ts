import { brokenLines } from './broken-lines.ts';
import {
  Definition,
  type FileFacts,
  type Language,
  NodeOp,
  type NodeOpCode,
  ReferenceHow,
  Scope,
  UseFlag,
} from './facts.ts';
import { readSyntax, tokensOf } from './syntax-hash.ts';
import { TABLES } from './table.ts';
import { findUnreadNames } from './unread-names.ts';

/** A column table that grows. Rows are appended whole and patched by column. */
class Rows {
  readonly stride: number;
  #data = new Int32Array(256);
  #length = 0;

  constructor(stride: number) {
    this.stride = stride;
  }

  /** Number of rows. */
  get count(): number {
    return this.#length / this.stride;
  }

  /** Appends one row and returns its id. */
  add(...row: number[]): number {
    if (row.length !== this.stride) throw new Error(`a row of ${this.stride} columns was given ${row.length}`);
    this.#reserve(row.length);
    // Element by element: TypedArray.set costs several times more for rows this short.
    for (let column = 0; column < row.length; column += 1) this.#data[this.#length + column] = row[column] ?? 0;
    this.#length += row.length;
    return this.#length / this.stride - 1;
  }

  /** Appends one value to a table of one column. */
  push(value: number): void {
    this.#reserve(1);
    this.#data[this.#length] = value;
    this.#length += 1;
  }

  get(row: number, column: number): number {
    return this.#data[row * this.stride + column] ?? 0;
  }

  set(row: number, column: number, value: number): void {
    this.#data[row * this.stride + column] = value;
  }

  /** The rows so far, copied to their exact size. */
  finish(): Int32Array {
    return this.#data.slice(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#data.length) return;
    const grown = new Int32Array(this.#data.length * 2 + more);
    grown.set(this.#data);
    this.#data = grown;
  }
}

const HIDDEN_USE = UseFlag.value | UseFlag.read;

/** Columns that a new definition needs; the others are set later. */
interface NewDefinition {
  name: string;
  kind: number;
  flags?: number;
  nameStart: number;
  start: number;
  end: number;
  scope: number;
  owner?: number;
}

/** Collects the facts of one file. Extractors write, `finish` gives the immutable result. */
export class FactsBuilder {
  readonly scopes = new Rows(TABLES.scopes.width);
  readonly definitions = new Rows(TABLES.definitions.width);
  readonly facets = new Rows(TABLES.facets.width);
  readonly references = new Rows(TABLES.references.width);
  readonly members = new Rows(TABLES.members.width);
  readonly keys = new Rows(TABLES.keys.width);
  readonly exports = new Rows(TABLES.exports.width);
  readonly narrowings = new Rows(TABLES.narrowings.width);
  readonly sites = new Rows(TABLES.sites.width);
  readonly comments = new Rows(TABLES.comments.width);
  readonly metrics = new Rows(TABLES.metrics.width);
  readonly strings: string[] = [''];
  packageName = '';
  errors = 0;
  /** Starts and ends of what could not be parsed, in pairs. */
  broken: readonly number[] = [];
  /** Starts and ends of what was cut out of the text so that the grammar could read the others, in pairs. */
  cuts: readonly number[] = [];
  /** Starts and ends of the identifiers that the parser knows, in pairs. */
  names: readonly number[] = [];
  /** Starts of identifiers that a walker accounts for without a row: words that declare something, such as `attr_reader`. */
  readonly understood: number[] = [];
  /** Unread names that are uses of macros, which a preprocessor replaces wherever they are. */
  macros: RegExp | undefined;
  /** Text that the parser read in place of the original, as long as it. */
  parsed: string;
  readonly #ids = new Map<string, number>([['', 0]]);
  readonly #nodes = new Rows(1);
  readonly #language: Language;
  readonly #source: string;

  constructor(language: Language, source: string) {
    this.#language = language;
    this.#source = source;
    this.parsed = source;
    this.#nodes.add(NodeOp.None);
  }

  /** The index of a string in the table, added when it is new. */
  string(text: string): number {
    const id = this.#ids.get(text);
    if (id !== undefined) return id;
    this.#ids.set(text, this.strings.length);
    return this.strings.push(text) - 1;
  }

  /** Appends a node and returns its offset. Lists are given as arrays: they are written as a count and their items. */
  node(op: NodeOpCode, ...operands: (number | readonly number[])[]): number {
    const at = this.#nodes.count;
    this.#nodes.push(op);
    for (const operand of operands) {
      if (typeof operand === 'number') this.#nodes.push(operand);
      else {
        this.#nodes.push(operand.length);
        for (const item of operand) this.#nodes.push(item);
      }
    }
    return at;
  }

  /** Overwrites operand `index` (0 is the first) of a node that is already written; lists count each of their slots. */
  patch(node: number, index: number, value: number): void {
    this.#nodes.set(node + 1 + index, 0, value);
  }

  /** The word at an offset of the pool: a node's operation, or one of its operands. */
  word(offset: number): number {
    return this.#nodes.get(offset, 0);
  }

  scope(parent: number, kind: number, definition = -1): number {
    return this.scopes.add(parent, kind, definition);
  }

  /** Appends a definition; `head` is `end` until set, nodes are absent. */
  define(definition: NewDefinition): number {
    const { flags = 0, owner = -1, nameStart, start, end, scope } = definition;
    const name = this.string(definition.name);
    return this.definitions.add(
      name,
      definition.kind,
      flags,
      nameStart,
      start,
      end,
      end,
      scope,
      owner,
      0,
      0,
      0,
      -1,
      0,
      0,
      -1,
      -1,
    );
  }

  /** Sets one column of a definition. */
  amend(definition: number, column: keyof typeof Definition, value: number): void {
    this.definitions.set(definition, Definition[column], value);
  }

  facet(definition: number, facet: number, node: number): void {
    this.facets.add(definition, facet, node);
  }

  finish(): FileFacts {
    const facts = {
      language: this.#language,
      strings: this.strings,
      lines: lineStarts(this.#source),
      scopes: new TABLES.scopes(this.scopes.finish()),
      definitions: new TABLES.definitions(this.definitions.finish()),
      facets: new TABLES.facets(this.facets.finish()),
      references: new TABLES.references(this.references.finish()),
      members: new TABLES.members(this.members.finish()),
      keys: new TABLES.keys(this.keys.finish()),
      exports: new TABLES.exports(this.exports.finish()),
      narrowings: new TABLES.narrowings(this.narrowings.finish()),
      sites: new TABLES.sites(this.sites.finish()),
      comments: new TABLES.comments(this.comments.finish()),
      metrics: new TABLES.metrics(this.metrics.finish()),
      nodes: this.#nodes.finish(),
      packageName: this.packageName,
      errors: this.errors,
    };
    const whole = { ...facts, broken: brokenLines(this.#source, this, facts) };
    const tokens = tokensOf(this.#source, whole);
    const unread = this.#readUnread({ ...whole, tokens });
    const references = new TABLES.references(this.references.finish());
    return { ...whole, references, ...readSyntax(this.#source, tokens, whole), unread };
  }

  /** The identifiers that are not read. Macros among them become references. */
  #readUnread(facts: Parameters<typeof findUnreadNames>[2]): FileFacts['unread'] {
    const unread = findUnreadNames(this.#source, this, facts);
    const rows: number[] = [];
    for (let pair = 0; pair < unread.length; pair += 2) {
      const start = unread[pair] ?? 0;
      const text = this.#source.slice(start, unread[pair + 1]);
      if (this.macros?.test(text) === true)
        this.references.add(this.string(text), start, 0, HIDDEN_USE, ReferenceHow.scoped, 0, 0);
      else rows.push(this.string(text), start);
    }
    return new TABLES.unread(Int32Array.from(rows));
  }
}

/** Offsets at which the lines of a text start. Lines end with `\n`; a `\r` before it belongs to the line. */
export function lineStarts(text: string): Int32Array {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return Int32Array.from(starts);
}

/** The scope around a scope that holds function-level names: the nearest that is not a block. */
export function functionScope(builder: FactsBuilder, scope: number, block: number): number {
  let at = scope;
  while (builder.scopes.get(at, Scope.kind) === block) at = builder.scopes.get(at, Scope.parent);
  return at;
}
