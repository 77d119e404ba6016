import { z } from '@hono/zod-openapi';
import { Time } from '../platform/body-fields.ts';
import { AuditEntry } from '../accounts/accounts.ts';
import { KeyBody } from '../keys/keys.ts';
import { RepositoryBody } from '../repositories/repositories.ts';

/** Bodies of the pages about all slices; others stand in their slice. Times are ISO 8601 in UTC; ids are opaque. */

const OptionalTime = Time.nullable();

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

export type Integrations = z.output<typeof Integrations>;
export type Overview = z.output<typeof Overview>;
