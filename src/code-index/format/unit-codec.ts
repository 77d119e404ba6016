import { VarintReader, VarintWriter } from '../../kernel/varints.ts';

/** Lines of a file that are searched and shown together. Lines are 1-based, both ends belong to it. */
export interface Unit {
  start: number;
  end: number;
  /** Index of its symbol among those of the file, -1 for none: what it is, is a part of, or stands below (a heading). */
  symbol: number;
  /** The line that says what it is: that of the symbol's name, else its first. */
  signature: number;
}

/** The units of one file in order, as they are stored. */
export function packUnits(units: readonly Unit[]): Uint8Array {
  const out = new VarintWriter(units.length * 5);
  let before = 0;
  for (const { start, end, symbol, signature } of units) {
    out.push(start - before);
    out.push(end - start);
    out.push(symbol + 1);
    out.push(signature - start);
    before = end;
  }
  return out.bytes().slice();
}

export function unpackUnits(blob: Uint8Array): Unit[] {
  const from = new VarintReader(blob);
  const units: Unit[] = [];
  let before = 0;
  while (from.more) {
    const start = before + from.next();
    const end = start + from.next();
    units.push({ start, end, symbol: from.next() - 1, signature: start });
    const unit = units[units.length - 1];
    if (unit !== undefined) unit.signature += from.next();
    before = end;
  }
  return units;
}

/** Postings of a term: ascending units, each with how often it has the term. */
export class UnitPostingWriter {
  readonly #out = new VarintWriter(8);
  #last = 0;
  units = 0;

  add(unit: number, count: number): void {
    this.#out.push(((unit - this.#last) << 1) | Number(count === 1));
    if (count !== 1) this.#out.push(count);
    this.#last = unit;
    this.units += 1;
  }

  bytes(): Uint8Array {
    return this.#out.bytes();
  }

  clear(): void {
    this.#out.clear();
    this.#last = 0;
    this.units = 0;
  }
}

/** Calls with each unit of a term's postings, and how often it has the term. */
export function forEachUnit(postings: Uint8Array, visit: (unit: number, count: number) => void): void {
  const from = new VarintReader(postings);
  let unit = 0;
  while (from.more) {
    const head = from.next();
    unit += head >>> 1;
    visit(unit, (head & 1) === 1 ? 1 : from.next());
  }
}
