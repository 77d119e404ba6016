import { z } from '@hono/zod-openapi';
import { ServiceError } from '../kernel/errors.ts';
import { isUuid } from '../kernel/ids.ts';
import { DAY_MS } from '../kernel/time.ts';
import { requireRole } from '../platform/rights.ts';
import { describeRoutes, json } from '../platform/web.ts';
import { AuditChoices, AuditPage } from './account-bodies.ts';
import { type AccountRoutesParts, type AppRoutes, newAppRoutes } from './account-env.ts';
import { auditChoices, auditEntries } from './audit-entries.ts';

const MOST_ACTORS = 1_000;

const route = describeRoutes('Audit log');

const listRoute = route('get', '/audit', 'Who changed what, newest first (admin)', {
  query: z.object({
    before: z.string().optional().describe('`next` of the previous page'),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    actor: z.string().max(50_000).optional().describe('Ids of actors, with commas between'),
    action: z.string().max(80).optional().describe('thing.verb, for example api_key.create'),
    query: z.string().max(200).optional().describe('Part of the id, the name or the details of what was changed'),
    since: z.iso.date().optional().describe('Not before this day, UTC'),
    until: z.iso.date().optional().describe('Not after this day, UTC'),
  }),
  answers: { 200: json(AuditPage, 'A page') },
});

const choicesRoute = route('get', '/audit/choices', 'Who changed something, and what was done (admin)', {
  answers: { 200: json(AuditChoices, 'By what the log can be filtered') },
});

/** Admins read who changed what. */
export function auditRoutes(parts: AccountRoutesParts): AppRoutes {
  const routes = newAppRoutes();
  routes.openapi(listRoute, async (c) => {
    requireRole(c.var.who.role, 'admin');
    const { before, limit, actor, since, until, ...filter } = c.req.valid('query');
    if (before !== undefined && !isUuid(before)) {
      throw new ServiceError('bad_argument', 'before is not a value that this service issued.', {
        fix: 'Begin with the first page.',
      });
    }
    const entries = await auditEntries(parts, c.var.who.accountId, {
      ...filter,
      before,
      limit: limit + 1,
      actors: actor?.split(',').slice(0, MOST_ACTORS),
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(Date.parse(until) + DAY_MS),
    });
    const page = entries.slice(0, limit);
    return c.json({ entries: page, next: entries.length > limit ? (page.at(-1)?.id ?? null) : null }, 200);
  });
  routes.openapi(choicesRoute, async (c) => {
    requireRole(c.var.who.role, 'admin');
    return c.json(await auditChoices(parts, c.var.who.accountId), 200);
  });
  return routes;
}
