import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';

const ANSWER_LIMIT_MS = 10_000;
/** How far the clock of an issuer may be off. */
const SKEW_SECONDS = 60;

/** An identity provider as it was configured. */
export interface ProviderSettings {
  /** In addresses: `google`, `github`, `oidc`. */
  id: string;
  /** On the button. */
  name: string;
  clientId: string;
  clientSecret: string;
  /** OpenID Connect finds its endpoints below the issuer; GitHub speaks OAuth 2 with an API of its own. */
  kind: { type: 'oidc'; issuer: string } | { type: 'github'; site: string; api: string };
}

/** Who somebody is to a provider. */
export interface ExternalIdentity {
  /** Never changes and is never given to somebody else; an e-mail address may be. */
  subject: string;
  /** Only an address that the provider has verified. */
  email: string | undefined;
  name: string | undefined;
}

/** One way to a provider and back: what both halves need to know. The secret stays in the browser's cookie. */
export interface Round {
  secret: string;
  state: string;
  redirectUri: string;
}

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url().optional(),
});
type Discovery = z.output<typeof Discovery>;

const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.string().optional(),
  exp: z.number(),
  nonce: z.string(),
});
const Profile = z.object({
  sub: z.string(),
  email: z.string().optional(),
  // Some issuers send text.
  email_verified: z.union([z.boolean(), z.literal(['true', 'false'])]).optional(),
  name: z.string().optional(),
});
type Profile = z.output<typeof Profile>;
const Tokens = z.object({ access_token: z.string(), id_token: z.string().optional() });
const GithubUser = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() });
const GithubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** The settings of all providers, as far as somebody gave them. */
export interface ProviderConfig {
  oidcIssuer: string | undefined;
  oidcName: string;
  oidcClientId: string | undefined;
  oidcClientSecret: string | undefined;
  googleClientId: string | undefined;
  googleClientSecret: string | undefined;
  githubClientId: string | undefined;
  githubClientSecret: string | undefined;
}

/** The providers that people can sign in with. @throws ServiceError `bad_argument` for one that is configured by half. */
export function configuredProviders(config: ProviderConfig): ProviderSettings[] {
  const google = { type: 'oidc', issuer: 'https://accounts.google.com' } as const;
  const github = { type: 'github', site: 'https://github.com', api: 'https://api.github.com' } as const;
  const other = config.oidcIssuer === undefined ? undefined : ({ type: 'oidc', issuer: config.oidcIssuer } as const);
  return [
    ...configured('SVC_OIDC', { id: 'oidc', name: config.oidcName, kind: other }, [
      config.oidcClientId,
      config.oidcClientSecret,
    ]),
    ...configured('SVC_OIDC_GOOGLE', { id: 'google', name: 'Google', kind: google }, [
      config.googleClientId,
      config.googleClientSecret,
    ]),
    ...configured('SVC_OIDC_GITHUB', { id: 'github', name: 'GitHub', kind: github }, [
      config.githubClientId,
      config.githubClientSecret,
    ]),
  ];
}

