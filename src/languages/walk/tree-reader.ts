import { Field, type SyntaxTree } from './tree.ts';

/**
 * Copies a parsed tree out of the parser's memory in one pass.
 *
 * The public cursor of web-tree-sitter needs about six calls into WASM for each node, which doubles the time of a parse.
 * This reads the same structs that the calls read (`SubtreeHeapData`, `SubtreeInlineData`, `TSLanguage` of tree-sitter
 * 0.27, 32-bit little endian), so it holds for exactly the pinned version of web-tree-sitter. `tree-reader.test.ts`
 * compares it with the cursor, node by node, and fails when a new version moves a column.
 */

/** Nodes deeper than this are leaves: the walkers recurse, and generated or hostile code nests without end. */
export const MAX_DEPTH = 600;

const ERROR_SYMBOL = 65_535;

/** Byte offsets in `TSLanguage`. */
const LANGUAGE = {
  productionCount: 28,
  maxAliasLength: 36,
  fieldSlices: 64,
  fieldEntries: 68,
  publicSymbols: 76,
  aliasSequences: 84,
} as const;

/** Byte offsets in `SubtreeHeapData`. */
const HEAP = {
  paddingBytes: 4,
  sizeBytes: 16,
  childCount: 36,
  symbol: 40,
  flags: 44,
  descendants: 56,
  production: 66,
} as const;
const HEAP_VISIBLE = 1;
const HEAP_EXTRA = 4;
const HEAP_MISSING = 512;

const INLINE = 1;
const INLINE_VISIBLE = 2;
const INLINE_EXTRA = 8;
const INLINE_MISSING = 32;
/** Size of the `Subtree` union. */
const SLOT_BYTES = 8;

/** Treatment of a node of some symbol. */
const Keep = { drop: 0, node: 1, comment: 2 } as const;

/** Tables of a grammar that the reader needs. */
export interface GrammarTables {
  /** Kind code by symbol. */
  kinds: Uint16Array;
  keep: Uint8Array;
  /** 1 for the symbols of identifiers. */
  names: Uint8Array;
  publicSymbols: Uint16Array;
  /** Alias by production and child, `aliasLength` columns. */
  aliases: Uint16Array;
  aliasLength: number;
  /** `Field` code by production and child, `fieldLength` columns. */
  fields: Uint8Array;
  fieldLength: number;
}

/** The public facts of a loaded grammar that the tables are made from. */
interface GrammarNames {
  /** Node type names by symbol, undefined for hidden ones. */
  types: readonly (string | undefined)[];
  /** Field names by field id. */
  fields: readonly (string | null | undefined)[];
  isNamed(symbol: number): boolean;
  /** Address of its `TSLanguage`. */
  address: number;
}

/**
 * Reads a grammar's tables.
 *
 * `kinds` are the node types that a walker names; a token is written in quotes (`"and"`). Named nodes are always kept,
 * tokens only when listed or when they fill a field.
 *
 * @throws Error when the grammar has no node type of a listed name: the walker was written for another version.
 */
export function readGrammar(
  memory: ArrayBuffer,
  grammar: GrammarNames,
  kinds: Readonly<Record<string, number>>,
): GrammarTables {
  const symbols = grammar.types.length;
  const words = new Uint32Array(memory);
  const at = (offset: number): number => words[(grammar.address + offset) >> 2] ?? 0;
  const halves = new Uint16Array(memory);
  const missing = new Set(Object.keys(kinds));
  const kindCodes = new Uint16Array(symbols);
  const keep = new Uint8Array(symbols);
  const names = new Uint8Array(symbols);
  grammar.types.forEach((name, symbol) => {
    if (name === undefined) return;
    const isNamed = grammar.isNamed(symbol);
    const label = isNamed ? name : `"${name}"`;
    missing.delete(label);
    kindCodes[symbol] = kinds[label] ?? 0;
    keep[symbol] = isNamed || label in kinds ? Keep.node : Keep.drop;
    if (isNamed && IDENTIFIER.test(name)) names[symbol] = 1;
    if (isNamed && COMMENTS.has(name)) keep[symbol] = Keep.comment;
    if (isNamed && name === 'line_continuation') keep[symbol] = Keep.drop;
  });
  if (missing.size > 0) throw new Error(`the grammar has no node type ${[...missing].join(', ')}`);
  const productions = at(LANGUAGE.productionCount);
  const aliasLength = (halves[(grammar.address + LANGUAGE.maxAliasLength) >> 1] ?? 0) || 1;
  const aliasStart = at(LANGUAGE.aliasSequences) >> 1;
  const publicStart = at(LANGUAGE.publicSymbols) >> 1;
  return {
    kinds: kindCodes,
    keep,
    names,
    publicSymbols: halves.slice(publicStart, publicStart + symbols),
    aliases: halves.slice(aliasStart, aliasStart + productions * aliasLength),
    aliasLength,
    ...readFields(memory, grammar, {
      productions,
      slices: at(LANGUAGE.fieldSlices),
      entries: at(LANGUAGE.fieldEntries),
    }),
  };
}

