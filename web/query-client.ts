import { keepPreviousData, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import type { SessionBody } from '../src/accounts/account-bodies.ts';
import type { Overview } from '../src/overview/overview-bodies.ts';
import { ApiError, get } from './api.ts';

const FRESH_MS = 10_000;
const RETRIES = 2;

/** Cache of answers while they are shown. A session that has ended brings back the sign-in page. */
export function createQueries(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isStatus(error, 401)) void queries.invalidateQueries({ queryKey: ['session'] });
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // Without a network they fail and say so, instead of waiting for it.
        networkMode: 'always',
        // Faults of the request stay faults when it is repeated.
        retry: (failures, error) =>
          failures < RETRIES && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
    },
  });
  return queries;
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

export function sessionQuery(product: string | undefined) {
  return queryOptions({
    queryKey: ['session', product ?? ''],
    queryFn: async () => {
      try {
        const early = window.asked?.session;
        forgetEarlyRequest('session');
        return (await early) ?? (await get<SessionBody>('session', { product }));
      } catch (error) {
        // The product that this browser remembers may be gone.
        if (product !== undefined && isStatus(error, 404)) return get<SessionBody>('session');
        throw error;
      }
    },
    placeholderData: keepPreviousData,
  });
}

/** Requests that `public/start.js` sent before the application was loaded; undefined where one failed. */
interface EarlyRequests {
  session: Promise<SessionBody | undefined>;
  overview: Promise<Overview | undefined>;
}

declare global {
  interface Window {
    /** `product`: what the browser remembered, which the questions are about. */
    asked?: Partial<EarlyRequests> & { product: string | null };
  }
}

/** Uses an early answer only once; later it may have changed. */
export function forgetEarlyRequest(what: keyof EarlyRequests): void {
  if (window.asked !== undefined) delete window.asked[what];
}
