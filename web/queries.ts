import {
  infiniteQueryOptions,
  keepPreviousData,
  QueryCache,
  QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query';
import type {
  GroupList,
  MemberList,
  ProductList,
  ProductRoleList,
  SessionBody,
  SessionList,
} from '../src/accounts/account-bodies.ts';
import type { ModelUsageBody } from '../src/answers/model/usage-routes.ts';
import type { QuotaList } from '../src/overview/quota-routes.ts';
import type { Integrations, Overview } from '../src/overview/overview-bodies.ts';
import type { KeyDetail, KeyList } from '../src/keys/key-bodies.ts';
import type { SearchQuery, SearchResult } from '../src/search/search-bodies.ts';
import type { FilesSummary, RepositoryList, RestRepository } from '../src/repositories/repository-bodies.ts';
import { ApiError, get } from './api.ts';
import { VIEWER_ZONE } from './format.ts';

/** Interval at which pages poll while work is running. */
export const WATCH_MS = 2000;
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

/**
 * Reads one answer of the service. The first word of a key says what it is about: whatever changes that reads all with the
 * word again.
 */
export function readQuery<Answer>(queryKey: QueryKey, path: string, parameters: Parameters = {}) {
  return queryOptions({ queryKey, queryFn: () => get<Answer>(path, parameters) });
}

type Parameters = Record<string, string | number | undefined>;

/** Reads an answer page by page; the rows of the question before stay until the first page is there. */
export function readPages<Answer extends { next: string | null }>(
  queryKey: QueryKey,
  path: string,
  parameters: Parameters,
  cursor = 'cursor',
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => get<Answer>(path, { ...parameters, [cursor]: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  });
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
function forgetEarlyRequest(what: keyof EarlyRequests): void {
  if (window.asked !== undefined) delete window.asked[what];
}

export function overviewQuery(product: string) {
  return queryOptions({
    queryKey: ['overview', product],
    queryFn: async () => {
      // Without a product in its question the service answers about the one that the session has too.
      const isSame = (window.asked?.product ?? product) === product;
      const early = isSame ? window.asked?.overview : undefined;
      forgetEarlyRequest('overview');
      return (await early) ?? get<Overview>('overview', { product, zone: VIEWER_ZONE });
    },
    refetchInterval: (query) => (query.state.data?.repositories.some(isIndexing) === true ? WATCH_MS : false),
  });
}

export function repositoriesQuery(product: string) {
  return queryOptions({
    queryKey: ['repositories', product],
    queryFn: () => get<RepositoryList>('repositories', { product }),
    refetchInterval: (query) => (query.state.data?.repositories.some(isIndexing) === true ? WATCH_MS : false),
  });
}

export function repositoryQuery(product: string, id: string) {
  return queryOptions({
    queryKey: ['repository', product, id],
    queryFn: () => get<RestRepository>(`repositories/${encodeURIComponent(id)}`, { product }),
    refetchInterval: (query) => (query.state.data !== undefined && isIndexing(query.state.data) ? WATCH_MS : false),
  });
}

/** `commit` is what the index holds, so that a new index is read again. */
export function filesSummaryQuery(product: string, { id, commit }: { id: string; commit: string | null }) {
  return queryOptions({
    queryKey: ['files-summary', product, id, commit],
    queryFn: () => get<FilesSummary>(`repositories/${encodeURIComponent(id)}/files-summary`, { product }),
    enabled: commit !== null,
  });
}

export function isIndexing({ status }: Pick<RestRepository, 'status'>): boolean {
  return status === 'pending' || status === 'indexing';
}

export function keysQuery() {
  return readQuery<KeyList>(['keys'], 'keys', { zone: VIEWER_ZONE });
}

/** With `watched`, as fresh as a live line has to be. */
export function keyQuery(id: string, watched = false) {
  return queryOptions({
    queryKey: ['keys', id],
    queryFn: () => get<KeyDetail>(`keys/${encodeURIComponent(id)}`, { zone: VIEWER_ZONE }),
    enabled: id !== '',
    refetchInterval: watched ? WATCH_MS : false,
    ...(watched && { staleTime: 0 }),
  });
}

export const MODEL_USAGE_DAYS = 30;

/** Reads the usage of the language model in a product, by key and day. For admins. */
export function modelUsageQuery(product: string) {
  return readQuery<ModelUsageBody>(['model-usage', product], 'model-usage', { product, days: MODEL_USAGE_DAYS });
}

export function searchQuery(search: SearchQuery) {
  return infiniteQueryOptions({
    queryKey: ['search', search],
    queryFn: ({ pageParam, signal }) =>
      get<SearchResult>('search', { ...search, limit: Number(search.limit ?? 50), cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    enabled: search.q !== '',
    placeholderData: keepPreviousData,
  });
}

export function membersQuery() {
  return readQuery<MemberList>(['members'], 'members');
}

export function productsQuery() {
  return readQuery<ProductList>(['products'], 'products');
}

/** People and groups with a role in a product. */
export function productRolesQuery(id: string) {
  return readQuery<ProductRoleList>(['products', id, 'roles'], `products/${encodeURIComponent(id)}/roles`);
}

/** What a product uses, and what it may use. */
export function quotasQuery(product: string) {
  return readQuery<QuotaList>(['quotas', product], `quotas?${new URLSearchParams({ product })}`);
}

export function groupsQuery() {
  return readQuery<GroupList>(['groups'], 'groups');
}

export function integrationsQuery() {
  return readQuery<Integrations>(['integrations'], 'integrations');
}

export function sessionsQuery() {
  return readQuery<SessionList>(['sessions'], 'sessions');
}
