import { expect, test } from 'vitest';
import { z } from 'zod';
import { bodyOfRow } from './row-body.ts';

const Body = z.object({
  id: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  tags: z.array(z.string()),
  owner: z.string().nullable(),
});

test('a body has the columns that its schema names, with times in ISO 8601 and null for what is absent', () => {
  const createdAt = new Date('2026-03-01T08:00:00Z');
  const row = { id: '7', createdAt, lastUsedAt: undefined, tags: ['a'], owner: null, secret: 'hidden' };

  const body = bodyOfRow(Body, row, {});

  expect(body).toEqual({
    id: '7',
    created_at: '2026-03-01T08:00:00.000Z',
    last_used_at: null,
    tags: ['a'],
    owner: null,
  });
  expect(Object.keys(body)).toEqual(Object.keys(Body.shape));
});

test('a field that is given goes before the column of its name', () => {
  const row = { id: '7', createdAt: new Date(0), lastUsedAt: new Date(0), tags: [], owner: 'ada' };

  expect(bodyOfRow(Body, row, { id: 'doc:7', owner: null })).toMatchObject({ id: 'doc:7', owner: null });
});

test('what is undefined is left out where the schema lets it, whether a column or given', () => {
  const Optional = z.object({ id: z.string(), owner: z.string().optional(), note: z.string().optional() });

  const body = bodyOfRow(Optional, { id: '7', owner: undefined }, { note: undefined });

  expect(Object.keys(body)).toEqual(['id']);
  expect(bodyOfRow(Optional, { id: '7', owner: 'ada' }, { note: 'x' })).toEqual({ id: '7', owner: 'ada', note: 'x' });
});
