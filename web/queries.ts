import type { z } from '@hono/zod-openapi';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query';
import type {
  GroupList,
  MemberList,
  ProductList,
  ProductRoleList,
  SessionList,
} from '../src/accounts/account-bodies.ts';
import type { ModelUsageBody } from '../src/answers/model/usage-routes.ts';
import type { QuotaList } from '../src/overview/quota-routes.ts';
import type { Integrations, Overview } from '../src/overview/overview-bodies.ts';
import type { KeyDetail, KeyList } from '../src/keys/key-bodies.ts';
import type { SearchQuery, SearchResult } from '../src/search/search-bodies.ts';
import type { FilesSummary, RepositoryList, RestRepository } from '../src/repositories/repository-bodies.ts';
import { callTool, get } from './api.ts';
import { VIEWER_ZONE } from './format.ts';
import { forgetEarlyRequest } from './query-client.ts';
import type { Kind } from './query-keys.ts';

/** Interval at which pages poll while work is running. */
export const WATCH_MS = 2000;

/** What a query needs beside its request. */
interface ReadOptions<Answer> {
  staleTime?: number;
  gcTime?: number;
  enabled?: boolean;
  retry?: false;
  /** What else the answer depends on, such as the indexed commit: it is read again when that changes. */
  of?: unknown;
  /** The answer to the question before stays until this one is there. */
  keeps?: boolean;
  /** Ends the request when nobody waits for its answer any more. */
  ends?: boolean;
  /** True for an answer that changes by itself: it is read again and again. */
  watch?: (answer: Answer) => boolean;
}

type Parameters = Readonly<Record<string, string | number | undefined>>;

/** Reads one answer of the service. Its key is the request, after the kind of the answer: whatever changes that reads it again. */
export function readQuery<Answer>(
  kind: Kind,
  path: string,
  parameters: Parameters = {},
  options: ReadOptions<Answer> = {},
) {
  return queryOptions({
    queryKey: [kind, path, parameters, options.of],
    queryFn: (context) => get<Answer>(path, parameters, options.ends === true ? context.signal : undefined),
    ...observed(options),
  });
}

/** An operation, as an MCP client calls it about a product. */
interface Operation {
  product: string;
  name: string;
}

/** The JSON answer of an operation, of its declared output; its notes are for people. */
export type ToolAnswer<Output extends z.ZodType> = z.output<Output> & { notes?: string[] };

/** Reads one answer of an operation. */
export function toolQuery<Answer>(
  kind: Kind,
  { product, name }: Operation,
  given: object,
  options: ReadOptions<Answer> = {},
) {
  return queryOptions({
    queryKey: [kind, product, name, given, options.of],
    queryFn: ({ signal }) => callTool<Answer>({ product, name, signal }, given),
    ...observed(options),
  });
}

function observed<Answer>({ of: _of, ends: _ends, keeps, watch, ...options }: ReadOptions<Answer>) {
  return {
    ...options,
    ...(keeps === true && { placeholderData: keepPreviousData }),
    ...(watch !== undefined && { refetchInterval: watching(watch) }),
  };
}

/** Reads an answer again and again while it changes by itself. */
export function watching<Answer>(watch: (answer: Answer) => boolean) {
  return ({ state }: { state: { data: Answer | undefined } }): number | false =>
    state.data !== undefined && watch(state.data) ? WATCH_MS : false;
}

interface PageOptions<Page> extends Omit<ReadOptions<InfiniteData<Page, Cursor>>, 'watch'> {
  /** Name of the parameter that says where a page begins. */
  cursor?: string;
  watch?: (page: Page) => boolean;
}

type Cursor = string | undefined;

/** Reads an answer page by page; the rows of the question before stay until the first page is there. */
export function readPages<Page extends { next: string | null }>(
  kind: Kind,
  path: string,
  parameters: Parameters,
  { cursor = 'cursor', of, ...options }: PageOptions<Page> = {},
) {
  const read = (at: Cursor, signal: AbortSignal | undefined): Promise<Page> =>
    get<Page>(path, { ...parameters, [cursor]: at }, signal);
  return pagesQuery([kind, path, parameters, of, 'pages'], read, { keeps: true, ...options });
}

