import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPerson } from '../testing/person.ts';
import { openTestApplication, type TestApplication } from '../testing/web-application.ts';

let application: TestApplication;
let session: string;

beforeAll(async () => {
  application = await openTestApplication();
  session = (await testPerson(application.account, 'member', new Date())).token;
});
afterAll(() => application.close());

interface Listed {
  documents: { id: string; name: string; status: string; tags: string[] }[];
  total: number;
  counts: { waiting: number };
  next: string | null;
}

test('files come in by a form, are listed in pages, and give their bytes back as an attachment', async () => {
  const form = new FormData();
  form.append('files', new File(['# One'], 'one.md'));
  form.append('files', new File(['# Two'], 'folder/two.md'));
  form.append('files', new File(['bad'], '..'));
  const packed = new Response(form);
  const body = Buffer.from(await packed.arrayBuffer());

  const { send } = application;
  const sent = await send('POST', '/app/api/documents?tags=a,%20b', {
    session,
    bytes: body,
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': packed.headers.get('content-type') ?? '' },
  });

  expect(sent.status).toBe(202);
  const { documents } = (await sent.json()) as { documents: { name: string; outcome: string; id: string }[] };
  expect(documents.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['one.md', 'added'],
    ['folder/two.md', 'added'],
    ['..', 'refused'],
  ]);
  const get = async (path: string) => send('GET', `/app/api/documents${path}`, { session });
  const first = (await (await get('?limit=1')).json()) as Listed;
  const second = (await (await get(`?limit=1&cursor=${first.next ?? ''}`)).json()) as Listed;
  expect([first.total, first.counts.waiting, second.next]).toEqual([2, 2, null]);
  expect([...first.documents, ...second.documents].map(({ name, tags }) => [name, tags])).toEqual([
    ['folder/two.md', ['a', 'b']],
    ['one.md', ['a', 'b']],
  ]);
  const original = await get(`/${documents[0]?.id ?? ''}/original`);
  expect(await original.text()).toBe('# One');
  expect(original.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''one.md");
});

test('a body without a name, and a form without a file, say what to do', async () => {
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' };

  const response = await application.send('POST', '/app/api/documents', { session, bytes: Buffer.from('x'), headers });

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { fix: expect.stringContaining('?name=') } });
});
