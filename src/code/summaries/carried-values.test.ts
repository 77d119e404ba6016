import { DatabaseSync } from 'node:sqlite';
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { addDenseValues } from '../../code-index/format/dense-values.ts';
import { CODE_ADJACENCY, FILE_ADJACENCY } from '../../graph/queries/store-adjacency.ts';
import { openShard, ShardDatabase, shardUri } from '../../indexes/shards/shards.ts';
import { withCommits } from '../../testing/indexed-code.ts';
import { writeValues } from '../../testing/shard-values.ts';
import { DEAD_CODE } from '../dead-code/store-dead-code.ts';
import { TEXT_CLUES } from '../dead-code/store-texts.ts';
import { CENTRAL_ORDER } from '../map/central-order.ts';
import { takeStored, VALUES_VERSION } from '../stored/stored.ts';
import { IMPORT_CYCLES } from '../smells/import-cycles.ts';
import { DUPLICATES } from '../smells/stored-duplicates.ts';
import { dense } from '../files/store-files.ts';

const VALUES = [CENTRAL_ORDER, IMPORT_CYCLES, DUPLICATES, DEAD_CODE, CODE_ADJACENCY, FILE_ADJACENCY];
const NAMES = [CENTRAL_ORDER, IMPORT_CYCLES, DUPLICATES, DEAD_CODE, CODE_ADJACENCY].map(({ name }) => name);
const FIXTURES = join(import.meta.dirname, '../../../fixtures/updates');

const shop = `import { price } from './price.ts';

/** Sells. */
export class Shop {
  static rate = 1;
  total(): number {
    const items = [1, 2];
    return price(items, Shop.rate);
  }
  close(): void {}
}

function unused(): void {}
const limit = 5;
`;
const FILES = {
  'package.json': '{ "name": "shop", "main": "src/index.ts" }',
  'src/index.ts': "export { Shop } from './shop.ts';\n",
  'src/price.ts': 'export function price(items: number[], rate: number): number {\n  return items.length * rate;\n}\n',
  'src/shop.ts': shop,
  'tools/jobs.py': 'from tools import other\n\n\nclass Job:\n    def run(self):\n        return other.start()\n',
  'tools/other.py':
    'import typing\n\nif typing.TYPE_CHECKING:\n    from tools.jobs import Job\n\n\ndef start():\n    return 1\n',
  'docs/notes.md': '# Notes\n\nOf a shop.\n',
};
const edit = (from: string, to: string): Record<string, string> => {
  if (!shop.includes(from)) throw new Error(`the shop has no ${from}`);
  return { 'src/shop.ts': shop.replace(from, to) };
};
const WITHOUT = (...names: string[]): string[] => NAMES.filter((name) => !names.includes(name));

const EDITS: [what: string, files: Record<string, string>, carried: string[]][] = [
  ['a comment on one line', edit('Sells.', 'Buys.'), NAMES],
  ['prose in a document', { 'docs/notes.md': '# Notes\n\nOf some shops.\n' }, NAMES],
  ['a line more in a body', edit('= [1, 2];', '= [\n1, 2];'), WITHOUT('duplicates')],
  ['a name in a string', edit('limit = 5', "limit = 'unused'"), WITHOUT('dead_code')],
  ['code in a document', { 'docs/notes.md': '# Notes\n\nOf a `unused`.\n' }, WITHOUT('dead_code')],
  ['a mark above a method', edit('  close()', '  @run close()'), WITHOUT('dead_code', 'duplicates')],
  ['a value that is computed', edit('limit = 5', 'limit = start()'), WITHOUT('dead_code', 'duplicates')],
  ['a member that is not resolved', edit('[1, 2]', '[unknown.unused]'), WITHOUT('dead_code', 'duplicates')],
  ['a class as a value', edit('Shop.rate', '(Shop).rate'), WITHOUT('dead_code', 'duplicates')],
  ['a class that is read again', edit('[1, 2]', '[1, Shop]'), ['central_order', 'adjacency']],
  ['a call of another function', edit('[1, 2]', '[unused()]'), []],
  ['a function more', edit('const limit', 'function more() {}\nconst limit'), []],
  [
    'a manifest',
    { 'package.json': '{ "main": "src/index.ts", "name": "shop", "type": "module" }' },
    WITHOUT('dead_code'),
  ],
  [
    'what decides the imports at run time',
    { 'tools/other.py': FILES['tools/other.py'].replace('if typing', 'if not typing') },
    WITHOUT('import_cycles', 'duplicates'),
  ],
  ['a file more', { 'src/more.ts': '// more\n' }, []],
];

test('after a change a value is carried over where what it is computed of is the same, and is the one that is computed else', () =>
  withCommits([FILES, ...EDITS.map(([, files]) => ({ ...FILES, ...files }))], ([base = '', ...shards]) => {
    writeValues(base);
    const carried = EDITS.map(([what], at) => {
      const [shard = '', fresh] = [shards[at], `${shards[at]}-fresh`];
      copyFileSync(shard, fresh);
      writeValues(fresh);
      copyFileSync(shard, `${shard}-marked`);
      const marked = markedCopy(base);
      writeValues(`${shard}-marked`, marked);
      writeValues(shard, base);
      expect([what, valuesOf(shard)]).toEqual([what, valuesOf(fresh)]);
      return [what, NAMES.filter((name) => valuesOf(`${shard}-marked`)[name]?.startsWith(MARK))];
    });

    expect(carried).toEqual(EDITS.map(([what, , names]) => [what, names]));
  }));

