import { createHmac } from 'node:crypto';
import * as client from 'openid-client';
import { z } from 'zod';
import { ServiceError } from '../../kernel/errors.ts';
import { netRequest } from '../../platform/net.ts';
import type { ProviderSettings } from './oidc.ts';

const ANSWER_LIMIT_MS = 10_000;
/** Tolerance for the clock of an issuer. */
const SKEW_SECONDS = 60;
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** Identity of a person at a provider. */
export interface ExternalIdentity {
  /** Never changes and is never given to somebody else; an e-mail address may be. */
  subject: string;
  /** Only an address that the provider has verified. */
  email: string | undefined;
  name: string | undefined;
  /** Names of the person's groups, where the provider decides about them. */
  groups?: string[] | undefined;
}

/** One round to a provider and back: the state that both halves need. The secret stays in the browser's cookie. */
interface Round {
  secret: string;
  state: string;
  redirectUri: string;
}

/** Claims of the identity token, or else of the issuer's endpoint, about a person. Some issuers send a boolean as text. */
const Profile = z.object({
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.literal(['true', 'false'])]).optional(),
  name: z.string().optional(),
});
/** Some issuers send one group without a list. */
const Groups = z.union([z.array(z.string()), z.string().transform((name) => [name])]);
const GithubUser = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() });
const GithubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** Returns the address to send the browser to. @throws ServiceError `upstream_failed` when the issuer cannot be reached. */
export async function authorizationUrl(provider: ProviderSettings, round: Round, now: Date): Promise<string> {
  const isGithub = provider.kind.type === 'github';
  return explainFailures(provider, async () => {
    const url = client.buildAuthorizationUrl(await configurationOf(provider, now), {
      redirect_uri: round.redirectUri,
      scope: isGithub ? 'read:user user:email' : (provider.scopes ?? 'openid email profile'),
      state: round.state,
      code_challenge: await client.calculatePKCECodeChallenge(verifierOf(round)),
      code_challenge_method: 'S256',
      ...(isGithub ? {} : { nonce: nonceOf(round) }),
    });
    return url.href;
  });
}

/** Parameters that the browser brought back. */
interface Returned {
  code: string;
  /** The issuer, from providers that send it there (RFC 9207). */
  iss?: string | undefined;
}

/**
 * Returns the identity of the person who came back with this code.
 *
 * The identity token comes straight from the issuer over TLS, which replaces checking its signature (OpenID Connect Core,
 * section 3.1.3.7, rule 6); all its claims are checked.
 *
 * @throws ServiceError `upstream_failed` when the issuer cannot be reached or sends an invalid answer.
 */
export async function identify(
  provider: ProviderSettings,
  { round, returned, now }: { round: Round; returned: Returned; now: Date },
): Promise<ExternalIdentity> {
  const { kind } = provider;
  return explainFailures(provider, async () => {
    const configuration = await configurationOf(provider, now);
    const back = new URL(round.redirectUri);
    const { code, iss } = returned;
    back.search = new URLSearchParams({ code, state: round.state, ...(iss !== undefined && { iss }) }).toString();
    const tokens = await client.authorizationCodeGrant(configuration, back, {
      pkceCodeVerifier: verifierOf(round),
      expectedState: round.state,
      ...(kind.type === 'oidc' && { expectedNonce: nonceOf(round) }),
    });
    if (kind.type === 'github') return githubIdentity(configuration, kind.api, tokens.access_token);
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('it sent no identity token');
    const profile = await profileOf(configuration, claims, tokens.access_token);
    const isVerified = profile.email_verified === true || profile.email_verified === 'true';
    const { groupsClaim } = provider;
    const groups =
      groupsClaim === undefined
        ? undefined
        : await groupsOf(configuration, { claims, groupsClaim, accessToken: tokens.access_token });
    return { subject: claims.sub, email: isVerified ? profile.email : undefined, name: profile.name, groups };
  });
}

/** Groups by the identity token, or else by the issuer's endpoint; none where neither has the claim. */
async function groupsOf(
  configuration: client.Configuration,
  { claims, groupsClaim, accessToken }: { claims: client.IDToken; groupsClaim: string; accessToken: string },
): Promise<string[]> {
  const inToken = claims[groupsClaim];
  if (inToken !== undefined) return Groups.parse(inToken);
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return [];
  const profile = await client.fetchUserInfo(configuration, accessToken, claims.sub);
  return Groups.parse(profile[groupsClaim] ?? []);
}

