import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMailer } from '../platform/mail.ts';
import { testMailServer, type TestMailServer } from '../testing/mail-server.ts';
import { plansPage, useWatchBench } from '../testing/watch-bench.ts';
import { findDigest, setDigest } from './digest.ts';
import { sendDueDigests, sendTestDigest } from './send-digest.ts';

const HOUR_MS = 3_600_000;
const site = useWatchBench();
let server: TestMailServer;

beforeAll(async () => {
  server = await testMailServer();
});
afterAll(() => server.close());

/** Returns the parts that the site is watched with, and a mail server. */
function mailing() {
  const mailer = openMailer(server.url.replace('://', '://svc:p%40ss@'), 'Product news <svc@acme.example>');
  return { ...site.competitors, mailer };
}

/** The header without folded lines, and the parts of the body as they were written. */
function read(source: string): { header: string; parts: string[] } {
  const [header = '', ...rest] = source.split('\n\n');
  const plain = rest.join('\n\n').replaceAll(/=\n/g, '');
  const bytes = plain.replaceAll(/(?:=[0-9A-F]{2})+/g, (hex) => {
    return Buffer.from(hex.replaceAll('=', ''), 'hex').toString();
  });
  return { header: header.replaceAll(/\n[ \t]+/g, ' '), parts: bytes.split(/^--.*$/m) };
}

async function change(from: string, to: string): Promise<void> {
  let [price, extra] = [from, ''];
  site.serve('/pricing', () => plansPage(price, extra));
  await site.watch('/pricing');
  await site.check();
  [price, extra] = [to, '<p>Ask &lt;script&gt;sales&lt;/script&gt; for more of our many plans.</p>'];
  await site.check();
}

test('an e-mail says what changed, as text and as HTML in which pages are only text, once', async () => {
  server.received.length = 0;
  const request = { ...site.account, actor: 'person:ada' } as const;
  const to = ['ada@acme.example', 'grace@acme.example', 'ada@acme.example'];
  const settings = { channel: 'email', destinations: to, every: 'day', leastSeverity: 'medium' } as const;
  expect((await setDigest(mailing(), request, settings)).secret).toBeNull();
  await change('$20', '$25');

  site.now = new Date(site.now.getTime() + 25 * HOUR_MS);
  await sendDueDigests(mailing(), site.signal);
  site.now = new Date(site.now.getTime() + 25 * HOUR_MS);
  await sendDueDigests(mailing(), site.signal);

  expect(server.received.map((mail) => mail.to)).toEqual([['ada@acme.example', 'grace@acme.example']]);
  expect(server.credentials).toContain('svc:p@ss');
  const { header, parts } = read(server.received[0]?.source ?? '');
  expect(header).toMatch(/^Subject: 1 change at Acme$/m);
  expect(header).toMatch(/^From: Product news <svc@acme.example>$/m);
  const [text, html] = [
    parts.find((part) => part.includes('text/plain')),
    parts.find((part) => /text\/html/.test(part)),
  ];
  expect(text).toContain('1 change of medium or high severity from 2026-03-01 00:00 to');
  expect(text).toContain('- $20 per user and month, with 20 projects.');
  expect(text).toContain('+ $25 per user and month, with 20 projects.');
  expect(text).toContain('http://svc.test/competitors');
  expect(html).toContain('&lt;script&gt;sales&lt;/script&gt;');
  expect(html).not.toContain('<script');
});

test('an e-mail that the server does not take comes again under its id; who was refused is told', async () => {
  server.received.length = 0;
  const request = { ...site.account, actor: 'person:ada' } as const;
  const to = ['ada@acme.example', 'nobody@acme.example'];
  await setDigest(mailing(), request, { channel: 'email', destinations: to, every: 'week', leastSeverity: 'low' });
  await change('$20', '$25');
  const digest = await findDigest(mailing(), request, 'email');
  await sendTestDigest(mailing(), digest);
  server.isFull = true;
  site.now = new Date(site.now.getTime() + 7 * 24 * HOUR_MS);
  await sendDueDigests(mailing(), site.signal);
  const failed = await findDigest(mailing(), request, 'email');
  server.isFull = false;
  server.refused.add('nobody@acme.example');
  site.now = new Date(site.now.getTime() + HOUR_MS);
  await sendDueDigests(mailing(), site.signal);
  server.refused.clear();
  const arrived = await findDigest(mailing(), request, 'email');

  expect(failed).toMatchObject({ failures: 1, fault: expect.stringContaining('Mailbox full') });
  expect(arrived).toMatchObject({ failures: 0, fault: 'The mail server refused nobody@acme.example.' });
  const [first, second] = server.received.map(({ source }) => read(source).header);
  expect(first).toMatch(/^Subject: \[Test\] 1 change at Acme$/m);
  expect(second).toContain(`Message-ID: <${digest.id}.`);
  expect(second).not.toContain('.test.');
});

test('e-mail needs a mail server, whole settings, and addresses', async () => {
  const request = { ...site.account, actor: 'person:ada' } as const;
  const settings = {
    channel: 'email',
    destinations: ['ada@acme.example'],
    every: 'day',
    leastSeverity: 'low',
  } as const;

  await expect(setDigest(site.competitors, request, settings)).rejects.toThrow('This service sends no e-mail.');
  await expect(setDigest(mailing(), request, { ...settings, destinations: ['Ada <a@b.example>'] })).rejects.toThrow(
    'is not an e-mail address',
  );
  expect(openMailer(undefined, undefined)).toBeUndefined();
  expect(() => openMailer(server.url, undefined)).toThrow('SVC_SMTP_FROM');
  const closed = openMailer('smtp://127.0.0.1:1', 'svc@acme.example');
  const mail = { to: ['ada@acme.example'], subject: '', text: '', html: '', messageId: 'a@b' };
  await expect(closed?.send(mail)).rejects.toMatchObject({ code: 'upstream_failed' });
});
