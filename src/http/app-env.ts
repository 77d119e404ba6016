import type { OpenAPIHono } from '@hono/zod-openapi';
import type { FirstAccount } from '../accounts/accounts.ts';
import type { ProviderSettings } from '../accounts/oidc.ts';
import type { SignedIn } from '../accounts/sessions.ts';
import type { Keys, RateLimiter } from '../keys/keys.ts';
import type { Db } from '../platform/db.ts';
import { newRoutes, type SliceRoutes, type WebEnv, type WebVariables } from '../platform/web.ts';
import type { Trackers } from '../trackers/trackers.ts';
import type { RepositoryActions } from '../repositories/routes.ts';

/** What routes of the web application's own API see of a request. */
export interface AppEnv {
  Bindings: WebEnv['Bindings'];
  Variables: WebVariables & {
    /** Who is signed in. Set on every route but those that work without a session. */
    who: SignedIn;
  };
}

export type AppRoutes = OpenAPIHono<AppEnv>;

/** What the web application's own API needs of the service. */
export interface AppApiParts {
  db: Db;
  /** Where people sign in by password: the account of this installation. */
  account: FirstAccount;
  /** Identity providers that people can sign in with. */
  providers: readonly ProviderSettings[];
  keys: Keys;
  repositories: Pick<RepositoryActions, 'list'>;
  trackers: Trackers;
  /** Routes of the slices. */
  routes: readonly SliceRoutes[];
  /** Attempts to sign in, by address. */
  attempts: RateLimiter;
  /** Where metrics are read; undefined when they are not served. */
  metricsUrl: string | undefined;
  version: string;
  /** Where people reach the service, without a slash at the end. Asked at each request: a free port is known late. */
  baseUrl: () => string;
  now: () => Date;
}

export function newAppRoutes(): AppRoutes {
  return newRoutes<AppEnv>();
}
