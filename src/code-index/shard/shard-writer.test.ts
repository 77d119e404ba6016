import { existsSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shardInput, shop, withShard } from '../../testing/code-shard.ts';
import { relationBit } from '../format/relations.ts';
import { EXACT_BIT, type FileInput, type ShardInput } from '../format/shard-input.ts';
import { ShardTexts } from '../format/shard-text.ts';
import {
  packIds,
  packReferences,
  readUses,
  unpackIds,
  unpackReferences,
  writeUse,
  type UseEntry,
} from '../format/store-codec.ts';
import { packLength, unpackLength, VarintReader, VarintWriter } from '../../kernel/varints.ts';
import { usages } from '../../code/queries/store.ts';

const filesOf = (input: ShardInput): FileInput[] => input.files as FileInput[];

/** Every row of every table of a shard file; a full-text index shows as the tables it is made of. */
function rowsOf(file: string): Record<string, unknown[]> {
  const db = new DatabaseSync(file, { readOnly: true });
  const tables = db
    .prepare("select name from sqlite_schema where type = 'table' and sql not like 'create virtual%' order by name")
    .all() as {
    name: string;
  }[];
  const rows = Object.fromEntries(tables.map(({ name }) => [name, db.prepare(`select * from "${name}"`).all()]));
  db.close();
  return rows;
}

function turn<T extends Int32Array | Uint8Array>(array: T): T {
  return array.toReversed() as T;
}

function contentOf(_: unknown, file: string): [Record<string, unknown[]>, Buffer] {
  return [rowsOf(file), readFileSync(file)];
}

async function* streamed(): AsyncGenerator<FileInput> {
  for (const file of filesOf(shop())) yield await Promise.resolve(file);
}

/** Builds and removes a shard; gives where it was. */
function build(files: FileInput[], families: number[][] = []): Promise<string> {
  return withShard({ files, families }, (_, file) => file);
}

/** The same facts as they would come from another order of extraction. */
function shuffled(input: ShardInput): ShardInput {
  const files = filesOf(input).map((file): FileInput => {
    const { occurrences: o, nameOnly: n } = file;
    return {
      ...file,
      imports: turn(file.imports),
      occurrences: {
        line: turn(o.line),
        column: turn(o.column),
        use: turn(o.use),
        grade: turn(o.grade),
        target: turn(o.target),
        enclosing: turn(o.enclosing),
      },
      nameOnly: {
        name: n.name.toReversed(),
        grade: turn(n.grade),
        line: turn(n.line),
        column: turn(n.column),
        use: turn(n.use),
        enclosing: turn(n.enclosing),
      },
    };
  });
  return { files, families: input.families.toReversed().map((group) => group.toReversed()) };
}

test('texts that were read ahead, all or some, give the same file', async () => {
  const words = Array.from({ length: 40_000 }, (_, at) => `w${at.toString(36).padStart(4, 'q')}x`).join('\n');
  const input = shardInput([
    { path: 'alpha.ts', text: 'class Last {}\n', symbols: [{ qualified: 'Last', kind: 'class', line: 1 }] },
    { path: 'beta.txt', text: words },
    { path: 'gamma.txt', text: 'the last word: wqqqqx' },
  ]);
  const expected = await withShard(input, contentOf);
  for (const ahead of [1, 3]) {
    const texts = new ShardTexts();
    for (const { text } of filesOf(input).slice(0, ahead)) texts.add(text);
    expect(await withShard({ ...input, texts }, contentOf)).toEqual(expected);
  }
});

test('the order of extraction does not show: equal rows, equal bytes', async () => {
  const [rows, bytes] = await withShard(shop(), contentOf);
  const [otherRows, otherBytes] = await withShard(shuffled(shop()), contentOf);

  expect(rows['symbol']).toHaveLength(6);
  expect(otherRows).toEqual(rows);
  expect(otherBytes.equals(bytes)).toBe(true);
});

test('files may come one by one as they are read', async () => {
  await withShard({ ...shop(), files: streamed() }, (db) => {
    expect(db.prepare('select count(*) as files from file').get()).toEqual({ files: 5 });
  });
});

