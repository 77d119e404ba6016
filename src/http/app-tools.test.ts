import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPerson } from '../testing/person.ts';
import { openTestApplication, type TestApplication } from '../testing/web-application.ts';

let application: TestApplication;

beforeAll(async () => {
  application = await openTestApplication();
});
afterAll(() => application.close());

test('pages call the operations that only read, about the chosen product, and no others', async () => {
  const { account, send } = application;
  const { token: session } = await testPerson(account, 'owner', new Date());
  const made = await send('POST', '/app/api/products', { session, body: { name: 'another' } });
  const { id } = (await made.json()) as { id: string };
  const call = (name: string, body: object): Promise<Response> =>
    send('POST', `/app/api/tools/${name}?product=${id}`, { session, body });

  const answer = await call('echo-tool', { action: 'shout', query: 'here' });
  const [faulty, failing, unknown] = await Promise.all([
    call('echo-tool', { action: 'whisper' }),
    call('failing-tool', { how: 'bug' }),
    call('no-tool', {}),
  ]);

  expect(await answer.json()).toMatchObject({ product: id, rows: [{ said: 'HERE' }] });
  expect([faulty.status, failing.status, unknown.status]).toEqual([400, 404, 404]);
  expect(await failing.json()).toMatchObject({
    error: { code: 'not_found', fix: expect.stringContaining('echo-tool') },
  });
});
