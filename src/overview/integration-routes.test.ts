import { expect, onTestFinished, test } from 'vitest';
import { configuredProviders } from '../accounts/oidc/oidc.ts';
import { describeConfig, readConfig } from '../platform/config.ts';
import { testPerson } from '../testing/person.ts';
import { openTestApplication, type TestApplication, type TestApplicationOptions } from '../testing/web-application.ts';
import type { Integrations } from './overview-bodies.ts';

async function opened(options: TestApplicationOptions = {}): Promise<TestApplication> {
  const application = await openTestApplication(options);
  onTestFinished(() => application.close());
  return application;
}

async function integrationsOf({ account, send }: TestApplication): Promise<{ text: string; body: Integrations }> {
  const { token: session } = await testPerson(account, 'admin', new Date());
  const text = await (await send('GET', '/app/api/integrations', { session })).text();
  return { text, body: JSON.parse(text) as Integrations };
}

test('what is configured is told with the address to register, and never with a secret', async () => {
  const config = readConfig({ SVC_OIDC_GITHUB_CLIENT_ID: 'our-id', SVC_OIDC_GITHUB_CLIENT_SECRET: 'our-secret' });
  const application = await opened({
    baseUrl: 'https://svc.example.org',
    providers: configuredProviders(config),
    metricsUrl: 'http://127.0.0.1:9464/metrics',
  });

  const { text, body } = await integrationsOf(application);

  expect(body).toMatchObject({
    identity_providers: [
      {
        id: 'github',
        name: 'GitHub',
        issuer: 'https://github.com',
        callback_url: 'https://svc.example.org/app/api/sign-in/oidc/github/callback',
      },
    ],
    mcp: { url: 'https://svc.example.org/v1/mcp/sse', streamable_url: 'https://svc.example.org/v1/mcp', keys: [] },
    metrics_url: 'http://127.0.0.1:9464/metrics',
  });
  expect(body.more_providers.map(({ id }) => id)).toEqual(['oidc', 'google']);
  expect(text).not.toMatch(/our-secret|our-id/);
});

test('the variables that are named for a provider configure it', async () => {
  const { body } = await integrationsOf(await opened());
  const settings = new Set(describeConfig(readConfig({})).map(({ name }) => name));

  expect(body).toMatchObject({ identity_providers: [], metrics_url: null });
  expect(body.more_providers.map(({ id }) => id)).toEqual(['oidc', 'google', 'github']);
  for (const { id, variables } of body.more_providers) {
    const env = Object.fromEntries(variables.map((name) => [name, 'https://id.example.org']));
    expect(variables.filter((name) => !settings.has(name))).toEqual([]);
    expect(configuredProviders(readConfig(env)).map((provider) => provider.id)).toEqual([id]);
  }
});

test('keys that a client used over MCP are listed, those of REST and of before 90 days are not', async () => {
  const application = await opened();
  const { account, keys } = application;
  const { accountId, productId, actor } = account;
  const now = Date.now();
  const used = [
    ['over mcp', 'initialize', 0],
    ['over rest', 'GET /v1/repositories', 0],
    ['long ago', 'initialize', 92],
  ] as const;
  for (const [name, operation, days] of used) {
    const { key, secret } = await keys.createKey({ accountId, product: productId, name, actor });
    await keys.authenticate(secret);
    keys.count(key.id, operation, new Date(now - days * 86_400_000));
  }
  await keys.flush();

  const { body } = await integrationsOf(application);

  expect(body.mcp.keys).toEqual([
    { id: expect.any(String), name: 'over mcp', product: 'default', last_used_at: expect.any(String) },
  ]);
});
