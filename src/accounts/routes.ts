import type { AccountRoutesParts, AppRoutes } from './account-env.ts';
import { memberRoutes } from './member-routes.ts';
import { oidcRoutes } from './oidc-routes.ts';
import { ownAccountRoutes } from './own-account-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';

export { type AccountRoutesParts, type AppEnv, type AppRoutes, newAppRoutes } from './account-env.ts';
export { redirectUriOf } from './oidc-routes.ts';
export { type SessionParts, whoIs } from './session-cookie.ts';

/** What works without a session: the ways to sign in, and invitations. */
export function openRoutes(parts: AccountRoutesParts): AppRoutes[] {
  return [signInRoutes(parts), oidcRoutes(parts)];
}

/** What takes a session and is about no product: oneself, and the members of the account. */
export function accountRoutes(parts: AccountRoutesParts): AppRoutes[] {
  return [ownAccountRoutes(parts), memberRoutes(parts)];
}
