import { createHmac } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { plansPage, useWatchBench } from '../testing/watch-bench.ts';
import { selectDigests } from './store/store-digest.ts';
import { findDigest, removeDigest, setDigest } from './digest.ts';
import { triageChange } from './watch/triage.ts';
import { sendDueDigests, sendTestDigest } from './send-digest.ts';

const HOUR_MS = 3_600_000;
const site = useWatchBench();

interface Received {
  headers: Record<string, unknown>;
  body: string;
  data: { total: number; changes: { severity: string; added: string[] }[]; until: string };
  test: boolean;
}

/** Collects the requests to `/hook`, which answers with the next of the statuses, then with 204. */
function receive(statuses: number[] = []): Received[] {
  const received: Received[] = [];
  site.answers.set('/hook', (request, response) => {
    const answer = async (): Promise<void> => {
      const body = await text(request);
      const { data, test: isTest } = JSON.parse(body) as Received;
      received.push({ headers: request.headers, body, data, test: isTest });
      response.writeHead(statuses.shift() ?? 204).end();
    };
    answer().catch(() => response.destroy());
  });
  return received;
}

async function start(every: 'day' | 'week' = 'day'): Promise<string> {
  const request = { ...site.account, actor: 'person:ada' } as const;
  const settings = { channel: 'webhook', destinations: [`${site.url}/hook`], every, leastSeverity: 'medium' } as const;
  return (await setDigest(site.competitors, request, settings)).secret ?? '';
}

/** Sends what is due when so many hours have gone by. */
async function sendAfter(hours: number): Promise<void> {
  site.now = new Date(site.now.getTime() + hours * HOUR_MS);
  await sendDueDigests(site.competitors, site.signal);
}

async function changePrice(from: string, to: string): Promise<void> {
  let price = from;
  site.serve('/pricing', () => plansPage(price));
  await site.check();
  price = to;
  await site.check();
}

test('what changed in a day arrives once, signed as Standard Webhooks says', async () => {
  const received = receive();
  await site.watch('/pricing');
  const secret = await start();
  await changePrice('$20', '$25');

  await sendAfter(1);
  expect(received).toEqual([]);
  await sendAfter(23);
  await sendAfter(24);

  expect(received).toHaveLength(1);
  const [{ headers, body, data, test: isTest } = {} as Received] = received;
  expect(data).toMatchObject({ total: 1, changes: [{ severity: 'high', added: [expect.stringContaining('$25')] }] });
  expect(isTest).toBe(false);
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
});

test('a digest that does not arrive comes again with the same id and changes, later each time', async () => {
  const received = receive([500, 410]);
  await site.watch('/pricing');
  await start();
  await changePrice('$20', '$25');
  await sendAfter(24);
  await changePrice('$25', '$30');

  const first = await findDigest(site.competitors, site.account, 'webhook');
  await sendAfter(0.1);
  const second = await findDigest(site.competitors, site.account, 'webhook');
  await sendAfter(0.05);
  await sendAfter(0.2);
  const third = await findDigest(site.competitors, site.account, 'webhook');
  await sendAfter(24);

  expect([first.failures, second.failures, third.failures]).toEqual([1, 2, 0]);
  expect(first.fault).toContain('answered 500');
  expect(received.map(({ data }) => data.changes[0]?.added[0]?.slice(0, 3))).toEqual(['$25', '$25', '$25', '$30']);
  const ids = received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids.slice(0, 3)).size).toBe(1);
  expect(new Set(ids).size).toBe(2);
});

test('a change whose check still runs when a digest is sent is in the next one', async () => {
  const received = receive();
  await site.watch('/pricing');
  await start();
  site.now = new Date(site.now.getTime() + 24 * HOUR_MS - 3 * 60_000);
  await changePrice('$20', '$25');

  await sendAfter(0.02);
  await sendAfter(24);

  expect(received).toHaveLength(1);
  expect(received[0]?.data.total).toBe(1);
});

test('a test arrives at once, also without changes, and takes nothing from the next digest', async () => {
  const received = receive();
  await site.watch('/pricing');
  await start('week');
  await changePrice('$20', '$25');

  await sendTestDigest(site.competitors, await findDigest(site.competitors, site.account, 'webhook'));
  await sendAfter(7 * 24);

  expect(received.map(({ test: isTest, data }) => [isTest, data.total])).toEqual([
    [true, 1],
    [false, 1],
  ]);
});

test('a new address keeps the secret, and addresses in private networks are not called', async () => {
  const before = await start();
  const request = { ...site.account, actor: 'person:ada' } as const;
  const moved = {
    channel: 'webhook',
    destinations: ['https://hooks.invalid/hook'],
    every: 'day',
    leastSeverity: 'low',
  } as const;

  const { digest, secret } = await setDigest(site.competitors, request, moved);

  expect(before).toMatch(/^whsec_/);
  expect(secret).toBeNull();
  expect(JSON.stringify(await selectDigests(site.account.db, site.account))).not.toContain(before);
  await expect(sendTestDigest(site.competitors, digest)).rejects.toMatchObject({ code: 'upstream_failed' });
  for (const address of [
    'mailto:a@b.example',
    'http://169.254.169.254/hook',
    'https://10.0.0.1/',
    'http://hooks.example.org/',
    'https://ada:secret@hooks.example.org/',
  ])
    await expect(setDigest(site.competitors, request, { ...moved, destinations: [address] })).rejects.toMatchObject({
      code: 'bad_argument',
    });
  await removeDigest(site.competitors, request, 'webhook');
  await expect(removeDigest(site.competitors, request, 'webhook')).rejects.toMatchObject({ code: 'unknown_id' });
});

test.each(['slack', 'teams'] as const)(
  'an alert goes to %s within two minutes, and its address is stored encrypted',
  async (channel) => {
    const bodies: string[] = [];
    site.answers.set('/chat', (request, response) => {
      const answer = async (): Promise<void> => {
        bodies.push(await text(request));
        response.writeHead(200).end();
      };
      answer().catch(() => response.destroy());
    });
    await site.watch('/pricing');
    const request = { ...site.account, actor: 'person:ada' } as const;
    const settings = { channel, destinations: [`${site.url}/chat`], every: 'now', leastSeverity: 'medium' } as const;
    const { digest, secret } = await setDigest(site.competitors, request, settings);
    await changePrice('$20', '<b>$25</b>');

    await sendAfter(2 / 60);
    await sendAfter(2 / 60);

    expect([digest.destinations, secret, digest.secret?.includes('/chat')]).toEqual([[`${site.url}/…`], null, false]);
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toContain('Team: $20 to $25 per user and month');
    // Saved again as it is shown, it goes to the same place.
    await setDigest(site.competitors, request, {
      ...settings,
      destinations: digest.destinations,
      leastSeverity: 'low',
    });
    await changePrice('$25', '$30');
    const [change] = await site.changes();
    if (change === undefined) throw new Error('The price changed.');
    await triageChange(site.competitors, request, { change, dismissed: true });
    await sendAfter(2 / 60);
    expect(bodies).toHaveLength(1);
    await triageChange(site.competitors, request, { change, dismissed: false });
    await sendTestDigest(site.competitors, await findDigest(site.competitors, site.account, channel));
    expect(bodies).toHaveLength(2);
  },
);
