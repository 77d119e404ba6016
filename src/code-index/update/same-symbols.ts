import type { FileInput } from '../format/shard-input.ts';
import type { BaseShard } from './base-shard.ts';
import type { Layout } from './layout.ts';

/**
 * The new id of each old symbol, -1 for those that are gone. In a file that changed, symbols of one kind, qualified
 * name and list of parameters are taken for the same in their order.
 */
export function symbolsTo(base: BaseShard, layout: Layout, changed: ReadonlyMap<number, FileInput>): Int32Array {
  const to = new Int32Array(base.symbols).fill(-1);
  for (const { id, firstSymbol, symbols } of base.files) {
    const file = layout.fileTo[id] ?? -1;
    if (file < 0) continue;
    const first = layout.firstSymbols[file] ?? 0;
    const input = changed.get(file);
    if (input === undefined) for (let at = 0; at < symbols; at += 1) to[firstSymbol + at] = first + at;
    else to.set(matchSymbols(base, firstSymbol, symbols, { input, first }), firstSymbol);
  }
  return to;
}

function matchSymbols(
  base: BaseShard,
  firstSymbol: number,
  symbols: number,
  { input, first }: { input: FileInput; first: number },
): number[] {
  const places = new Map<string, number[]>();
  for (const [index, { kind, qualified, parameters }] of input.symbols.entries()) {
    const key = keyOf(kind, qualified, parameters ?? null);
    const existing = places.get(key);
    if (existing === undefined) places.set(key, [first + index]);
    else existing.push(first + index);
  }
  const query = 'select kind, qualified, parameters from symbol where id >= ? and id < ? order by id';
  const rows = base.rows<[string, string, string | null]>(query, firstSymbol, firstSymbol + symbols);
  return rows.map((row) => places.get(keyOf(...row))?.shift() ?? -1);
}

function keyOf(kind: string, qualified: string, parameters: string | null): string {
  return `${kind} ${qualified} ${parameters ?? ''}`;
}
