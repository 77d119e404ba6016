import { expect, onTestFinished, test } from 'vitest';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { openShard, type ShardDatabase } from '../../indexes/shards/shards.ts';
import { withIndexed } from '../../testing/indexed-code.ts';
import { deadCode } from '../dead-code/store-dead-code.ts';
import { codeMap } from '../map/map.ts';
import { DEFAULT_THRESHOLDS } from '../smells/smell-thresholds.ts';
import { smells } from '../smells/store-smells.ts';
import { storedBytes } from '../stored/stored.ts';
import { writeSummaries } from './summaries.ts';

const PAGE = { limit: 100, offset: 0 } as const;
const COPY = Array.from({ length: 12 }, (_, at) => `  total += price(items[${at}], rate) * ${at};`).join('\n');

const FILES = {
  'package.json': '{ "name": "shop", "main": "src/index.ts" }',
  'src/index.ts': "export { sum } from './sum.ts';\nexport { other } from './other.ts';\n",
  'src/sum.ts': `import { other } from './other.ts';\nexport function sum(items: number[], rate: number): number {\n  let total = other(items, rate);\n${COPY}\n  return total;\n}\nfunction unused(): void {}\n`,
  'src/other.ts': `import { sum } from './sum.ts';\nexport function other(items: number[], rate: number): number {\n  let total = sum(items, rate);\n${COPY}\n  return total;\n}\n`,
  'src/types.ts': "import type { B } from './types-b.ts';\nexport interface A {\n  b: B;\n}\n",
  'src/types-b.ts': "import type { A } from './types.ts';\nexport interface B {\n  a: A;\n}\n",
};

const answers = (db: ShardDatabase): unknown[] => [
  codeMap(db, { most: 50 }),
  codeMap(db, { most: 1 }),
  codeMap(db, { most: 50, path: 'src' }),
  smells(db, { ...PAGE, thresholds: DEFAULT_THRESHOLDS }),
  deadCode(db, PAGE),
];

test('answers about a whole index are the same from what it holds and computed when asked', () =>
  withIndexed(FILES, (db, file) => {
    const computed = answers(db);

    expect(writeSummaries(file)).toEqual([]);

    const stored = openShard(file, CODE_FORMAT);
    onTestFinished(() => stored.close());
    for (const name of ['central_order', 'import_cycles', 'duplicates', 'dead_code', 'map'])
      expect(storedBytes(stored, name)).toBeGreaterThan(0);
    expect(answers(stored)).toEqual(computed);
    expect(smells(stored, { ...PAGE, thresholds: DEFAULT_THRESHOLDS })).toMatchObject({
      bySmell: { cycle: 1, duplicate: 1 },
      ofTypes: [['src/types-b.ts', 'src/types.ts']],
    });
    expect(deadCode(stored, PAGE).rows.map(({ name }) => name)).toContain('unused');
  }));
