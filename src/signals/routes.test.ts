import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listAudit } from '../accounts/accounts.ts';
import { testPerson } from '../testing/person.ts';
import { useMemberApplication } from '../testing/member-application.ts';

const { member, send: sendAs } = useMemberApplication();

async function send<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const response = await sendAs(method, path, body);
  const text = await response.text();
  return { http: response.status, ...(text === '' ? {} : (JSON.parse(text) as object)) } as Body;
}

interface Listed {
  signals: { id: string; text: string; theme: string | null; placed_by: string }[];
  total: number;
  next: string | null;
}

interface Themes {
  themes: { id: string; label: string; signals: number; customers: number; sample_ids: string[] }[];
  total: number;
}

test('signals come one by one or in a batch, are listed in pages, and gather in themes by hand', async () => {
  const posted = await send<{ http: number; ids: string[] }>('POST', '/signals', {
    text: 'Slow export',
    customer: 'A',
  });
  const batch = [{ text: 'Login link expired' }, { text: 'Exports are slow', customer: 'B', date: '2026-01-02' }];
  const many = await send<{ ids: string[]; added: number }>('POST', '/signals', { signals: batch });

  expect([posted.http, many.added]).toEqual([201, 2]);
  const first = await send<Listed>('GET', '/signals?limit=2');
  const second = await send<Listed>('GET', `/signals?limit=2&cursor=${first.next ?? ''}`);
  expect([first.total, first.signals.length, second.signals.length, second.next]).toEqual([3, 2, 1, null]);
  expect(await send('GET', '/signals/counts')).toMatchObject({
    http: 200,
    signals: 3,
    customers: 2,
    folded: 0,
    sources: ['import'],
    segments: [],
    newest: expect.stringMatching(/Z$/),
  });

  const placed = await send<{ theme: string }>('PUT', `/signals/${posted.ids[0] ?? ''}/theme`, { label: 'Exports' });
  await send('PUT', `/signals/${many.ids[1] ?? ''}/theme`, { theme: placed.theme });
  await send('PATCH', `/themes/${placed.theme}`, { label: 'Slow exports' });

  expect(await send<Themes>('GET', '/themes')).toMatchObject({
    themes: [{ id: placed.theme, label: 'Slow exports', signals: 2, customers: 2 }],
    total: 1,
  });
  for (const pinned of [false, true]) {
    await send('PATCH', `/themes/${placed.theme}`, { pinned });
    expect((await send<Themes>('GET', '/themes')).themes).toMatchObject([{ label: 'Slow exports', labelled: pinned }]);
  }
  const filtered = await send<Themes>('GET', '/themes?query=export&customer=B&least=1');
  expect(filtered.themes.map((theme) => [theme.signals, theme.sample_ids])).toEqual([[1, [many.ids[1]]]]);
  expect(await send('DELETE', `/signals/${posted.ids[0] ?? ''}`)).toEqual({ http: 204 });
  expect((await send<Listed>('GET', '/signals')).total).toBe(2);
});

test.each([[{ text: ' ' }], [{ text: 'x', date: 'yesterday' }], [{ signals: [] }], [{ text: 'x'.repeat(20_001) }]])(
  'a signal that cannot be kept is refused',
  async (body) => {
    expect(await send('POST', '/signals', body)).toMatchObject({ http: 400, error: { code: 'bad_argument' } });
  },
);

