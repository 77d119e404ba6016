/** Kinds of tokens other than punctuation, whose code is its character. */
export const Sort = { word: 1, string: 2, line: 3, indent: 4, dedent: 5 } as const;

/** Tokens that grow at the end and are changed there. A token's code is its character when it is punctuation, or a `Sort`. */
export class TokenList {
  count = 0;
  hashes: Int32Array;
  starts: Int32Array;
  ends: Int32Array;
  codes: Uint16Array;

  constructor(characters: number) {
    // Some four characters a token; the arrays grow when there are more.
    const size = 64 + (characters >> 2);
    this.hashes = new Int32Array(size);
    this.starts = new Int32Array(size);
    this.ends = new Int32Array(size);
    this.codes = new Uint16Array(size);
  }

  add(code: number, hash: number, start: number, end: number): void {
    const at = this.count;
    if (at === this.hashes.length) this.#grow();
    this.hashes[at] = hash;
    this.starts[at] = start;
    this.ends[at] = end;
    this.codes[at] = code;
    this.count = at + 1;
  }

  /** Takes the last tokens away. */
  drop(tokens: number): void {
    this.count -= tokens;
  }

  /** Writes one token over another. */
  move(from: number, to: number): void {
    this.hashes[to] = this.hashes[from] ?? 0;
    this.starts[to] = this.starts[from] ?? 0;
    this.ends[to] = this.ends[from] ?? 0;
    this.codes[to] = this.codes[from] ?? 0;
  }

  #grow(): void {
    const size = this.hashes.length * 2;
    this.hashes = growColumn(new Int32Array(size), this.hashes);
    this.starts = growColumn(new Int32Array(size), this.starts);
    this.ends = growColumn(new Int32Array(size), this.ends);
    this.codes = growColumn(new Uint16Array(size), this.codes);
  }
}

function growColumn<Column extends Int32Array | Uint16Array>(larger: Column, column: Column): Column {
  larger.set(column);
  return larger;
}