/** Node types of identifiers, over all grammars. */
const IDENTIFIER = /identifier$|^(?:name|constant|variable_name|(?:global|instance|class)_variable)$/;

const COMMENTS: ReadonlySet<string> = new Set(['comment', 'line_comment', 'block_comment', 'multiline_comment']);

/** The fields that productions give to their own children; inherited entries repeat those of hidden children. */
function readFields(
  memory: ArrayBuffer,
  grammar: GrammarNames,
  where: { productions: number; slices: number; entries: number },
): { fields: Uint8Array; fieldLength: number } {
  const codes: Readonly<Record<string, number>> = Field;
  const view = new DataView(memory);
  const rows: [production: number, child: number, field: number][] = [];
  for (let production = 0; production < where.productions; production += 1) {
    const first = view.getUint16(where.slices + production * 4, true);
    const length = view.getUint16(where.slices + production * 4 + 2, true);
    for (let entry = first; entry < first + length; entry += 1) {
      const address = where.entries + entry * 4;
      const isInherited = view.getUint8(address + 3) !== 0;
      const name = grammar.fields[view.getUint16(address, true)] ?? '';
      if (!isInherited) rows.push([production, view.getUint8(address + 2), codes[name] ?? 0]);
    }
  }
  const fieldLength = 1 + rows.reduce((most, [, child]) => Math.max(most, child), 0);
  const fields = new Uint8Array(where.productions * fieldLength);
  // The first entry of a child wins, as in the cursor.
  for (const [production, child, field] of rows.toReversed()) fields[production * fieldLength + child] = field;
  return { fields, fieldLength };
}

/** Columns of the reader's stack, one row for each subtree whose children are being read. */
const Frame = { subtree: 0, child: 1, structural: 2, position: 3, node: 4, field: 5, depth: 6 } as const;
const FRAME_COLUMNS = 7;

/** The parser's memory. */
interface Views {
  words: Uint32Array;
  halves: Uint16Array;
}

/** Fields of the struct of a subtree. One is filled again and again. Sizes and positions are bytes of UTF-16. */
interface Child {
  head: number;
  isInline: boolean;
  /** `HEAP_*` bits. */
  flags: number;
  symbol: number;
  start: number;
  size: number;
  alias: number;
  field: number;
}

type ColumnName = 'kind' | 'start' | 'end' | 'field' | 'first' | 'next' | 'last';

/** Reads trees into arrays that are kept between trees and grow as needed. */
export class TreeReader {
  #kind = new Uint16Array(0);
  #start = new Int32Array(0);
  #end = new Int32Array(0);
  #field = new Uint8Array(0);
  #first = new Int32Array(0);
  #next = new Int32Array(0);
  #last = new Int32Array(0);
  #stack = new Int32Array(FRAME_COLUMNS * 1024);

