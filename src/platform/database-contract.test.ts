import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';

test('values come back the same on both engines', async () => {
  const { db } = await testDatabase();

  const { rows } = await sql<Record<string, unknown>>`
    select 7::bigint as small, 9007199254740993::bigint as large, array[1, 2]::bigint[] as bigints, 3::int as int,
      1.5::float8 as float, 12.340::numeric as numeric, '\\x6869'::bytea as bytes, true as bool, null as nothing,
      '2026-01-02 03:04:05.678+00'::timestamptz as instant, date '2026-01-02' as day,
      timestamp '2026-01-02 03:04:05' as local, interval '1 day' as span, '{"a":[1]}'::jsonb as json,
      array['x', 'y,"z']::text[] as texts, '0198a000-0000-7000-8000-000000000000'::uuid as id, count(*) as count`.execute(
    db,
  );

  expect(rows).toEqual([
    {
      small: 7,
      large: 9007199254740993n,
      bigints: [1, 2],
      int: 3,
      float: 1.5,
      numeric: '12.340',
      bytes: new Uint8Array([0x68, 0x69]),
      bool: true,
      nothing: null,
      instant: new Date('2026-01-02T03:04:05.678Z'),
      day: '2026-01-02',
      local: '2026-01-02 03:04:05',
      span: '1 day',
      json: { a: [1] },
      texts: ['x', 'y,"z'],
      id: '0198a000-0000-7000-8000-000000000000',
      count: 1,
    },
  ]);
});
