import { expect, test } from 'vitest';
import { shardInput, withShard } from '../../testing/code-shard.ts';
import { queryPlansOf } from '../../testing/query-plans.ts';
import { traitImplementations } from './heritage.ts';

/** So many names that it pays to ask by the index: of a small table SQLite reads all. */
const OTHERS = Array.from({ length: 200 }, (_, at) => ({
  path: `other${at}.rs`,
  text: `pub struct Other${at} {}\n`,
  language: 'Rust',
  symbols: [{ qualified: `Other${at}`, kind: 'struct' as const, line: 1 }],
}));
const SHAPE = {
  path: 'shape.rs',
  text: 'pub trait Shape {}\npub struct CIRCLE {}\npub struct Circle {}\nimpl Shape for Circle {}\n',
  language: 'Rust',
  symbols: [
    { qualified: 'Shape', kind: 'trait' as const, line: 1 },
    { qualified: 'CIRCLE', kind: 'struct' as const, line: 2 },
    { qualified: 'Circle', kind: 'struct' as const, line: 3 },
  ],
  uses: [{ line: 4, name: 'Shape', use: 'type' as const, target: 'Shape@shape.rs' }],
};

test('the type of a block is looked up in the case in which it is written, without reading all names', () =>
  withShard(shardInput([...OTHERS, SHAPE]), (db) => {
    const trait = OTHERS.length;

    const plans = queryPlansOf(db, () => traitImplementations(db, trait));

    expect(traitImplementations(db, trait)).toMatchObject([{ symbol: trait + 2, place: { name: 'Circle', line: 4 } }]);
    expect(plans).toContainEqual(expect.stringContaining('name_by_text'));
    expect(plans).not.toContainEqual(expect.stringMatching(/^SCAN [ns](?: USING|$)/));
  }));
