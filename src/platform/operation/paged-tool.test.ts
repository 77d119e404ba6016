import { expect, test } from 'vitest';
import { z } from 'zod';
import { answerAction, omitDefaults, pageFields } from './paged-tool.ts';

const Input = z.object({
  action: z.enum(['list']),
  query: z.string().optional(),
  kind: z.array(z.string()).default(['class']),
  detail: z.enum(['lines', 'body']).default('lines'),
  ...pageFields({ rows: 2, most: 50 }),
});

const sources = { provenances: [], generation: 'first' };

/** A page of 40 numbered rows as text. */
async function listPage(given: z.input<typeof Input>): Promise<string> {
  const args = Input.parse(given);
  const { text } = await answerAction(
    { operation: 'list-tool', input: Input, args, sources, detail: 'lines' },
    (from) =>
      Promise.resolve({
        total: 40,
        rows: Array.from({ length: args.limit }, (_, at) => ({
          group: '',
          id: `row ${from + at}`,
          line: `row ${from + at} ${'long '.repeat(20)}`,
          json: {},
        })),
      }),
  );
  return text;
}

const withoutDefaults = (given: z.input<typeof Input>): Record<string, unknown> =>
  omitDefaults(Input, Input.parse(given));

test('a call is told again with what differs from the defaults of its schema', () => {
  expect(withoutDefaults({ action: 'list' })).toEqual({ action: 'list' });
  expect(withoutDefaults({ action: 'list', limit: 2, kind: ['class'], format: 'text' })).toEqual({ action: 'list' });
  expect(withoutDefaults({ action: 'list', query: '', limit: 3, kind: [] })).toEqual({
    action: 'list',
    query: '',
    limit: 3,
    kind: [],
  });
});

test('the call for the rest of a later page asks for that page', async () => {
  const [, cursor] = /next=(\S+)/.exec(await listPage({ action: 'list', limit: 10, max_tokens: 2_000 })) ?? [];
  const cut = await listPage({ action: 'list', limit: 10, cursor, max_tokens: 200 });
  expect(cut).toContain('all: list-tool ');
  expect(cut).toContain(`cursor="${cursor}"`);
  const [, tokens = ''] = /max_tokens=(\d+)$/.exec(cut) ?? [];

  const whole = await listPage({ action: 'list', limit: 10, cursor, max_tokens: Number(tokens) });
  expect(whole).toContain('row 10 ');
  expect(whole).toContain('row 19 ');
  expect(whole).not.toContain('cut by');
});

test('how rows are shown does not bind a cursor, which rows there are does', async () => {
  const [, cursor] = /next=(\S+)/.exec(await listPage({ action: 'list' })) ?? [];

  expect(await listPage({ action: 'list', cursor, limit: 3, detail: 'body', max_tokens: 900 })).toContain('row 2 ');
  await expect(listPage({ action: 'list', cursor, query: 'other' })).rejects.toMatchObject({ code: 'bad_argument' });
});
