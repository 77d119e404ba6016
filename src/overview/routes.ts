import { z } from '@hono/zod-openapi';
import { auditEntries } from '../accounts/accounts.ts';
import { keyBodies, type Keys, listManagedKeys, nameActors } from '../keys/keys.ts';
import type { Db } from '../platform/db.ts';
import { READ, type Requester, requireRight, roleCovers } from '../platform/rights.ts';
import { describeRoutes, json, newRoutes, type SliceRoutes } from '../platform/web.ts';
import { listRestRepositories, type Repositories } from '../repositories/repositories.ts';
import { Overview } from './overview-bodies.ts';

/** Repositories that it has. */
const MOST_REPOSITORIES = 1_000;
const RECENT = 10;

/** Sources of the overview. */
interface OverviewParts {
  db: Db;
  keys: Keys;
  repositories: Repositories;
}

const route = describeRoutes('Overview');

const overviewRoute = route(
  'get',
  '/overview',
  'The state of the product: repositories, keys that expire soon, recent changes',
  {
    query: z.object({
      product: z.string().optional(),
      zone: z.string().max(64).optional().describe('Time zone of "today", such as Europe/Vienna; default: UTC'),
    }),
    answers: { 200: json(Overview, 'Parts that the person may not see are empty') },
  },
);

/** Everybody sees the overview; recent changes are for admins. */
export function overviewRoutes(parts: OverviewParts): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(overviewRoute, async (c) => {
    const { requester } = c.var;
    requireRight(requester, READ);
    const [{ repositories }, keys, recent] = await Promise.all([
      listRestRepositories(parts.repositories, requester, { limit: MOST_REPOSITORIES }),
      keyOverview(parts, requester, c.req.valid('query').zone),
      roleCovers(requester.role ?? 'viewer', 'admin') ? recentChanges(parts, requester) : [],
    ]);
    return c.json({ repositories, ...keys, recent }, 200);
  });
  return { routes, app: '/' };
}

function recentChanges(parts: OverviewParts, { accountId }: Requester) {
  const named = {
    db: parts.db,
    nameActors: (account: string, actors: readonly string[]) => nameActors(parts, account, actors),
  };
  return auditEntries(named, accountId, { limit: RECENT });
}

async function keyOverview(parts: OverviewParts, who: Requester, zone: string | undefined) {
  const managed = await listManagedKeys(parts.keys, who);
  const ending = managed
    .filter(({ status }) => status !== 'active')
    .toSorted((a, b) => (a.expiresAt?.getTime() ?? 0) - (b.expiresAt?.getTime() ?? 0));
  const keyIds = managed.map(({ id }) => id);
  return {
    keys: {
      count: managed.length,
      used: managed.filter(({ lastUsedAt }) => lastUsedAt !== undefined).length,
      expiring: await keyBodies(parts, who.accountId, ending),
    },
    requests_today: await parts.keys.requestsToday(who.accountId, keyIds, zone),
  };
}
