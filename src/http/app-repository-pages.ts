import {
  findRepository,
  getRepository,
  listRepositories,
  type Repositories,
  type Repository,
  toRestRepository,
} from '../repositories/repositories.ts';
import type { RepositoryActions } from '../repositories/routes.ts';
import type { FilesSummary, Repository as RepositoryBody } from './app-api.ts';
import type { RepositoryPages } from './app-repository-routes.ts';

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

type Scope = Parameters<RepositoryActions['list']>[0];

/** Repositories as pages show them: what REST answers, with what only pages need beside it. */
export function repositoryPages(
  context: Repositories,
  actions: RepositoryActions,
  coverageOf: (scope: Scope, repository: Repository) => Promise<IndexCoverage>,
): RepositoryPages {
  const shown = async (scope: Scope, id: string): Promise<RepositoryBody> =>
    pageBody(context, await getRepository(context, scope, id));
  return {
    acceptsFolders: context.policy.allowsFiles,
    list: async (scope) => {
      const rows = await listRepositories(context, scope);
      return Promise.all(rows.map((row) => pageBody(context, row)));
    },
    find: async (scope, id) => pageBody(context, await findRepository(context, scope, id)),
    add: async (scope, wanted) => shown(scope, (await actions.add(scope, wanted)).id),
    index: async (scope, id) => shown(scope, (await actions.index(scope, id)).id),
    remove: (scope, id) => actions.remove(scope, id),
    summary: async (scope, id) => summaryBody(await coverageOf(scope, await findRepository(context, scope, id))),
  };
}

async function pageBody(context: Repositories, row: Repository): Promise<RepositoryBody> {
  const { last_run: _, ...rest } = await toRestRepository(context, row);
  return rest;
}

function summaryBody(coverage: IndexCoverage): FilesSummary {
  const { files, parsed, withSymbols, symbols, lines, languages, unparsed, failed } = coverage;
  return { files, parsed, with_symbols: withSymbols, symbols, lines, languages, unparsed, unparsed_files: failed };
}
