import type { Tenant } from '../kernel/tenant.ts';
import type { ProductRequest } from '../accounts/accounts.ts';
import type { Repositories } from './context.ts';
import {
  addRepository,
  findRepository,
  listRepositories,
  removeRepository,
  type Repository,
  toRestRepository,
} from './repositories.ts';
import { setPending } from './store.ts';
import type { FilesSummary, NewRepository, RestRepository } from './repository-bodies.ts';

/** What the index of a repository covers. */
export interface IndexCoverage {
  files: number;
  parsed: number;
  withSymbols: number;
  symbols: number;
  lines: number;
  languages: Record<string, number>;
  unparsed: number;
  failed: { path: string; reason: string }[];
}

/** What repositories are followed by in other slices. */
interface RepositoryHooks {
  /** Puts an index run of a repository into the queue; while one waits, nothing is added. */
  startIndexing: (tenant: Tenant, id: string) => Promise<void>;
  /** What the index covers. Throws `not_indexed` without one. */
  coverageOf: (tenant: Tenant, repository: Repository) => Promise<IndexCoverage>;
}

/** What the routes offer. An `id` may also be a name, or `owner/name`; all but `list` throw `unknown_repo` for others. */
export interface RepositoryActions {
  /** Whether a folder of the machine can be added. */
  acceptsFolders: boolean;
  /** All of the product, by name. */
  list(tenant: Tenant): Promise<RestRepository[]>;
  find(tenant: Tenant, id: string): Promise<RestRepository>;
  /** What its index covers. Throws `not_indexed` without one. */
  summary(tenant: Tenant, id: string): Promise<FilesSummary>;
  /** Adds it and starts its first index. Throws `conflict` when it is there already. */
  add(request: ProductRequest, repository: NewRepository): Promise<RestRepository>;
  /** Fetches and indexes it again, in the background. While that runs already, nothing more is started. */
  index(request: ProductRequest, id: string): Promise<RestRepository>;
  /** Removes it with its index and its mirror. */
  remove(request: ProductRequest, id: string): Promise<void>;
}

/** What the REST routes offer, on the repositories of the caller's product. */
export function repositoryActions(
  context: Repositories,
  { startIndexing, coverageOf }: RepositoryHooks,
): RepositoryActions {
  return {
    acceptsFolders: context.policy.allowsFiles,
    list: async (tenant) => {
      const rows = await listRepositories(context, tenant);
      return Promise.all(rows.map((row) => toRestRepository(context, row)));
    },
    find: async (tenant, id) => toRestRepository(context, await findRepository(context, tenant, id)),
    summary: async (tenant, id) => summaryOf(await coverageOf(tenant, await findRepository(context, tenant, id))),
    add: async (request, { url, name, ref }) => {
      const named = { ...(name === undefined ? {} : { name }), ...(ref === undefined ? {} : { ref }) };
      const added = await addRepository(context, request, { source: url, ...named, actor: request.actor });
      await startIndexing(request, added.id);
      return toRestRepository(context, added);
    },
    index: async (request, id) => {
      const { id: found } = await findRepository(context, request, id);
      await setPending(context.db, request, found);
      await startIndexing(request, found);
      return toRestRepository(context, await findRepository(context, request, found));
    },
    remove: async (request, id) => {
      const { id: found } = await findRepository(context, request, id);
      await removeRepository(context, request, { id: found, actor: request.actor });
    },
  };
}

function summaryOf(coverage: IndexCoverage): FilesSummary {
  const { files, parsed, withSymbols, symbols, lines, languages, unparsed, failed } = coverage;
  return { files, parsed, with_symbols: withSymbols, symbols, lines, languages, unparsed, unparsed_files: failed };
}
