import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useState, type ReactNode } from 'react';
import type { Product, Role, SessionBody } from '../src/accounts/account-bodies.ts';
import { sessionQuery } from './queries.ts';

type SignedIn = Extract<SessionBody, { signed_in: true }>;

interface SessionScope {
  session: SignedIn;
  /** The product that pages are about. */
  product: Product;
  chooseProduct: (id: string) => void;
  /** Whether the role is this one or a stronger one. The service decides; this only hides what would be refused. */
  atLeast: (role: Role) => boolean;
}

const STRENGTH = { viewer: 0, member: 1, admin: 2, owner: 3 } as const;
const PRODUCT_KEY = 'product';

const Session = createContext<SessionScope | undefined>(undefined);

/** Who is signed in, for everything inside `SessionGate`. */
export function useSession(): SessionScope {
  const scope = use(Session);
  if (scope === undefined) throw new Error('useSession is called outside of SessionGate');
  return scope;
}

interface SessionGateProps {
  children: ReactNode;
  signedOut: (session: Extract<SessionBody, { signed_in: false }>) => ReactNode;
  failed: (problem: Error, retry: () => void) => ReactNode;
}

/** Shows its children to who is signed in. */
export function SessionGate({ children, signedOut, failed }: SessionGateProps) {
  const [chosen, setChosen] = useState(storedProduct);
  const query = useQuery(sessionQuery(chosen));
  const queries = useQueryClient();
  const session = query.data;
  if (session === undefined) return query.isError ? failed(query.error, () => void query.refetch()) : null;
  if (!session.signed_in) return signedOut(session);
  const scope: SessionScope = {
    session,
    product: session.product,
    chooseProduct: (id) => {
      storeProduct(id);
      setChosen(id);
      void queries.invalidateQueries();
    },
    atLeast: (role) => STRENGTH[session.person.role] >= STRENGTH[role],
  };
  return <Session value={scope}>{children}</Session>;
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
