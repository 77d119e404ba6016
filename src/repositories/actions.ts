import type { Repositories } from './context.ts';
import {
  addRepository,
  findRepository,
  listRepositories,
  type ProductScope,
  removeRepository,
  requestIndexing,
  toRestRepository,
} from './repositories.ts';
import type { RepositoryActions } from './routes.ts';

/** Puts an index run of a repository into the queue; while one waits, nothing is added. */
export type StartIndexing = (scope: ProductScope, id: string) => Promise<void>;

/** What the REST routes offer, on the repositories of the caller's product. */
export function repositoryActions(context: Repositories, startIndexing: StartIndexing): RepositoryActions {
  return {
    list: async (request) => {
      const rows = await listRepositories(context, request);
      return Promise.all(rows.map((row) => toRestRepository(context, row)));
    },
    find: async (request, id) => toRestRepository(context, await findRepository(context, request, id)),
    add: async (request, { url, name, ref }) => {
      const named = { ...(name === undefined ? {} : { name }), ...(ref === undefined ? {} : { ref }) };
      const added = await addRepository(context, request, { source: url, ...named, actor: request.actor });
      await startIndexing(request, added.id);
      return toRestRepository(context, added);
    },
    index: async (request, id) => {
      const { id: found } = await findRepository(context, request, id);
      await requestIndexing(context, request, found);
      await startIndexing(request, found);
      return toRestRepository(context, await findRepository(context, request, found));
    },
    remove: async (request, id) => {
      const { id: found } = await findRepository(context, request, id);
      await removeRepository(context, request, { id: found, actor: request.actor });
    },
  };
}
