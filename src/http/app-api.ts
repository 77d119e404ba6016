import { z } from '@hono/zod-openapi';
import { ProductBody } from '../accounts/account-bodies.ts';
import { KeyBody } from '../keys/key-bodies.ts';
import { RepositoryBody } from '../repositories/repository-bodies.ts';

/**
 * Bodies of the pages about all slices; others stand in their slice. Times are ISO 8601 in UTC; ids are opaque.
 *
 * Routes of `/app/api` about a product take `?product=<id or name>`; without it they are about
 * the first product of the account. Failures look like those of `/v1`: `{error: {code, message, fix, request_id}}`, 401
 * when nobody is signed in (any more), 403 when the role does not allow it. What makes something answers 201, an index
 * run 202; sign-out, sign-out-everywhere, POST account, totp/confirm, totp/disable and every PATCH and DELETE answer 204
 * without a body. Nothing but GET session and what signs in works without a session.
 */

const Time = z.string().describe('ISO 8601, UTC');
const OptionalTime = Time.nullable();

// ---- overview, products, audit ----------------------------------------------------------------------------------------

/** GET products. POST products {name} answers one. */
export const ProductList = z.object({ products: z.array(ProductBody) });
export const NewProduct = z.object({ name: z.string() });

/** GET integrations: what is configured around the service. Never a secret. */
export const Integrations = z.object({
  identity_providers: z
    .array(z.object({ id: z.string(), name: z.string(), issuer: z.string(), callback_url: z.string() }))
    .describe('Configured ones; callback_url is registered at the provider'),
  more_providers: z
    .array(z.object({ id: z.string(), name: z.string(), callback_url: z.string(), variables: z.array(z.string()) }))
    .describe('Providers that are not configured, with the variables that configure each'),
  mcp: z.object({
    url: z.string().describe('HTTP with SSE, as in the configurations on the Connect page'),
    streamable_url: z.string().describe('Streamable HTTP'),
    keys: z
      .array(z.object({ id: z.string(), name: z.string(), product: z.string(), last_used_at: OptionalTime }))
      .describe('Keys that a client used over MCP within 90 days, newest first'),
  }),
  metrics_url: z.string().nullable().describe('As reached from the machine of the service; null: not served'),
});

export const AuditEntry = z.object({
  id: z.string(),
  at: Time,
  actor: z.string().describe('Name of a person or key, or "the service"'),
  actor_id: z.string().describe('person:<id>, key:<id>, webhook:<id> or system'),
  action: z.string().describe('thing.verb, for example api_key.create'),
  target: z.string().describe('Id of what was changed'),
  target_name: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
});
/** GET audit?before=<next>. Newest first, 50 a page. */
export const AuditPage = z.object({ entries: z.array(AuditEntry), next: z.string().nullable() });

/** GET overview. What the person may not see is empty. */
export const Overview = z.object({
  repositories: z.array(RepositoryBody),
  keys: z.object({
    count: z.int(),
    used: z.int().describe('Keys that made at least one request'),
    expiring: z.array(KeyBody).describe('Expiring or expired, most urgent first'),
  }),
  requests_today: z.int().describe('Requests with the keys that the person manages, in the requested time zone'),
  recent: z.array(AuditEntry).describe('The last 10 changes'),
});

export type ProductList = z.output<typeof ProductList>;
export type NewProduct = z.input<typeof NewProduct>;
export type Integrations = z.output<typeof Integrations>;
export type { AuditedChange } from '../accounts/accounts.ts';
export type AuditEntry = z.output<typeof AuditEntry>;
export type AuditPage = z.output<typeof AuditPage>;
export type Overview = z.output<typeof Overview>;
