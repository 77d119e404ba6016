import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Db } from '../platform/db.ts';
import type { SecretKeys } from '../platform/secrets.ts';
import { newRoutes, type WebEnv, type WebVariables } from '../platform/web.ts';
import type { FirstAccount, KeyCheck, SettleKeys } from './accounts.ts';
import type { NameActors } from './audit-entries.ts';
import type { ProviderSettings } from './oidc/oidc.ts';
import type { SignedIn } from './sessions.ts';

/** Environment of the routes of the web application's own API. */
export interface AppEnv {
  Bindings: WebEnv['Bindings'];
  Variables: WebVariables & {
    /** The signed-in person. Set on every route but those that work without a session. */
    who: SignedIn;
  };
}

export type AppRoutes = OpenAPIHono<AppEnv>;

/** Changes of the API keys of members, which are a slice of their own. */
interface MemberKeys {
  listKeys(accountId: string): Promise<readonly { personId?: string | undefined }[]>;
  settlement(keysTo?: string): { settle: SettleKeys; apply: () => Promise<void> };
  /** Keys of people are checked again: somebody sees other products. */
  recheck(): KeyCheck;
}

/** Attempts that are limited apart from each other: random tokens that do not work, rounds to a provider, the own account. */
export type AttemptKind = 'token' | 'provider' | 'account';

/** Dependencies of the routes for sign-in, the own account and members. */
export interface AccountRoutesParts {
  db: Db;
  /** The account of this installation, in which people sign in by password. */
  account: FirstAccount;
  /** Identity providers that people can sign in with. */
  providers: readonly ProviderSettings[];
  keys: MemberKeys;
  /** Keys that encrypt the secrets of authenticators. */
  secretKeys: SecretKeys;
  nameActors: NameActors;
  /** Takes one attempt from its own limit: of the network address, or for changes of the own account of the person. Throws `rate_limited`. */
  takeAttempt: (c: Context<AppEnv>, kind: AttemptKind) => void;
  version: string;
  /** Address of the service for people, without a slash at the end. Read at each request: a free port is known late. */
  baseUrl: () => string;
  now: () => Date;
}

export function newAppRoutes(): AppRoutes {
  return newRoutes<AppEnv>();
}