  /**
   * Copies the tree whose root slot lies at `root` in the parser's memory.
   *
   * Linear in the number of nodes; a small part of the time of the parse.
   */
  read(memory: ArrayBuffer, root: number, tables: GrammarTables, text: string): SyntaxTree {
    const words = new Uint32Array(memory);
    const subtree = words[root >> 2] ?? 0;
    const tree: SyntaxTree = {
      text,
      parsed: text,
      count: 0,
      errors: 0,
      broken: [],
      comments: [],
      names: [],
      ...this.#columns(words, subtree),
    };
    // A root is never stored inline; if it were, it would have nothing inside.
    if ((subtree & INLINE) === 0) this.#readFrom({ words, halves: new Uint16Array(memory) }, subtree, tables, tree);
    return tree;
  }

  #columns(words: Uint32Array, subtree: number): Pick<SyntaxTree, ColumnName> {
    const nodes = (subtree & INLINE) === 0 ? (words[(subtree + HEAP.descendants) >> 2] ?? 0) + 3 : 3;
    if (nodes > this.#kind.length) {
      const size = Math.max(4096, Math.ceil(nodes * 1.5));
      this.#kind = new Uint16Array(size);
      this.#field = new Uint8Array(size);
      [this.#start, this.#end] = [new Int32Array(size), new Int32Array(size)];
      [this.#first, this.#next, this.#last] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)];
    }
    return {
      kind: this.#kind,
      start: this.#start,
      end: this.#end,
      field: this.#field,
      first: this.#first,
      next: this.#next,
      last: this.#last,
    };
  }

  #readFrom(views: Views, root: number, tables: GrammarTables, tree: SyntaxTree): void {
    const { words, halves } = views;
    const position = words[(root + HEAP.paddingBytes) >> 2] ?? 0;
    const symbol = halves[(root + HEAP.symbol) >> 1] ?? 0;
    const node = addNode(tree, 0, position, position + (words[(root + HEAP.sizeBytes) >> 2] ?? 0));
    const isError = symbol === ERROR_SYMBOL;
    tree.kind[node] = isError ? 0 : (tables.kinds[tables.publicSymbols[symbol] ?? 0] ?? 0);
    if (isError) addError(tree, position, words[(root + HEAP.sizeBytes) >> 2] ?? 0);
    const child: Child = { head: 0, isInline: false, flags: 0, symbol: 0, start: 0, size: 0, alias: 0, field: 0 };
    this.#push(0, [root, 0, 0, position, node, 0, 1]);
    for (let frame = 0; frame >= 0;) {
      const parent = this.#stack[frame] ?? 0;
      const index = this.#stack[frame + Frame.child] ?? 0;
      const children = words[(parent + HEAP.childCount) >> 2] ?? 0;
      if (index === children) {
        frame -= FRAME_COLUMNS;
        continue;
      }
      this.#stack[frame + Frame.child] = index + 1;
      this.#decode(views, child, frame, (parent - (children - index) * SLOT_BYTES) >> 2);
      this.#name(child, frame, halves[(parent + HEAP.production) >> 1] ?? 0, tables);
      frame = this.#enter(words, child, frame, { tables, tree });
    }
  }

  /** Reads the struct of the child in a slot. */
  #decode({ words, halves }: Views, child: Child, frame: number, slot: number): void {
    const head = words[slot] ?? 0;
    const tail = words[slot + 1] ?? 0;
    let padding: number;
    child.head = head;
    child.isInline = (head & INLINE) !== 0;
    if (child.isInline) {
      child.flags =
        (head & INLINE_VISIBLE ? HEAP_VISIBLE : 0) |
        (head & INLINE_EXTRA ? HEAP_EXTRA : 0) |
        (head & INLINE_MISSING ? HEAP_MISSING : 0);
      child.symbol = (head >> 8) & 0xff;
      child.size = tail >>> 24;
      padding = (tail >> 16) & 0xff;
    } else {
      child.flags = halves[(head + HEAP.flags) >> 1] ?? 0;
      child.symbol = halves[(head + HEAP.symbol) >> 1] ?? 0;
      child.size = words[(head + HEAP.sizeBytes) >> 2] ?? 0;
      padding = words[(head + HEAP.paddingBytes) >> 2] ?? 0;
    }
    // The first child starts where its parent starts: the parent's padding is the child's.
    const isFirst = this.#stack[frame + Frame.child] === 1;
    child.start = (this.#stack[frame + Frame.position] ?? 0) + (isFirst ? 0 : padding);
    this.#stack[frame + Frame.position] = child.start + child.size;
  }

