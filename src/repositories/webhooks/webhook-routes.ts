import { z } from '@hono/zod-openapi';
import { Hono } from 'hono';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Right } from '../../platform/rights.ts';
import { authorize, describeRoutes, json, newRoutes, type SliceRoutes, type WebEnv } from '../../platform/web.ts';
import { NewRepositoryWebhookBody, RepositoryWebhookBody } from '../repository-bodies.ts';
import { findWebhook, receivePush, removeWebhook, type RepositoryWebhooks, setWebhook } from './webhooks.ts';

/** Path to which hosts report pushes; the account and the repository follow. */
const PUSH_PATH = '/v1/repositories/webhook';

const route = describeRoutes('Repositories');
const Id = z.object({ id: z.string().describe('Id or name') });
const MANAGE: Right = { scope: 'owner', role: 'admin' };

const findRoute = route('get', '/repositories/{id}/webhook', 'The webhook by which a host reports pushes', {
  params: Id,
  answers: { 200: json(RepositoryWebhookBody, 'Without its secret') },
});
const setRoute = route(
  'put',
  '/repositories/{id}/webhook',
  'Let a host report pushes; the secret is shown only once and replaces the one before',
  { params: Id, answers: { 200: json(NewRepositoryWebhookBody, 'What to enter at the host') } },
);
const removeRoute = route('delete', '/repositories/{id}/webhook', 'Refuse what the webhook of a repository sends', {
  params: Id,
});

/** Webhooks by which GitHub, GitLab and Gitea report pushes. `baseUrl` is the address of the service for others. */
export function repositoryWebhookRoutes(webhooks: RepositoryWebhooks, baseUrl: () => string): SliceRoutes {
  const routes = newRoutes();
  const urlOf = (address: string): string => `${baseUrl()}${PUSH_PATH}/${address}`;
  routes.openapi(findRoute, async (c) => {
    const stored = await findWebhook(webhooks, authorize(c, MANAGE), c.req.valid('param').id);
    const webhook = stored && {
      url: urlOf(stored.address),
      created_at: stored.createdAt.toISOString(),
      last_used_at: stored.usedAt?.toISOString() ?? null,
    };
    return c.json({ webhook: webhook ?? null }, 200);
  });
  routes.openapi(setRoute, async (c) => {
    const { secret, address } = await setWebhook(webhooks, authorize(c, MANAGE), c.req.valid('param').id);
    return c.json({ url: urlOf(address), secret, content_type: 'application/json', events: ['push'] }, 200);
  });
  routes.openapi(removeRoute, async (c) => {
    await removeWebhook(webhooks, authorize(c, MANAGE), c.req.valid('param').id);
    return c.body(null, 204);
  });
  return { routes, v1: '/', app: '/' };
}

/** The addresses of the webhooks. Their credential is the signature of the body, so they stand before the check of keys. */
export function pushReceiver(
  webhooks: RepositoryWebhooks,
  startFetching: (tenant: Tenant, id: string) => Promise<void>,
): Hono<WebEnv> {
  return new Hono<WebEnv>().post(`${PUSH_PATH}/:address`, async (c) => {
    const content = new Uint8Array(await c.req.arrayBuffer());
    const request = { body: content, header: (name: string) => c.req.header(name) };
    const repository = await receivePush(webhooks, { address: c.req.param('address'), ...request });
    await startFetching(repository, repository.id);
    return c.json({ accepted: true }, 202);
  });
}
