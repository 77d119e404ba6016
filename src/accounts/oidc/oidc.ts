import { ServiceError } from '../../kernel/errors.ts';

/** An identity provider as it was configured. */
export interface ProviderSettings {
  /** Id in addresses: `google`, `github`, `oidc`. */
  id: string;
  /** Name on the button. */
  name: string;
  clientId: string;
  clientSecret: string;
  /** OpenID Connect finds its endpoints below the issuer; GitHub speaks OAuth 2 with an API of its own. */
  kind: { type: 'oidc'; issuer: string } | { type: 'github'; site: string; api: string };
  /** Claim with the groups of a person; without it groups are none of the provider's business. */
  groupsClaim?: string | undefined;
  /** Scopes of OpenID Connect that are requested, where they are not the usual ones. */
  scopes?: string | undefined;
  /** Hosts in private networks that the issuer may name, besides its own. */
  privateHosts?: readonly string[] | undefined;
}

/** The settings of all providers, as far as they are set. */
interface ProviderConfig {
  oidcIssuer: string | undefined;
  oidcName: string;
  oidcGroupsClaim?: string | undefined;
  oidcScopes?: string | undefined;
  oidcClientId: string | undefined;
  oidcClientSecret: string | undefined;
  googleClientId: string | undefined;
  googleClientSecret: string | undefined;
  githubClientId: string | undefined;
  githubClientSecret: string | undefined;
  privateHosts?: readonly string[];
}

/** The providers that people can sign in with. @throws ServiceError `bad_argument` for one that is configured by half. */
export function configuredProviders(config: ProviderConfig): ProviderSettings[] {
  const google = { type: 'oidc', issuer: 'https://accounts.google.com' } as const;
  const github = { type: 'github', site: 'https://github.com', api: 'https://api.github.com' } as const;
  const other = config.oidcIssuer === undefined ? undefined : ({ type: 'oidc', issuer: config.oidcIssuer } as const);
  const { privateHosts } = config;
  const providers = [
    ...readProvider('SVC_OIDC', { id: 'oidc', name: config.oidcName, kind: other }, [
      config.oidcClientId,
      config.oidcClientSecret,
    ]).map((provider) => ({ ...provider, groupsClaim: config.oidcGroupsClaim, scopes: config.oidcScopes })),
    ...readProvider('SVC_OIDC_GOOGLE', { id: 'google', name: 'Google', kind: google }, [
      config.googleClientId,
      config.googleClientSecret,
    ]),
    ...readProvider('SVC_OIDC_GITHUB', { id: 'github', name: 'GitHub', kind: github }, [
      config.githubClientId,
      config.githubClientSecret,
    ]),
  ];
  return providers.map((provider) => ({ ...provider, ...(privateHosts !== undefined && { privateHosts }) }));
}

function readProvider(
  prefix: string,
  { id, name, kind }: Pick<ProviderSettings, 'id' | 'name'> & { kind: ProviderSettings['kind'] | undefined },
  [clientId, clientSecret]: [string | undefined, string | undefined],
): ProviderSettings[] {
  if (kind !== undefined && clientId !== undefined && clientSecret !== undefined)
    return [{ id, name, clientId, clientSecret, kind }];
  const isUnset = clientId === undefined && clientSecret === undefined && (kind === undefined || id !== 'oidc');
  if (isUnset) return [];
  throw new ServiceError('bad_argument', `The configuration of sign-in with ${name} is incomplete.`, {
    fix: `Set ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET${id === 'oidc' ? ' together with SVC_OIDC_ISSUER' : ''}, or none of them.`,
  });
}

/** Returns the address that a provider sends the browser back to; it has to be registered there. */
export function redirectUriOf({ baseUrl }: { baseUrl: () => string }, { id }: Pick<ProviderSettings, 'id'>): string {
  return `${baseUrl()}/app/api/sign-in/oidc/${id}/callback`;
}
