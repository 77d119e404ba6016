import { VarintReader, VarintWriter } from '../../kernel/varints.ts';
import { UseCursor } from '../format/store-codec.ts';

/** Uses in the files of the new shard. */
interface MovedUses {
  uses: Uint8Array;
  count: number;
}

/** Takes blobs of uses into the next shard: those in files that are written anew are left out, the others follow their file. */
export class UsesMover {
  readonly #fileTo: Int32Array;
  readonly #out = new VarintWriter(4096);
  #count = 0;
  #file = 0;
  #line = 0;
  #column = 0;

  /** `fileTo` gives the new id of each old file whose uses stay, else -1; ascending. */
  constructor(fileTo: Int32Array) {
    this.#fileTo = fileTo;
  }

  /** True if all of these uses stay, in files of the same ids. */
  isSame(uses: Uint8Array): boolean {
    const from = new VarintReader(uses);
    let file = 0;
    while (from.more) {
      file += from.next();
      if (this.#fileTo[file] !== file) return false;
      // Line, column, code and what is around it.
      from.skipNext(4);
    }
    return true;
  }

  /** The uses that stay, with those of files that are written anew between them. Valid until the next call. */
  merge(uses: Uint8Array, added: Uint8Array | undefined): MovedUses {
    this.#out.clear();
    this.#count = this.#file = this.#line = this.#column = 0;
    const [old, more] = [new UseCursor(uses), new UseCursor(added ?? NONE)];
    let next = more.next();
    while (old.next()) {
      const file = this.#fileTo[old.file] ?? -1;
      if (file < 0) continue;
      for (; next && more.file < file; next = more.next()) this.#push(more.file, more);
      this.#push(file, old);
    }
    for (; next; next = more.next()) this.#push(more.file, more);
    return { uses: this.#out.bytes(), count: this.#count };
  }

  /** As `writeUse` does. */
  #push(file: number, { line, column, code, enclosing }: UseCursor): void {
    const isOtherFile = this.#count === 0 || file !== this.#file;
    const isOtherLine = isOtherFile || line !== this.#line;
    this.#out.push(file - this.#file);
    this.#out.push(isOtherFile ? line : line - this.#line);
    this.#out.push(isOtherLine ? column : column - this.#column);
    this.#out.push(code);
    this.#out.push(enclosing);
    this.#count += 1;
    [this.#file, this.#line, this.#column] = [file, line, column];
  }
}

const NONE = new Uint8Array(0);