function configured(
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

/** Where to send the browser. @throws ServiceError `upstream_failed` when the issuer cannot be reached. */
export async function authorizationUrl(provider: ProviderSettings, round: Round): Promise<string> {
  const { kind, clientId } = provider;
  const endpoint =
    kind.type === 'github'
      ? `${kind.site}/login/oauth/authorize`
      : (await discover(provider, kind.issuer)).authorization_endpoint;
  const url = new URL(endpoint);
  const challenge = createHash('sha256').update(verifierOf(round)).digest('base64url');
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: round.redirectUri,
    scope: kind.type === 'github' ? 'read:user user:email' : 'openid email profile',
    state: round.state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(kind.type === 'github' ? {} : { nonce: nonceOf(round) }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Who came back with this code.
 *
 * The identity token comes straight from the issuer over TLS, which stands in for checking its signature (OpenID Connect
 * Core, section 3.1.3.7, rule 6); all its claims are checked.
 *
 * @throws ServiceError `upstream_failed` when the issuer cannot be reached or answers something else than it must.
 */
export async function identify(
  provider: ProviderSettings,
  { round, code, now }: { round: Round; code: string; now: Date },
): Promise<ExternalIdentity> {
  const { kind } = provider;
  if (kind.type === 'github') {
    const tokens = await exchange(provider, `${kind.site}/login/oauth/access_token`, { round, code });
    return githubIdentity(provider, kind.api, tokens.access_token);
  }
  const found = await discover(provider, kind.issuer);
  const tokens = await exchange(provider, found.token_endpoint, { round, code });
  const claims = readIdToken(provider, tokens.id_token);
  const problem = claimProblem(claims, {
    issuer: found.issuer,
    clientId: provider.clientId,
    nonce: nonceOf(round),
    now,
  });
  if (problem !== undefined) throw failed(provider, problem);
  const profile = await profileOf(provider, { found, claims, accessToken: tokens.access_token });
  const isVerified = profile.email_verified === true || profile.email_verified === 'true';
  return { subject: claims.sub, email: isVerified ? profile.email : undefined, name: profile.name };
}

function claimProblem(
  claims: z.output<typeof Claims>,
  wanted: { issuer: string; clientId: string; nonce: string; now: Date },
): string | undefined {
  const audience = typeof claims.aud === 'string' ? [claims.aud] : claims.aud;
  if (claims.iss !== wanted.issuer) return 'the token is from another issuer';
  if (!audience.includes(wanted.clientId)) return 'the token is for another client';
  if (audience.length > 1 && claims.azp !== wanted.clientId) return 'the token is for several clients';
  if (claims.exp + SKEW_SECONDS < wanted.now.getTime() / 1000) return 'the token has expired';
  return claims.nonce === wanted.nonce ? undefined : 'the token belongs to another sign-in';
}

async function profileOf(
  provider: ProviderSettings,
  {
    found,
    claims,
    accessToken,
  }: { found: Discovery; claims: z.output<typeof Claims> & Record<string, unknown>; accessToken: string },
): Promise<Profile> {
  const told = Profile.safeParse(claims);
  if (told.success && told.data.email !== undefined) return told.data;
  if (found.userinfo_endpoint === undefined) return { sub: claims.sub };
  const headers = { authorization: `Bearer ${accessToken}` };
  const profile = parse(provider, Profile, await ask(provider, found.userinfo_endpoint, { headers }));
  if (profile.sub !== claims.sub) throw failed(provider, 'it described another person');
  return profile;
}

async function discover(provider: ProviderSettings, issuer: string): Promise<Discovery> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found = parse(provider, Discovery, await ask(provider, url, {}));
  if (found.issuer !== issuer && found.issuer !== `${issuer}/`) {
    throw failed(provider, `it identifies itself as ${found.issuer.slice(0, 200)}`);
  }
  return found;
}

async function exchange(
  provider: ProviderSettings,
  endpoint: string,
  { round, code }: { round: Round; code: string },
): Promise<z.output<typeof Tokens>> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: round.redirectUri,
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    code_verifier: verifierOf(round),
  });
  return parse(provider, Tokens, await ask(provider, endpoint, { method: 'POST', body }));
}

async function githubIdentity(provider: ProviderSettings, api: string, accessToken: string): Promise<ExternalIdentity> {
  const headers = { authorization: `Bearer ${accessToken}`, 'user-agent': 'svc' };
  const user = parse(provider, GithubUser, await ask(provider, `${api}/user`, { headers }));
  const emails = parse(provider, GithubEmails, await ask(provider, `${api}/user/emails`, { headers }));
  const email = emails.find((one) => one.primary && one.verified)?.email;
  return { subject: String(user.id), email, name: user.name ?? user.login };
}

function readIdToken(
  provider: ProviderSettings,
  token: string | undefined,
): z.output<typeof Claims> & Record<string, unknown> {
  const [, payload = ''] = token?.split('.') ?? [];
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(payload, 'base64url').toString());
  } catch {
    throw failed(provider, 'it sent no identity token');
  }
  return parse(provider, Claims.loose(), json);
}

async function ask(
  provider: ProviderSettings,
  url: string,
  init: { method?: string; body?: URLSearchParams; headers?: Record<string, string> },
): Promise<unknown> {
  if (!isSafe(url)) throw failed(provider, `${url} is not an https address`);
  const headers = { accept: 'application/json', ...init.headers };
  try {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
    const response = await fetch(url, { ...init, headers, redirect: 'error', signal });
    const json: unknown = await response.json();
    if (response.ok) return json;
    throw failed(provider, `it answered ${response.status}`);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw failed(provider, 'it cannot be reached', error);
  }
}

/** Without TLS nothing that comes back can be trusted, but on this machine. */
function isSafe(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function parse<Schema extends z.ZodType>(provider: ProviderSettings, schema: Schema, json: unknown): z.output<Schema> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw failed(provider, 'its answer cannot be understood', parsed.error);
}

function verifierOf({ secret }: Round): string {
  return createHmac('sha256', secret).update('verifier').digest('base64url');
}

function nonceOf({ secret }: Round): string {
  return createHmac('sha256', secret).update('nonce').digest('base64url');
}

function failed(provider: ProviderSettings, why: string, cause?: unknown): ServiceError {
  return new ServiceError('upstream_failed', `Signing in with ${provider.name} failed: ${why}.`, {
    fix: 'Try again; if it fails again, check the SVC_OIDC_* settings of the service.',
    cause,
  });
}