const MARK = Buffer.from('carried').toString('hex');

/** A shard whose values are marked: of one that is made from it, those that are carried over are. */
function markedCopy(base: string): string {
  const marked = `${base}-marked`;
  copyFileSync(base, marked);
  const values = NAMES.map((name) => ({ name, data: Buffer.from('carried') }));
  addDenseValues(marked, values);
  return marked;
}

function valuesOf(file: string): Record<string, string> {
  const shard = openShard(file, CODE_FORMAT);
  try {
    return Object.fromEntries(NAMES.map((name) => [name, Buffer.from(dense(shard, name)).toString('hex')]));
  } finally {
    shard.close();
  }
}

test('values of another version are computed anew', () =>
  withCommits([FILES, edit('Sells.', 'Buys.')], ([base = '', shard = '']) => {
    writeValues(base);
    const marked = markedCopy(base);
    addDenseValues(marked, [{ name: 'values_version', data: Buffer.from('0') }]);

    writeValues(shard, marked);

    expect(NAMES.filter((name) => valuesOf(shard)[name]?.startsWith(MARK))).toEqual([]);
  }));

test('clues are read in texts that changed, and taken from the shard before for the others', () =>
  withCommits([FILES, edit('limit = 5', "limit = 'unused'")], ([base = '', shard = '']) => {
    writeValues(base);
    const before = openShard(base, CODE_FORMAT);
    const planted = TEXT_CLUES.unpack(dense(before, TEXT_CLUES.name)).map(() => ({ quoted: ['planted'] }));
    const paths = before
      .prepare('select path from file order by id')
      .all()
      .map((row) => row['path']);
    before.close();
    addDenseValues(base, [{ name: TEXT_CLUES.name, data: TEXT_CLUES.pack(planted) }]);

    writeValues(shard, base);

    const after = openShard(shard, CODE_FORMAT);
    onTestFinished(() => after.close());
    const quoted = TEXT_CLUES.unpack(dense(after, TEXT_CLUES.name)).map((clues) => clues?.quoted);
    expect(quoted).toEqual(paths.map((path) => (path === 'src/shop.ts' ? ['unused'] : ['planted'])));
  }));

test('values have a new version when those of the same code are others', () =>
  withCommits([Object.assign({}, FILES, ...programs())], ([file = '']) => {
    writeValues(file);
    const shard = openShard(file, CODE_FORMAT);
    const hash = createHash('sha256');
    const options = { depth: null, maxArrayLength: null, maxStringLength: null, sorted: true };
    for (const value of [...VALUES, TEXT_CLUES])
      hash.update(`${value.name} ${inspect(takeStored<unknown>(shard, value), options)}\n`);
    shard.close();

    // A shard keeps what an earlier version computed for as long as its code stays the same.
    expect([VALUES_VERSION, hash.digest('hex').slice(0, 16)], 'Raise VALUES_VERSION, then put both here.').toEqual([
      1,
      '42e1e9c105435d64',
    ]);
  }));

test('a value reads no other column than those that it states', () =>
  withCommits([Object.assign({}, FILES, ...programs())], ([file = '']) => {
    for (const value of VALUES) {
      const { name, inputs } = value;
      const read = new Set<string>();
      const database = new DatabaseSync(shardUri(file), { readOnly: true });
      database.setAuthorizer((action, table, column) => {
        if (action === READ && column !== '' && table !== null && !table.startsWith('json_'))
          read.add(`${table}.${column}`);
        return 0;
      });
      const shard = new ShardDatabase(database, { kind: '', version: 0, values: {} });
      value.compute(shard);
      shard.close();
      const stated = new Set(
        Object.entries(inputs?.columns ?? {}).flatMap(([table, columns]) =>
          columns.map((column) => `${table}.${column}`),
        ),
      );
      const others = [...read].filter((column) => !stated.has(column) && !KEYS.has(column));

      expect([
        name,
        others.filter((column) => !/^(chunk|block)\./.test(column) || inputs?.isSameText === undefined),
      ]).toEqual([name, []]);
    }
  }));

/** SQLITE_READ */
const READ = 20;
/** Keys of the rows, and what the compared columns give. */
const KEYS = new Set(
  (
    'file.id file.first_symbol file.symbols name.id symbol.id usage.symbol named.name edge.symbol file_edge.file ' +
    'structure.file dense.name dense.data'
  ).split(' '),
);

/** The first texts of the programs that updates are tested with: files in many languages. */
function programs(): Record<string, string>[] {
  return readdirSync(FIXTURES).map((fixture) => {
    const [text = ''] = readFileSync(join(FIXTURES, fixture), 'utf8').split(/^== edit /m);
    const files = text.split(/^== file /m).slice(1);
    return Object.fromEntries(
      files.map((file) => {
        const end = file.indexOf('\n');
        return [`${fixture.replace('.txt', '')}/${file.slice(0, end)}`, file.slice(end + 1)];
      }),
    );
  });
}
