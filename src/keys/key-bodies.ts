import { z } from '@hono/zod-openapi';
import { Time } from '../platform/body-fields.ts';
import { NAME_LIMITS } from '../accounts/accounts.ts';
import { KEY_QUOTAS } from '../platform/quotas.ts';
import { GRACE_PERIODS } from './api-key.ts';
import { MOST_KEYS } from './key-limits.ts';
import type { ApiKey, KeyUsage } from './keys.ts';
import { type NameParts, nameActors } from './actor-names.ts';
import { bodyOfRow } from '../platform/row-body.ts';

export const KeyBody = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('Always svc_****'),
  created_at: Time,
  created_by: z.string().describe('person:<id> or key:<id>'),
  created_by_name: z.string().describe('Name of the person, or of the key that made it'),
  person_id: z.string().nullable().describe('The person it acts for; null: the installation'),
  acts_for: z.string().nullable().describe('Name of that person, whose role limits it'),
  last_used_at: Time.nullable(),
  expires_at: Time.nullable().describe('Null: the key never expires'),
  status: z.enum(['active', 'expiring', 'expired']).describe('expiring: within 14 days'),
  scopes: z.array(z.string()).describe('What the key may do now, within the role of its person'),
  product: z.string().describe('Name of the product the key is bound to'),
  grace_ends_at: Time.nullable().describe(
    'Until then the value before the last regeneration works too; null: it does not',
  ),
});

const ListedKeyBody = KeyBody.extend({
  requests_by_day: z.array(z.int()).describe('Of the last 30 days, oldest first, today last'),
});

export const KeyList = z.object({
  keys: z.array(ListedKeyBody),
  most: z.int().describe('Keys the account may have'),
  most_per_person: z.int().describe('Keys one person may have'),
});

const KeyCount = z.int().min(1).max(MOST_KEYS);
export const KeyLimitsBody = z.object({
  most: KeyCount.describe('Keys the account may have; an owner may go beyond it'),
  most_per_person: KeyCount.describe('Keys one person may have'),
  most_per_product: KeyCount.describe('Keys one product may have'),
});

export const NewKeyBody = z.object({
  name: z.string().meta(NAME_LIMITS).describe('1 to 80 characters'),
  expires: z.string().optional().describe('30d, 12h, or an ISO date or time; default: the key never expires'),
  scopes: z.array(z.string()).optional().describe('Default: read, decisions:write, plans:write, scrape'),
  product: z.string().optional().describe('Name or id; default: the product of the credential, or the first'),
});

export const Regeneration = z.object({
  grace: z.enum(GRACE_PERIODS).optional().describe('How long the old value goes on working; default: none'),
});

export const KeyWithSecret = KeyBody.extend({ key: z.string().describe('The key itself, shown only once') });

export const UsageBody = z.object({
  zone: z.string().describe('Whose days and months these are'),
  total: z.int(),
  today: z.int(),
  this_month: z.int(),
  last_used_at: Time.nullable(),
  per_day: z
    .array(z.object({ day: z.string().describe('2026-11-21'), requests: z.int() }))
    .describe('90 days, oldest first, days without requests too'),
  per_operation: z.array(z.object({ operation: z.string(), requests: z.int() })).describe('Most requests first'),
});

/** Limits of one key; null: what the settings say. */
const OwnLimits = z
  .object({
    requests: z.int().min(1).max(10_000_000).nullable().describe('A minute'),
    runs: z.int().min(0).max(1_000_000).nullable().describe('Runs of agents a day (UTC)'),
    model_cost: z.number().min(0).max(1_000_000_000).nullable().describe('A month (UTC), as SVC_LLM_PRICE'),
  })
  .partial()
  .strict();

export const KeyChanges = z.object({
  name: NewKeyBody.shape.name.optional(),
  limits: OwnLimits.optional().describe('Only owners and admins; null: what the settings say'),
});

export const KeyDetail = KeyBody.extend({
  limits: z
    .array(
      z.object({
        quota: z.enum(KEY_QUOTAS),
        used: z.number().describe('requests: of the last minute in this process; runs: today; model_cost: this month'),
        limit: z.number().nullable().describe('null: only the quotas of the product limit it'),
        default: z.number().nullable().describe('The limit of the settings, for keys without one of their own'),
      }),
    )
    .describe('What it uses, and what it may use'),
  usage: UsageBody,
  first_call_at: Time.nullable().describe('The first request of any kind; null: never used'),
  mcp_connected: z.boolean().describe('At least one of the requests came over MCP'),
  operations: z.array(z.string()).describe('Operations that a client sees with this key'),
});

export type Key = z.output<typeof KeyBody>;
export type ListedKey = z.output<typeof ListedKeyBody>;
export type KeyList = z.output<typeof KeyList>;
export type NewKey = z.input<typeof NewKeyBody>;
export type Grace = NonNullable<z.input<typeof Regeneration>['grace']>;
export type KeyWithSecret = z.output<typeof KeyWithSecret>;
export type KeyDetail = z.output<typeof KeyDetail>;

/** Bodies of keys, with the names of their makers and of the people for whom they act. */
export async function keyBodies(parts: NameParts, accountId: string, keys: readonly ApiKey[]): Promise<Key[]> {
  const actors = keys.flatMap((key) => [key.createdBy, personOf(key) ?? []].flat());
  const { nameOf } = await nameActors(parts, accountId, actors);
  return keys.map((key) => {
    const person = personOf(key);
    return bodyOfRow(KeyBody, key, {
      created_by_name: nameOf(key.createdBy),
      acts_for: person === undefined ? null : nameOf(person),
      scopes: [...key.scopes],
    });
  });
}

function personOf({ personId }: ApiKey): string | undefined {
  return personId === undefined ? undefined : `person:${personId}`;
}

export function usageBody(usage: KeyUsage): z.output<typeof UsageBody> {
  return {
    zone: usage.zone,
    total: usage.total,
    today: usage.today,
    this_month: usage.thisMonth,
    last_used_at: usage.lastUsedAt?.toISOString() ?? null,
    per_day: usage.perDay,
    per_operation: usage.perOperation,
  };
}
