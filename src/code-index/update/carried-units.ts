import type { DatabaseSync } from 'node:sqlite';
import { forEachUnit, packUnits, type Unit, unpackUnits, UnitPostingWriter } from '../format/unit-codec.ts';
import type { UnitIndex } from '../shard/unit-index.ts';
import type { BaseShard } from './base-shard.ts';
import type { Layout } from './layout.ts';
import { carryTermTable, isMoved } from './term-table.ts';

/** First unit of each file of the new shard, and the new numbers of the old units. */
interface UnitLayout {
  /** Number of the first unit of each file; one more entry than files. */
  firsts: Int32Array;
  /** The rows of files that stay. */
  carriedRows: readonly { file: number; first: number; blob: Uint8Array }[];
  /** New number of each old unit, -1 for those of files that changed or are gone. */
  to: Int32Array;
}

/** Numbers the units of the new shard. `cut` has those of the files that changed, by new id. */
export function layOutUnits(base: BaseShard, layout: Layout, cut: ReadonlyMap<number, readonly Unit[]>): UnitLayout {
  const rows = base.rows<[number, number, Uint8Array]>('select file, first, units from unit order by file');
  const old = new Map(rows.map(([file, first, blob]) => [file, { first, blob, count: unpackUnits(blob).length }]));
  const total = [...old.values()].reduce((sum, { count }) => sum + count, 0);
  const firsts = new Int32Array(layout.files.length + 1);
  const to = new Int32Array(total).fill(-1);
  const carriedRows: { file: number; first: number; blob: Uint8Array }[] = [];
  for (const [id, { base: file }] of layout.files.entries()) {
    const first = firsts[id] ?? 0;
    const row = file === undefined ? undefined : old.get(file.id);
    firsts[id + 1] = first + (row?.count ?? cut.get(id)?.length ?? 0);
    if (row === undefined) continue;
    carriedRows.push({ file: id, first, blob: row.blob });
    for (let at = 0; at < row.count; at += 1) to[row.first + at] = first + at;
  }
  return { firsts, carriedRows, to };
}

/** Takes the units of a shard over into the next one, with those of the files that changed. `gone` are the terms that these may have had. */
export function carryUnits(
  { db, base }: { db: DatabaseSync; base: BaseShard },
  { firsts, carriedRows, to }: UnitLayout,
  added: UnitIndex,
  gone: ReadonlySet<string>,
): void {
  const insert = db.prepare('insert into unit values (?, ?, ?)');
  const rows = [
    ...carriedRows,
    ...added.files.map(({ file, first, units }) => ({ file, first, blob: packUnits(units) })),
  ];
  for (const { file, first, blob } of rows.toSorted((a, b) => a.file - b.file)) insert.run(file, first, blob);
  const lengths = new Uint8Array(firsts.at(-1) ?? 0);
  const old = base.dense('unit_length');
  for (const [unit, next] of to.entries()) if (next >= 0) lengths[next] = old[unit] ?? 0;
  for (const [at, unit] of added.units.entries()) lengths[unit] = added.lengths[at] ?? 0;
  db.prepare('insert into dense values (?, ?)').run('unit_length', lengths);
  const out = new UnitPostingWriter();
  carryTermTable(db, base, 'unit_term', {
    added: added.terms.map(({ text, units, postings }) => ({ text, count: units, postings })),
    merge: (postings, more) => {
      mergePostings(out, { to, postings, more });
      return { count: out.units, postings: out.bytes() };
    },
    gone: isMoved(to, lengths.length) ? undefined : gone,
  });
}

/** Puts two postings of one term together; files stay in order, so that both ascend. */
function mergePostings(
  out: UnitPostingWriter,
  { to, postings, more }: { to: Int32Array; postings: Uint8Array; more: Uint8Array | undefined },
): void {
  out.clear();
  const added: [unit: number, count: number][] = [];
  if (more !== undefined) forEachUnit(more, (unit, count) => void added.push([unit, count]));
  let next = 0;
  forEachUnit(postings, (unit, count) => {
    const moved = to[unit] ?? -1;
    if (moved < 0) return;
    for (; next < added.length && (added[next]?.[0] ?? 0) < moved; next += 1) out.add(...(added[next] ?? [0, 0]));
    out.add(moved, count);
  });
  for (; next < added.length; next += 1) out.add(...(added[next] ?? [0, 0]));
}