test('a webhook takes what is signed with its secret, also events of GitHub, and nothing else', async () => {
  const admin = (await testPerson(member.application.account, 'admin', new Date())).token;
  const made = await member.application.send('POST', '/app/api/signal-webhooks', {
    session: admin,
    body: { name: 'CI' },
  });
  const { id, path, secret } = (await made.json()) as { id: string; path: string; secret: string };
  const post = async (body: unknown, key: string, to = path): Promise<[number, unknown]> => {
    const bytes = Buffer.from(JSON.stringify(body));
    const signature = `sha256=${createHmac('sha256', key).update(bytes).digest('hex')}`;
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
    const response = await member.application.send('POST', to, { bytes, headers });
    return [response.status, await response.json()];
  };
  const issue = { number: 7, html_url: 'https://github.com/o/n/issues/7', title: 'Hm', user: { login: 'a' }, body: '' };

  const { rows } = await sql<{ secret: string }>`select secret from signal_webhook where id = ${id}`.execute(
    member.application.account.db,
  );
  expect(rows[0]?.secret).toMatch(/^v1\./);
  expect(rows[0]?.secret).not.toContain(secret.slice(6));

  expect(await post({ text: 'over the webhook', external_id: '1' }, secret)).toMatchObject([201, { added: 1 }]);
  expect(await post({ text: 'over the webhook', external_id: '1' }, secret)).toMatchObject([
    201,
    { added: 0, unchanged: 1 },
  ]);
  expect(await post({ action: 'opened', issue }, secret)).toMatchObject([201, { added: 1 }]);
  expect(await post({ zen: 'ping' }, secret)).toMatchObject([201, { added: 0 }]);
  expect(await post({ nothing: true }, secret)).toMatchObject([400, { error: { code: 'bad_argument' } }]);
  const refused = { error: { code: 'invalid_key' } };
  expect(await post({ text: 'x' }, 'wrong')).toMatchObject([401, refused]);
  expect(await post({ text: 'x' }, secret, `${path}0`)).toMatchObject([401, refused]);
  await member.application.send('DELETE', `/app/api/signal-webhooks/${id}`, { session: admin });
  expect(await post({ text: 'x' }, secret)).toMatchObject([401, refused]);
  const audit = await listAudit(member.application.account.db, member.application.account.accountId, { limit: 20 });
  const actions = audit.map(({ action, actor }) => `${action} by ${actor.replace(/:.*/, '')}`);
  expect(actions).toEqual(
    expect.arrayContaining(['webhook.create by person', 'signal.save by webhook', 'webhook.delete by person']),
  );
});

test('one bad row of a batch is named, and all others are saved', async () => {
  const dates = ['2026-02-30', '0000-01-01', '9999-12-31T23:59:00-14:00', '2026-01-02'];
  const rows = dates.map((date, at) => ({ text: `row ${at} of a batch`, source: 'batch', date }));

  const others = [' ', 'row 5 without a date', 'row 6 \uD800'].map((text) => ({ text, source: 'batch' }));
  const sent = { signals: [...rows, ...others] };
  const saved = await send<{ ids: string[]; refused: { row: number; reason: string }[] }>('POST', '/signals', sent);

  expect(saved).toMatchObject({ http: 201, added: 2, ids: { length: 2 } });
  expect(saved.refused.map(({ row, reason }) => [row, reason.split(':', 1)[0]])).toEqual([
    [1, 'date'],
    [2, 'date'],
    [3, 'date'],
    [5, 'text'],
    [7, 'text'],
  ]);
  expect(await send('POST', '/signals', { signals: rows.slice(0, 2) })).toMatchObject({
    http: 400,
    error: { code: 'bad_argument', message: expect.stringContaining('Row 1: date') },
  });
});

test('equal rows of a file are saved each, and a second import of the file adds none', async () => {
  const line = 'Too slow,Acme\n';
  const bytes = Buffer.from(`text,customer\n${line.repeat(3)}Too dear,Acme\n`);
  const read = { name: 'equal.csv', base64: bytes.toString('base64') };
  const { signals } = await send<{ signals: object[] }>('POST', '/signals/read-file', read);
  const batch = { signals: signals.map((signal) => ({ source: 'equal', ...signal })) };

  expect(await send('POST', '/signals', batch)).toMatchObject({ added: 4, unchanged: 0 });
  expect(await send('POST', '/signals', batch)).toMatchObject({ added: 0, updated: 0, unchanged: 4 });
  expect((await send<Listed>('GET', '/signals?source=equal')).total).toBe(4);
});
