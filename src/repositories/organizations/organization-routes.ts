import { z } from '@hono/zod-openapi';
import { READING_FIELDS, TokenBody } from '../../platform/body-fields.ts';
import { READ, type Right } from '../../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type SliceRoutes } from '../../platform/web.ts';
import { HOST_KINDS } from './host-apis.ts';
import {
  followOrganization,
  listOrganizations,
  type Organizations,
  readOrganizationNow,
  unfollowOrganization,
} from './organizations.ts';
import type { OrganizationRow } from './store-organizations.ts';
import { bodyOfRow } from '../../platform/row-body.ts';

const route = describeRoutes('Repositories');
const Patterns = z.array(z.string().trim().min(1).max(200)).max(50);
/** A person waits for it; what is not added then is added by the schedule. */
const READ_LIMIT_MS = 40_000;

export const OrganizationBody = z.object({
  id: z.string(),
  kind: z.enum(HOST_KINDS),
  address: z.string(),
  has_token: z.boolean(),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  archived: z.boolean(),
  forks: z.boolean(),
  total: z.int().describe('Repositories at the host when it was last read'),
  added: z.int().describe('Of which repositories of the product were made'),
  ...READING_FIELDS,
});

export const NewOrganizationBody = z.object({
  address: z.string().min(1).max(500).describe('Of an organization, group or person: https://github.com/acme'),
  kind: z.enum(HOST_KINDS).optional().describe('Of a host of your own'),
  token: TokenBody.optional().describe('Lists and fetches private repositories; stored encrypted, never shown again'),
  include: Patterns.optional().describe('Names that are added, as patterns: api-*. Default: all'),
  exclude: Patterns.optional().describe('Names that are not'),
  archived: z.boolean().optional().describe('Archived ones too'),
  forks: z.boolean().optional().describe('Forks too'),
});

const Id = z.object({ id: z.string() });
const descriptions = {
  list: route('get', '/organizations', 'Organizations whose repositories are added, without their tokens', {
    answers: { 200: json(z.object({ organizations: z.array(OrganizationBody) }), 'All of them, oldest first') },
  }),
  follow: route('post', '/organizations', 'Add all repositories of an organization, also later ones (owner, admin)', {
    body: body(NewOrganizationBody),
    answers: { 201: json(OrganizationBody, 'Followed: the host listed it') },
  }),
  read: route('post', '/organizations/{id}/reads', 'Look for new repositories now (owner, admin)', {
    params: Id,
    answers: { 200: json(OrganizationBody, '`fault` says why it could not be read') },
  }),
  unfollow: route(
    'delete',
    '/organizations/{id}',
    'Forget an organization and its token; its repositories stay (owner, admin)',
    {
      params: Id,
    },
  ),
};

/** An address is reached with the rights of the service. */
const CHANGE: Right = { scope: 'owner', role: 'admin' };

/** Organizations of code hosts that a product follows. */
export function organizationRoutes(organizations: Organizations): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(descriptions.list, async (c) => {
    const rows = await listOrganizations(organizations, authorize(c, READ));
    return c.json({ organizations: rows.map(organizationBody) }, 200);
  });
  routes.openapi(descriptions.follow, async (c) => {
    const request = authorize(c, CHANGE);
    const { archived: withArchived, forks: withForks, ...requested } = c.req.valid('json');
    return c.json(
      organizationBody(await followOrganization(organizations, request, { ...requested, withArchived, withForks })),
      201,
    );
  });
  routes.openapi(descriptions.read, async (c) => {
    const request = authorize(c, CHANGE);
    const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(READ_LIMIT_MS)]);
    const { id } = c.req.valid('param');
    return c.json(organizationBody(await readOrganizationNow(organizations, request, { id, signal })), 200);
  });
  routes.openapi(descriptions.unfollow, async (c) => {
    await unfollowOrganization(organizations, authorize(c, CHANGE), c.req.valid('param').id);
    return c.body(null, 204);
  });
  return { routes, v1: '/', app: '/' };
}

function organizationBody(row: OrganizationRow): z.output<typeof OrganizationBody> {
  return bodyOfRow(OrganizationBody, row, {
    has_token: row.token !== null,
    archived: row.withArchived,
    forks: row.withForks,
    next: row.dueAt.toISOString(),
  });
}
