import type { z } from '@hono/zod-openapi';
import type * as sources from '../../src/signals/sources/source-routes.ts';
import type * as webhooks from '../../src/signals/webhooks/webhook-routes.ts';
import { readQuery } from '../queries.ts';

export type Source = z.output<typeof sources.SourceBody>;
export type NewSource = z.input<typeof sources.NewSourceBody>;
export type Webhook = z.output<typeof webhooks.WebhookBody>;

export const SOURCE_NAMES: Readonly<Record<Source['kind'], string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  zendesk: 'Zendesk',
  intercom: 'Intercom',
  slack: 'Slack',
};

export function sourcesQuery(product: string) {
  return readQuery<{ sources: Source[] }>('signal-sources', 'signal-sources', { product });
}

export function webhooksQuery(product: string) {
  return readQuery<{ webhooks: Webhook[] }>('signal-webhooks', 'signal-webhooks', { product });
}