test('a use that is given twice counts once, with its best grade', async () => {
  const twice = { line: 2, name: 'run', use: 'call', target: 'run@a.ts' } as const;
  const sketch = {
    path: 'a.ts',
    text: 'function run() {}\nrun();\n',
    symbols: [{ qualified: 'run', kind: 'function', line: 1 }],
    uses: [twice, { ...twice, grade: 'exact' }, { ...twice, use: 'read' }],
  } as const;

  await withShard(shardInput([{ ...sketch, symbols: [...sketch.symbols], uses: [...sketch.uses] }]), (db) => {
    expect(usages(db, { symbols: [0], limit: 9, offset: 0 })).toMatchObject({
      total: 1,
      rows: [{ grade: 'exact', use: 'call' }],
    });
  });
});

test('edges are stored in both directions', () =>
  withShard(shop(), (db) => {
    const edge = (symbol: number): { refers: Uint8Array; extends: Uint8Array; extended_by: Uint8Array } =>
      db.prepare('select refers, extends, extended_by from edge where symbol = ?').get(symbol) as never;
    const fileEdge = (file: number): { depends: Uint8Array; depended_by: Uint8Array } =>
      db.prepare('select depends, depended_by from file_edge where file = ?').get(file) as never;
    const bits = relationBit('imports') | relationBit('calls') | relationBit('references');

    expect(unpackReferences(edge(4).refers)).toEqual([
      { target: 2, uses: 1 },
      { target: 3, uses: 1 },
    ]);
    expect(unpackIds(edge(2).extends)).toEqual([0]);
    expect(unpackIds(edge(0).extended_by)).toEqual([2]);
    expect(unpackReferences(fileEdge(3).depends)).toEqual([{ target: 2, uses: bits | EXACT_BIT }]);
    expect(unpackReferences(fileEdge(2).depended_by)).toEqual([
      { target: 3, uses: bits | EXACT_BIT },
      { target: 4, uses: bits },
    ]);
  }));

test('facts in the wrong order or with unknown ids are a bug that stops the build', async () => {
  const [first, second, third, ...rest] = filesOf(shop());
  if (first === undefined || second === undefined || third === undefined) throw new Error('The shop has five files.');
  await expect(build([second, first])).rejects.toThrow('out of order');
  await expect(build([first, first])).rejects.toThrow('out of order');
  await expect(build([{ ...third, symbols: third.symbols.toReversed() }])).rejects.toThrow('symbols are out of order');
  await expect(build([first, second, { ...third, symbols: [] }, ...rest])).rejects.toThrow('enclosing symbol');
  const strange = { ...third.occurrences, target: new Int32Array(third.occurrences.target.length).fill(99) };
  await expect(build([first, second, { ...third, occurrences: strange }])).rejects.toThrow('no target symbol 99');
  expect(existsSync(await build([first]))).toBe(false);
});

test('blobs give back what was put in', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), (values) => {
      const out = new VarintWriter(1);
      for (const value of values) out.push(value);
      const from = new VarintReader(out.bytes());
      expect(values.map(() => from.next())).toEqual(values);
      expect(from.more).toBe(false);
      expect(unpackIds(packIds(values))).toEqual([...new Set(values)].toSorted((a, b) => a - b));
    }),
  );
  expect([packIds([]), packReferences(new Map())]).toEqual([null, null]);
});

test('uses of any files, lines and columns survive', () => {
  const firstSymbols = Int32Array.from({ length: 50 }, (_, file) => file * 10);
  const entry = fc.record({
    file: fc.nat(49),
    line: fc.integer({ min: 1, max: 100_000 }),
    column: fc.nat(5000),
    use: fc.nat(6),
    grade: fc.nat(1),
    inside: fc.integer({ min: -1, max: 9 }),
  });

  fc.assert(
    fc.property(fc.array(entry), (raw) => {
      const entries = raw
        .map(({ inside, ...rest }): UseEntry => ({ ...rest, enclosing: inside === -1 ? -1 : rest.file * 10 + inside }))
        .toSorted((a, b) => a.file - b.file || a.line - b.line || a.column - b.column);
      const out = new VarintWriter();
      for (const [index, useEntry] of entries.entries())
        writeUse(out, useEntry, entries[index - 1], useEntry.file * 10);
      expect(readUses(out.bytes(), firstSymbols)).toEqual(entries);
    }),
  );
});

test('lengths in one byte are exact when small, near when large, and never out of order', () => {
  for (let length = 0; length < 16; length++) expect(unpackLength(packLength(length))).toBe(length);
  for (let length = 16; length < 100_000; length += 7) {
    const restored = unpackLength(packLength(length));
    expect(restored <= length && restored > length * 0.93).toBe(true);
    expect(packLength(length)).toBeGreaterThanOrEqual(packLength(length - 7));
  }
});
