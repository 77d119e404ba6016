import { expect, test } from 'vitest';
import { shardInput, withShard } from '../../testing/code-shard.ts';
import { openShard } from '../../indexes/shards/shards.ts';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { addStoredValues, storedBytes, type StoredValue, takeStored } from './stored.ts';

/** More files than a reader computes anything of. */
const MANY = Array.from({ length: 3_001 }, (_, at) => ({ path: `src/f${at}.ts`, text: '' }));

function valueOf(name: string, compute: () => string): StoredValue<string> {
  return { name, compute, pack: (text) => Buffer.from(text), unpack: (data) => Buffer.from(data).toString() };
}

test('a reader computes values of a small index, and takes those of a large one from it or refuses', () => {
  const value = valueOf('greeting', () => 'hello');
  const fails = valueOf('failing', () => {
    throw new RangeError('too much');
  });
  return withShard(shardInput(MANY), async (db, file) => {
    expect(() => takeStored(db, value)).toThrow('The index lacks "greeting"');

    expect(addStoredValues(file, [value, fails])).toEqual(['failing: too much']);

    const large = openShard(file, CODE_FORMAT);
    expect(takeStored(large, value)).toBe('hello');
    expect([storedBytes(large, 'greeting'), storedBytes(large, 'failing')]).toEqual([5, 0]);
    expect(() => takeStored(large, fails)).toThrow('could not be computed');
    large.close();
    await withShard(shardInput(MANY.slice(0, 3)), (small) => expect(takeStored(small, value)).toBe('hello'));
  });
});
