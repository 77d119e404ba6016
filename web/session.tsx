import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import type { Product, Role, SessionBody } from '../src/accounts/account-bodies.ts';
import { sessionQuery } from './query-client.ts';

type SignedIn = Extract<SessionBody, { signed_in: true }>;

interface SessionScope {
  session: SignedIn;
  /** The product that pages are about. */
  product: Product;
  chooseProduct: (id: string) => void;
  /** True if the role is this one or a stronger one. The service decides; this only hides what would be refused. */
  atLeast: (role: Role) => boolean;
}

const STRENGTH = { viewer: 0, member: 1, admin: 2, owner: 3 } as const;
/** `public/start.js` reads it too. */
const PRODUCT_KEY = 'product';
const ROLE_KEY = 'role';

const Session = createContext<SessionScope | undefined>(undefined);

/** Returns the session of the signed-in person, for everything inside `SessionGate`. */
export function useSession(): SessionScope {
  const scope = use(Session);
  if (scope === undefined) throw new Error('useSession is called before the session is known');
  return scope;
}

/** For the frame of the pages, which is there before the service has said who is signed in. */
export function useOptionalSession(): SessionScope | undefined {
  return use(Session);
}

/** True if a role is this one or a stronger one. */
export function isAtLeast(role: Role, least: Role): boolean {
  return STRENGTH[role] >= STRENGTH[least];
}

interface SessionGateProps {
  children: ReactNode;
  signedOut: (session: Extract<SessionBody, { signed_in: false }>) => ReactNode;
  failed: (problem: Error, retry: () => void) => ReactNode;
}

/**
 * Shows its children to who is signed in, and where somebody was signed in before, also until the service has answered:
 * `useSession` may be called only where `useOptionalSession` returns a session.
 */
export function SessionGate({ children, signedOut, failed }: SessionGateProps) {
  const [chosen, setChosen] = useState(storedProduct);
  const query = useQuery(sessionQuery(chosen));
  const queries = useQueryClient();
  const session = query.data;
  const role = session?.signed_in === true ? session.product.role : undefined;
  useEffect(() => {
    if (session !== undefined) storeRole(role);
  }, [session, role]);
  if (session === undefined) {
    if (query.isError) return failed(query.error, () => void query.refetch());
    return storedRole() === undefined ? null : <Session value={undefined}>{children}</Session>;
  }
  if (!session.signed_in) return signedOut(session);
  const scope: SessionScope = {
    session,
    product: session.product,
    chooseProduct: (id) => {
      storeProduct(id);
      setChosen(id);
      void queries.invalidateQueries();
    },
    atLeast: (least) => isAtLeast(session.product.role, least),
  };
  return <Session value={scope}>{children}</Session>;
}

/** The role of who was signed in here last; undefined after a sign-out. */
export function storedRole(): Role | undefined {
  try {
    const role = localStorage.getItem(ROLE_KEY);
    return role !== null && role in STRENGTH ? (role as Role) : undefined;
  } catch {
    return undefined;
  }
}

function storeRole(role: Role | undefined): void {
  try {
    if (role === undefined) localStorage.removeItem(ROLE_KEY);
    else localStorage.setItem(ROLE_KEY, role);
  } catch {
    // Without storage the frame waits for the session.
  }
}

function storedProduct(): string | undefined {
  try {
    return localStorage.getItem(PRODUCT_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

function storeProduct(id: string): void {
  try {
    localStorage.setItem(PRODUCT_KEY, id);
  } catch {
    // Without storage the choice holds until the page is left.
  }
}
