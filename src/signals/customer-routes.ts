import { z } from '@hono/zod-openapi';
import { Time } from '../platform/body-fields.ts';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type SliceRoutes } from '../platform/web.ts';
import { selectCustomers } from './customers/customers.ts';
import type { SignalRoutesParts } from './routes.ts';
import { assignCustomer, NAME_CHARACTERS } from './settle-customers.ts';

const route = describeRoutes('Signals');

export const CustomerBody = z.object({
  customer: z.string(),
  signals: z.int(),
  value: z.number().nullable().describe('The most that a signal says; null when none does'),
  newest: Time,
  names: z.array(z.object({ name: z.string(), signals: z.int() })).describe('How sources write it, most signals first'),
});

export const CustomerList = z.object({ customers: z.array(CustomerBody), total: z.int() });

const listRoute = route('get', '/customers', 'Customers with the names that sources use, most signals first', {
  query: z.object({
    query: z.string().max(200).default('').describe('Part of the name, in any case'),
    limit: z.coerce.number().int().min(1).max(500).default(100),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  answers: { 200: json(CustomerList, 'One page of them') },
});

export const Names = z.object({
  names: z.array(z.string().min(1).max(400)).min(1).max(500).describe('As sources write them'),
  customer: z
    .string()
    .meta({ minLength: 1, maxLength: NAME_CHARACTERS })
    .describe('Another customer merges them, a name of its own splits them off'),
});
const Assigned = z.object({ customer: z.string(), moved: z.int().describe('Signals that changed their customer') });

const assignRoute = route('put', '/customer-names', 'Choose the customer that names count as, for good', {
  body: body(Names),
  answers: { 200: json(Assigned, 'Done') },
});

/** As for themes: no key decides who a customer is. */
const MANAGE: Right = { scope: 'owner', role: 'member' };

/** Customers and the names they go by. */
export function customerRoutes({ signals }: Pick<SignalRoutesParts, 'signals'>): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(listRoute, async (c) => {
    const { rows, total } = await selectCustomers(signals.db, authorize(c, READ), c.req.valid('query'));
    const customers = rows.map((row) => ({ ...row, newest: row.newest.toISOString() }));
    return c.json({ customers, total }, 200);
  });
  routes.openapi(assignRoute, async (c) => {
    return c.json(await assignCustomer(signals, authorize(c, MANAGE), c.req.valid('json')), 200);
  });
  return { routes, v1: '/', app: '/' };
}
