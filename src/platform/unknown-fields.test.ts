import { expect, test } from 'vitest';
import { z } from 'zod';
import { unknownFields } from './unknown-fields.ts';
import { body, describeRoutes, json, newRoutes } from './web.ts';

const Signal = z.object({ text: z.string(), rating: z.number().optional() });

test('fields that a schema does not know are named by their path, in every form a schema has', () => {
  const schema = z.union([z.object({ signals: z.array(Signal).min(1) }), Signal]);

  expect(unknownFields(schema, { text: 'a', raiting: 3 })).toEqual(['raiting']);
  expect(
    unknownFields(schema, {
      signals: [
        { text: 'a', tone: 1 },
        { text: 'b', tone: 2 },
      ],
    }),
  ).toEqual(['signals[].tone']);
  expect(unknownFields(z.object({ a: Signal.optional() }).transform(String), { a: { text: '', b: 1 } })).toEqual([
    'a.b',
  ]);
  expect(unknownFields(z.looseObject({ a: z.string() }), { a: 'a', b: 1 })).toEqual([]);
  expect(unknownFields(z.record(z.string(), z.string()), { any: 'name' })).toEqual([]);
  expect(unknownFields(z.object({}), { constructor: 1, ['__proto__x']: 2 })).toEqual(['constructor', '__proto__x']);
});

test('a route names in its answer what it was sent and does not know', async () => {
  const route = describeRoutes('Test');
  const routes = newRoutes();
  const add = route('post', '/signals', 'Add', {
    query: z.object({ product: z.string().optional() }),
    body: body(Signal),
    answers: { 201: json(z.object({ added: z.number() }), 'Added') },
  });
  routes.openapi(add, (c) => c.json({ added: 1 }, 201));
  routes.openapi(route('delete', '/signals', 'Delete', { query: z.object({}) }), (c) => c.body(null, 204));
  const send = (path: string, sent: object): Promise<Response> =>
    Promise.resolve(
      routes.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      }),
    );

  const noted = await send('/signals?produkt=shop', { text: 'a', raiting: 3 });
  const deleted = await routes.request('/signals?force=1', { method: 'DELETE' });

  expect([noted.status, await noted.json()]).toEqual([
    201,
    { added: 1, notes: ['ignored unknown field: raiting', 'ignored unknown parameter: produkt'] },
  ]);
  expect(await (await send('/signals', { text: 'a' })).json()).toEqual({ added: 1 });
  expect([deleted.status, deleted.headers.get('x-ignored-fields')]).toEqual([204, 'force']);
});
