import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { NOW, indexRepository, repositoryBench, sourceRepository } from '../../testing/repositories.ts';
import { TEST_SECRET_KEYS } from '../../testing/secrets.ts';
import { addRepository } from '../repositories.ts';
import { dueFetches } from '../fetches/fetches.ts';
import { findWebhook, receivePush, removeWebhook, setWebhook } from './webhooks.ts';

const BODY = Buffer.from('{"ref":"refs/heads/main"}');

function hex(secret: string): string {
  return createHmac('sha256', secret).update(BODY).digest('hex');
}

function signedByGitlab(secret: string): Record<string, string> {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update('m1.1700000000.').update(BODY).digest('base64');
  return { 'webhook-id': 'm1', 'webhook-timestamp': '1700000000', 'webhook-signature': `v1,${signature}` };
}

const HOSTS: [host: string, headers: (secret: string) => Record<string, string>][] = [
  ['GitHub', (secret) => ({ 'x-hub-signature-256': `sha256=${hex(secret)}` })],
  ['GitLab with a secret token', (secret) => ({ 'x-gitlab-token': secret })],
  ['GitLab with a signing token', signedByGitlab],
  ['Gitea', (secret) => ({ 'x-gitea-signature': hex(secret) })],
];

test('a signed push of each host makes a fetch due, and nothing else does', async () => {
  const bench = await repositoryBench();
  const { account, context } = bench;
  const webhooks = { repositories: context, secretKeys: TEST_SECRET_KEYS };
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: `file://${shop.path}`, name: 'shop', actor: 'system' });
  const { secret, address } = await setWebhook(webhooks, account, 'shop');
  const send = (headers: Readonly<Record<string, string>>, to: string = address): Promise<unknown> =>
    receivePush(webhooks, { address: to, body: BODY, header: (name) => headers[name] });

  for (const [, headersOf] of HOSTS) {
    await indexRepository(bench, added, 'one');
    expect(await dueFetches(context)).not.toContainEqual(expect.objectContaining({ id: added.id }));
    await send(headersOf(secret));
    expect(await dueFetches(context)).toContainEqual(expect.objectContaining({ id: added.id }));
    await expect(send(headersOf('whsec_AAAA'))).rejects.toMatchObject({ code: 'invalid_key' });
  }
  expect(await findWebhook(webhooks, account, 'shop')).toMatchObject({ usedAt: NOW });
  const { secret: next } = await setWebhook(webhooks, account, 'shop');
  const refused: [headers: Record<string, string>, to?: string][] = [
    [{}],
    [{ 'x-gitlab-token': secret }],
    [{ 'x-gitlab-token': next }, `${address}0`],
  ];
  for (const [headers, to] of refused) await expect(send(headers, to)).rejects.toMatchObject({ code: 'invalid_key' });
  await removeWebhook(webhooks, account, 'shop');
  await expect(send({ 'x-gitlab-token': next })).rejects.toMatchObject({ code: 'invalid_key' });
});

test('a folder needs no webhook', async () => {
  const { account, context } = await repositoryBench();
  const shop = sourceRepository([{ files: { a: '1' } }]);
  await addRepository(context, account, { source: shop.path, name: 'shop', actor: 'system' });

  await expect(
    setWebhook({ repositories: context, secretKeys: TEST_SECRET_KEYS }, account, 'shop'),
  ).rejects.toMatchObject({ code: 'bad_argument' });
});
