import { type ProviderSettings, redirectUriOf } from '../accounts/oidc/oidc.ts';
import { DAY_MS } from '../kernel/time.ts';
import { type Keys, listManagedKeys } from '../keys/keys.ts';
import { type Requester, requireRight, type Right } from '../platform/rights.ts';
import { describeRoutes, json, newRoutes, type SliceRoutes } from '../platform/web.ts';
import { Integrations } from './overview-bodies.ts';

/** Settings around the service, and the keys. */
interface IntegrationParts {
  /** Identity providers that people can sign in with. */
  providers: readonly ProviderSettings[];
  keys: Keys;
  /** True if requests that are counted under this name can only have come over MCP. */
  isMcpRequest: (name: string) => boolean;
  /** Address of the metrics; undefined when they are not served. */
  metricsUrl: string | undefined;
  baseUrl: () => string;
  now: () => Date;
}

const MANAGE: Right = { scope: 'owner', role: 'admin' };

const route = describeRoutes('Integrations');

/** As far back as the usage of a key is shown. */
const MCP_DAYS = 90;

/** Every identity provider that settings can make known, with the variables that do. */
const SUPPORTED_PROVIDERS = [
  {
    id: 'oidc',
    name: 'OpenID Connect',
    variables: ['SVC_OIDC_ISSUER', 'SVC_OIDC_NAME', 'SVC_OIDC_CLIENT_ID', 'SVC_OIDC_CLIENT_SECRET'],
  },
  { id: 'google', name: 'Google', variables: ['SVC_OIDC_GOOGLE_CLIENT_ID', 'SVC_OIDC_GOOGLE_CLIENT_SECRET'] },
  { id: 'github', name: 'GitHub', variables: ['SVC_OIDC_GITHUB_CLIENT_ID', 'SVC_OIDC_GITHUB_CLIENT_SECRET'] },
] as const;

const integrationsRoute = route(
  'get',
  '/integrations',
  'The configuration of identity providers, MCP clients and metrics (admin)',
  { answers: { 200: json(Integrations, 'Without secrets') } },
);

/** Admins see what is configured; the settings themselves are changed where the service runs. */
export function integrationRoutes(parts: IntegrationParts): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(integrationsRoute, async (c) => {
    requireRight(c.var.requester, MANAGE);
    const base = parts.baseUrl();
    const mcp = {
      url: `${base}/v1/mcp/sse`,
      streamable_url: `${base}/v1/mcp`,
      keys: await keysOverMcp(parts, c.var.requester),
    };
    return c.json({ ...providerBodies(parts), mcp, metrics_url: parts.metricsUrl ?? null }, 200);
  });
  return { routes, app: '/' };
}

function providerBodies(parts: IntegrationParts): Pick<Integrations, 'identity_providers' | 'more_providers'> {
  const configured = new Set(parts.providers.map(({ id }) => id));
  return {
    identity_providers: parts.providers.map((provider) => ({
      id: provider.id,
      name: provider.name,
      issuer: issuerOf(provider),
      callback_url: redirectUriOf(parts, provider),
    })),
    more_providers: SUPPORTED_PROVIDERS.filter(({ id }) => !configured.has(id)).map(({ id, name, variables }) => ({
      id,
      name,
      callback_url: redirectUriOf(parts, { id }),
      variables: [...variables],
    })),
  };
}

function issuerOf({ kind }: ProviderSettings): string {
  return kind.type === 'github' ? kind.site : kind.issuer;
}

async function keysOverMcp(parts: IntegrationParts, who: Requester): Promise<Integrations['mcp']['keys']> {
  const since = new Date(parts.now().getTime() - MCP_DAYS * DAY_MS);
  const used = await parts.keys.usedOperations(who.accountId, since);
  const connected = new Set(used.filter(({ operation }) => parts.isMcpRequest(operation)).map(({ keyId }) => keyId));
  const keys = await listManagedKeys(parts.keys, who);
  return keys
    .filter(({ id }) => connected.has(id))
    .map(({ id, name, product, lastUsedAt }) => ({
      id,
      name,
      product,
      last_used_at: lastUsedAt?.toISOString() ?? null,
    }));
}
