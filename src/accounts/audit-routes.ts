import { z } from '@hono/zod-openapi';
import { ServiceError } from '../kernel/errors.ts';
import { isUuid } from '../kernel/ids.ts';
import { requireRole } from '../platform/rights.ts';
import { describeRoutes, json } from '../platform/web.ts';
import { AuditPage } from './account-bodies.ts';
import { type AccountRoutesParts, type AppRoutes, newAppRoutes } from './account-env.ts';
import { auditEntries } from './audit-entries.ts';

const AUDIT_PAGE = 50;

const route = describeRoutes('Audit log');

const auditRoute = route('get', '/audit', 'Who changed what, newest first, 50 a page (admin)', {
  query: z.object({ before: z.string().optional().describe('`next` of the previous page') }),
  answers: { 200: json(AuditPage, 'A page') },
});

/** Admins read who changed what. */
export function auditRoutes(parts: AccountRoutesParts): AppRoutes {
  const routes = newAppRoutes();
  routes.openapi(auditRoute, async (c) => {
    requireRole(c.var.who.role, 'admin');
    const { before } = c.req.valid('query');
    if (before !== undefined && !isUuid(before)) {
      throw new ServiceError('bad_argument', 'before is not a value that this service issued.', {
        fix: 'Begin with the first page.',
      });
    }
    const entries = await auditEntries(parts, c.var.who.accountId, { before, limit: AUDIT_PAGE + 1 });
    const page = entries.slice(0, AUDIT_PAGE);
    return c.json({ entries: page, next: entries.length > AUDIT_PAGE ? (page.at(-1)?.id ?? null) : null }, 200);
  });
  return routes;
}