/** Reads an answer of an operation page by page. */
export function toolPages<Page extends { next?: string | undefined }>(
  kind: Kind,
  { product, name }: Operation,
  given: object,
  { of, ...options }: PageOptions<Page> = {},
) {
  const read = (cursor: Cursor, signal: AbortSignal | undefined): Promise<Page> =>
    callTool<Page>({ product, name, signal }, { ...given, ...(cursor !== undefined && { cursor }) });
  return pagesQuery([kind, product, name, given, of, 'pages'], read, { ends: true, ...options });
}

function pagesQuery<Page extends { next?: string | null | undefined }>(
  queryKey: QueryKey,
  read: (cursor: Cursor, signal: AbortSignal | undefined) => Promise<Page>,
  { watch, ...options }: PageOptions<Page>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: (context) => read(context.pageParam, options.ends === true ? context.signal : undefined),
    initialPageParam: undefined as Cursor,
    getNextPageParam: (page: Page) => page.next ?? undefined,
    ...observed<InfiniteData<Page, Cursor>>({
      ...options,
      ...(watch !== undefined && { watch: ({ pages }) => pages.some(watch) }),
    }),
  });
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
    refetchInterval: watching(({ repositories }: Overview) => repositories.some(isIndexing)),
  });
}

export function repositoriesQuery(product: string) {
  return readQuery<RepositoryList>(
    'repositories',
    'repositories',
    { product },
    { watch: ({ repositories }) => repositories.some(isIndexing) },
  );
}

export function repositoryQuery(product: string, id: string) {
  return readQuery<RestRepository>(
    'repository',
    `repositories/${encodeURIComponent(id)}`,
    { product },
    { watch: isIndexing },
  );
}

/** `commit` is what the index holds, so that a new index is read again. */
export function filesSummaryQuery(product: string, { id, commit }: { id: string; commit: string | null }) {
  const path = `repositories/${encodeURIComponent(id)}/files-summary`;
  return readQuery<FilesSummary>('repository', path, { product }, { of: commit, enabled: commit !== null });
}

export function isIndexing({ status }: Pick<RestRepository, 'status'>): boolean {
  return status === 'pending' || status === 'indexing';
}

export function keysQuery() {
  return readQuery<KeyList>('keys', 'keys', { zone: VIEWER_ZONE });
}

/** With `watched`, as fresh as a live line has to be. */
export function keyQuery(id: string, watched = false) {
  return readQuery<KeyDetail>(
    'keys',
    `keys/${encodeURIComponent(id)}`,
    { zone: VIEWER_ZONE },
    { enabled: id !== '', ...(watched && { staleTime: 0, watch: () => true }) },
  );
}

export const MODEL_USAGE_DAYS = 30;

/** Reads the usage of the language model in a product, by key and day. For admins. */
export function modelUsageQuery(product: string) {
  return readQuery<ModelUsageBody>('model-usage', 'model-usage', { product, days: MODEL_USAGE_DAYS });
}

export function searchQuery(search: Omit<SearchQuery, 'limit'>) {
  return readPages<SearchResult>(
    'search',
    'search',
    { ...search, limit: 50 },
    { enabled: search.q !== '', ends: true },
  );
}

export function membersQuery() {
  return readQuery<MemberList>('members', 'members');
}

export function productsQuery() {
  return readQuery<ProductList>('products', 'products');
}

/** People and groups with a role in a product. */
export function productRolesQuery(id: string) {
  return readQuery<ProductRoleList>('products', `products/${encodeURIComponent(id)}/roles`);
}

/** What a product uses, and what it may use. */
export function quotasQuery(product: string) {
  return readQuery<QuotaList>('quotas', 'quotas', { product });
}

export function groupsQuery() {
  return readQuery<GroupList>('groups', 'groups');
}

export function integrationsQuery() {
  return readQuery<Integrations>('integrations', 'integrations');
}

export function sessionsQuery() {
  return readQuery<SessionList>('sessions', 'sessions');
}
