import { expect, test } from 'vitest';
import { shardInput, withShard } from '../../testing/code-shard.ts';
import { queryPlansOf } from '../../testing/query-plans.ts';
import { entryRows } from '../map/store-entries.ts';
import { namedFiles } from './named-symbols.ts';

/** So many names that it pays to ask by the index: of a small table SQLite reads all. */
const NAMES = ['main', 'Main', 'MAIN', ...Array.from({ length: 200 }, (_, at) => `send${at}`)];
const INPUT = shardInput(
  NAMES.map((name, at) => ({
    path: `${at}.ts`,
    text: `export function ${name}() {}\n`,
    symbols: [{ qualified: name, kind: 'function', line: 1 }],
  })),
);

test('a name is looked up in the case in which it is written, without reading all names', () =>
  withShard(INPUT, (db) => {
    const size = { language: 'TypeScript', sizeBytes: 1, lines: 1, symbols: 1 };
    const files = [{ id: 0, path: '0.ts', ...size, isTest: false, content: 'code' as const, generated: false }];

    const plans = queryPlansOf(db, () => [namedFiles(db, ['Main']), entryRows(db, files, () => '')]);
    const { known, defines } = namedFiles(db, ['Main']);

    expect([...known]).toEqual(['Main']);
    expect(defines.filter((score) => score > 0)).toEqual(Float32Array.of(1));
    expect(plans.filter((plan) => plan.includes('name_by_text'))).toHaveLength(2);
    expect(plans).not.toContainEqual(expect.stringMatching(/^SCAN [ns](?: USING|$)/));
  }));