/** The library's view of a provider at this time; of OpenID Connect, with what the issuer says about itself. */
async function configurationOf(provider: ProviderSettings, now: Date): Promise<client.Configuration> {
  const { kind, clientId, clientSecret } = provider;
  const fetch = guardedFetch(provider);
  const metadata = {
    [client.clockSkew]: Math.round((now.getTime() - Date.now()) / 1000),
    [client.clockTolerance]: SKEW_SECONDS,
  };
  const auth = client.ClientSecretPost(clientSecret);
  // Without TLS nothing that comes back can be trusted, but on this machine.
  const isHere = LOOPBACK.has(hostOf(kind.type === 'github' ? kind.site : kind.issuer));
  const execute = isHere ? [client.allowInsecureRequests] : [];
  if (kind.type === 'github') {
    const { site } = kind;
    const at = {
      authorization_endpoint: `${site}/login/oauth/authorize`,
      token_endpoint: `${site}/login/oauth/access_token`,
    };
    const configuration = new client.Configuration({ issuer: site, ...at }, clientId, metadata, auth);
    configuration[client.customFetch] = fetch;
    for (const change of execute) change(configuration);
    return configuration;
  }
  const { issuer } = kind;
  const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const configuration = await client.discovery(url, clientId, metadata, auth, { [client.customFetch]: fetch, execute });
  // With the whole address, the library does not check this: here a last slash makes no difference.
  const named = configuration.serverMetadata().issuer;
  if (named !== issuer && named !== `${issuer}/`) throw new Error(`it identifies itself as ${named.slice(0, 200)}`);
  return configuration;
}

/**
 * Requests of the library go where requests of the service may. The hosts of the settings count as trusted; what an issuer
 * names beyond them must not lie in a private network that `SVC_PRIVATE_HOSTS` does not open.
 */
function guardedFetch({ kind, privateHosts = [] }: ProviderSettings): client.CustomFetch {
  const own = kind.type === 'github' ? [kind.site, kind.api] : [kind.issuer];
  const policy = { privateHosts: new Set([...privateHosts, ...own.map(hostOf)]), timeoutMs: ANSWER_LIMIT_MS };
  return async (url, { method, headers, body }) => {
    const hasBody = body !== undefined && body !== null;
    if (hasBody && !(body instanceof URLSearchParams)) throw new TypeError('Only forms are sent.');
    const request = { url, headers, mostRedirects: 0, ...(hasBody && { body: body.toString() }) };
    const answer = await netRequest(policy, { ...request, method: method === 'POST' ? 'POST' : 'GET' });
    const type = answer.headers['content-type'] ?? '';
    return new Response(answer.text === '' ? null : answer.text, {
      status: answer.status,
      headers: { 'content-type': type },
    });
  };
}

async function profileOf(
  configuration: client.Configuration,
  claims: client.IDToken,
  accessToken: string,
): Promise<z.output<typeof Profile>> {
  const profile = Profile.safeParse(claims);
  if (profile.success && profile.data.email !== undefined) return profile.data;
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return Profile.parse(await client.fetchUserInfo(configuration, accessToken, claims.sub));
}

async function githubIdentity(
  configuration: client.Configuration,
  api: string,
  accessToken: string,
): Promise<ExternalIdentity> {
  const ask = async (path: string): Promise<unknown> => {
    const url = new URL(`${api}${path}`);
    const headers = new Headers({ accept: 'application/json', 'user-agent': 'svc' });
    const response = await client.fetchProtectedResource(configuration, accessToken, url, 'GET', null, headers);
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return response.json();
  };
  const user = GithubUser.parse(await ask('/user'));
  const emails = GithubEmails.parse(await ask('/user/emails'));
  const email = emails.find((entry) => entry.primary && entry.verified)?.email;
  return { subject: String(user.id), email, name: user.name ?? user.login };
}

/** Runs work and turns failures of a provider into errors of ours; no answer of a provider is a fault of the service. */
async function explainFailures<Result>(provider: ProviderSettings, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { why, fix } = reasonOf(error);
    throw new ServiceError('upstream_failed', `Signing in with ${provider.name} failed: ${why}.`, {
      fix: fix ?? 'Try again; if it fails again, check the SVC_OIDC_* settings of the service.',
      cause: error,
    });
  }
}

/** The library wraps what went wrong: the innermost error says it. */
function reasonOf(error: unknown): { why: string; fix?: string } {
  if (error instanceof ServiceError)
    return error.code === 'bad_argument'
      ? { why: error.message.replace(/\.$/, ''), fix: error.fix }
      : { why: 'it cannot be reached' };
  if (error instanceof z.ZodError) return { why: 'its answer cannot be understood' };
  if (error instanceof client.ResponseBodyError) return { why: `it answered ${error.status}` };
  if (!(error instanceof Error)) return { why: 'its answer cannot be understood' };
  return error.cause instanceof Error ? reasonOf(error.cause) : { why: error.message.replace(/\.$/, '') };
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

function verifierOf({ secret }: Round): string {
  return createHmac('sha256', secret).update('verifier').digest('base64url');
}

function nonceOf({ secret }: Round): string {
  return createHmac('sha256', secret).update('nonce').digest('base64url');
}
