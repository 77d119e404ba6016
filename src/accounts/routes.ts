import type { AccountRoutesParts, AppRoutes } from './account-env.ts';
import { auditRoutes } from './audit-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { oidcRoutes } from './oidc-routes.ts';
import { ownAccountRoutes } from './own-account-routes.ts';
import { groupRoutes, productRoutes } from './product-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';

export { type AccountRoutesParts, type AppEnv, type AppRoutes, type AttemptKind, newAppRoutes } from './account-env.ts';
export { findSignedIn, type SessionParts } from './session-cookie.ts';

/** Routes that work without a session: the methods of signing in, and invitations. */
export function openRoutes(parts: AccountRoutesParts): AppRoutes[] {
  return [signInRoutes(parts), oidcRoutes(parts)];
}

/** Routes that need a session and concern no product: the own account, members and products of the account, and its audit log. */
export function accountRoutes(parts: AccountRoutesParts): AppRoutes[] {
  return [ownAccountRoutes(parts), memberRoutes(parts), productRoutes(parts), groupRoutes(parts), auditRoutes(parts)];
}