  /** Finds the alias and the field that the parent's production gives to the child. */
  #name(child: Child, frame: number, production: number, tables: GrammarTables): void {
    child.alias = 0;
    child.field = 0;
    if ((child.flags & HEAP_EXTRA) !== 0) return;
    const { aliases, aliasLength, fields, fieldLength } = tables;
    const structural = this.#stack[frame + Frame.structural] ?? 0;
    this.#stack[frame + Frame.structural] = structural + 1;
    if (production !== 0 && structural < aliasLength) child.alias = aliases[production * aliasLength + structural] ?? 0;
    if (structural < fieldLength) child.field = fields[production * fieldLength + structural] ?? 0;
    // A hidden parent hands its own field down.
    if (child.field === 0) child.field = this.#stack[frame + Frame.field] ?? 0;
  }

  /** Adds the child to the tree and gives the frame to go on with: the child's, when there is something inside. */
  #enter(
    words: Uint32Array,
    child: Child,
    frame: number,
    { tables, tree }: { tables: GrammarTables; tree: SyntaxTree },
  ): number {
    const { head, flags, alias, start, size, symbol } = child;
    let node = this.#stack[frame + Frame.node] ?? 0;
    let depth = this.#stack[frame + Frame.depth] ?? 0;
    let field = child.field;
    if ((flags & HEAP_MISSING) !== 0) tree.errors += 1;
    if (alias !== 0 || (flags & HEAP_VISIBLE) !== 0) {
      const isError = symbol === ERROR_SYMBOL;
      const publicSymbol = isError ? 0 : (tables.publicSymbols[alias || symbol] ?? 0);
      const keepMode = isError ? Keep.node : (tables.keep[publicSymbol] ?? 0);
      if (isError) addError(tree, start, size);
      if (keepMode === Keep.comment) tree.comments.push(start >> 1, (start + size) >> 1);
      if (keepMode === Keep.comment || (keepMode === Keep.drop && field === 0)) return frame;
      const parent = node;
      node = addNode(tree, parent, start, start + size);
      if (tables.names[publicSymbol] === 1 && size > 0) tree.names.push(node, parent);
      tree.kind[node] = isError ? 0 : (tables.kinds[publicSymbol] ?? 0);
      tree.field[node] = field;
      field = 0;
      depth += 1;
    }
    if (child.isInline || (words[(head + HEAP.childCount) >> 2] ?? 0) === 0) return frame;
    if (depth > MAX_DEPTH) {
      addError(tree, start, size);
      return frame;
    }
    this.#push(frame + FRAME_COLUMNS, [head, 0, 0, start, node, field, depth]);
    return frame + FRAME_COLUMNS;
  }

  #push(frame: number, row: readonly number[]): void {
    if (frame === this.#stack.length) {
      const grown = new Int32Array(frame * 2);
      grown.set(this.#stack);
      this.#stack = grown;
    }
    let at = frame;
    for (const value of row) this.#stack[at++] = value;
  }
}

/** Notes what could not be parsed. Positions are bytes of UTF-16. */
function addError(tree: SyntaxTree, startBytes: number, sizeBytes: number): void {
  tree.errors += 1;
  if (sizeBytes > 0) tree.broken.push(startBytes >> 1, (startBytes + sizeBytes) >> 1);
}

/** Appends a node after the last child of its parent. Positions are bytes of UTF-16. */
function addNode(tree: SyntaxTree, parent: number, startBytes: number, endBytes: number): number {
  const node = (tree.count += 1);
  tree.start[node] = startBytes >> 1;
  tree.end[node] = endBytes >> 1;
  tree.first[node] = 0;
  tree.next[node] = 0;
  tree.last[node] = 0;
  tree.field[node] = 0;
  const previous = tree.last[parent] ?? 0;
  if (parent === 0) return node;
  if (previous === 0) tree.first[parent] = node;
  else tree.next[previous] = node;
  tree.last[parent] = node;
  return node;
}
