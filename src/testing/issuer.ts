import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Claims of the identity provider about a person; absent fields are omitted. */
export interface TestProfile {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

/** An identity provider on this machine: OpenID Connect at its root, and the API of GitHub beside it. */
export interface TestIssuer {
  url: string;
  /** Agrees as this person to what the browser was sent with; gives the code that it comes back with. */
  agree: (authorization: string, profile: TestProfile) => string;
  /** Changes the claims of the next tokens, as a broken or hostile issuer would. */
  claims: Record<string, unknown>;
  /** Changes the head of the next tokens. */
  head: Record<string, unknown>;
  /** Changes what it says about itself. */
  metadata: Record<string, unknown>;
  close: () => Promise<void>;
}

interface Grant {
  profile: TestProfile;
  query: URLSearchParams;
}

/** Starts one. It gives a code out once, checks the verifier, and signs nothing, because no test checks that. */
export async function testIssuer(): Promise<TestIssuer> {
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, TestProfile>();
  const changes = { claims: {}, head: {}, metadata: {} };
  const server = createServer((request, response) => void answer(request, response, { grants, tokens, changes, url }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // An address of a TCP listener, because a port was given.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    ...changes,
    agree: (authorization, profile) => {
      const code = randomUUID();
      grants.set(code, { profile, query: new URL(authorization).searchParams });
      return code;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface IssuerState {
  grants: Map<string, Grant>;
  tokens: Map<string, TestProfile>;
  changes: Pick<TestIssuer, 'claims' | 'head' | 'metadata'>;
  url: string;
}

async function answer(request: IncomingMessage, response: ServerResponse, state: IssuerState): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = await respond(request, new URLSearchParams(Buffer.concat(chunks).toString()), state);
  response.writeHead(body === undefined ? 400 : 200, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(body ?? { error: 'invalid_grant' }));
}

async function respond(
  { url: path = '', headers }: IncomingMessage,
  form: URLSearchParams,
  { grants, tokens, changes, url }: IssuerState,
): Promise<unknown> {
  const profile = tokens.get((headers.authorization ?? '').replace('Bearer ', ''));
  if (path === '/.well-known/openid-configuration') {
    const at = { authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token` };
    return { issuer: url, ...at, userinfo_endpoint: `${url}/userinfo`, ...changes.metadata };
  }
  if (path === '/token' || path === '/login/oauth/access_token') {
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight = form.get('client_secret') === 'secret' && grant?.query.get('code_challenge') === challenge;
    if (grant === undefined || !isRight || grant.query.get('redirect_uri') !== form.get('redirect_uri'))
      return undefined;
    const token = randomUUID();
    tokens.set(token, grant.profile);
    const access = { access_token: token, token_type: 'bearer' };
    return path === '/token' ? { ...access, id_token: idToken({ grant, changes, url }) } : access;
  }
  if (profile === undefined) return undefined;
  if (path === '/userinfo') return profile;
  if (path === '/user') return { id: Number(profile.sub), login: 'octocat', name: profile.name ?? null };
  if (path === '/user/emails')
    return [{ email: profile.email, primary: true, verified: profile.email_verified === true }];
  return undefined;
}

function idToken({ grant, changes, url }: Pick<IssuerState, 'changes' | 'url'> & { grant: Grant }): string {
  const { profile, query } = grant;
  const own = {
    iss: url,
    sub: profile.sub,
    aud: query.get('client_id'),
    iat: 1_000_000_000,
    exp: 4_000_000_000,
    nonce: query.get('nonce'),
  };
  return `${part({ alg: 'RS256', ...changes.head })}.${part({ ...own, ...changes.claims })}.${part('signature')}`;
}

function part(json: unknown): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}
