import type { AccountRoutesParts } from '../accounts/routes.ts';
import type { Keys, RateLimiter } from '../keys/keys.ts';
import type { SliceRoutes } from '../platform/web.ts';

/** Dependencies of the web application's own API. */
export interface AppApiParts extends Omit<AccountRoutesParts, 'nameActors' | 'takeAttempt'> {
  keys: Keys;
  /** Routes of the slices. */
  routes: readonly SliceRoutes[];
  /** Attempts to sign in, by address. */
  attempts: RateLimiter;
}
