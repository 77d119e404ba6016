import { queryOptions } from '@tanstack/react-query';
import type { z } from '@hono/zod-openapi';
import type { CommitPage, HotspotPage } from '../../src/commits/history-bodies.ts';
import type { CODE_OUTPUTS } from '../../src/code/outputs/outputs.ts';
import type { COMMIT_OUTPUTS } from '../../src/commits/outputs/outputs.ts';
import type * as vectors from '../../src/knowledge/vectors/routes.ts';
import { callTool, get } from '../api.ts';
import { type ToolAnswer, toolQuery } from '../queries.ts';
import type { FolderUses } from './folder-levels.ts';

const DAY_MS = 86_400_000;
const MONTH_MS = 30 * DAY_MS;
/** A history that ended longer ago is shown by its own last month. */
const RESTING_MS = 7 * DAY_MS;
/** Documents and lists grow with every change and are no risk: what is shown has code in it. */
const LOOKED_AT = 12;
const SHOWN_HOTSPOTS = 3;
const ENCODING_MS = 10_000;
const MOST_FOLDERS = 60;

/** An indexed repository; `commit` is what the index holds, so that a new one is read again. */
export interface IndexedRepository {
  product: string;
  id: string;
  name: string;
  commit: string;
}

/** The worst files that hold code with decisions in it, of twelve months. */
export function worstFilesQuery(repository: IndexedRepository) {
  return queryOptions({
    queryKey: ['overview', repository, 'hotspots'],
    queryFn: async ({ signal }) => {
      const query = { product: repository.product, limit: LOOKED_AT };
      const page = await get<HotspotPage>(`${pathOf(repository)}/history/hotspots`, query, signal);
      return page.rows.filter(({ complexity }) => complexity > 0).slice(0, SHOWN_HOTSPOTS);
    },
  });
}

/** Reads the number of texts that are not yet searchable by meaning, repeatedly until none is left. */
export function encodingQuery(product: string) {
  return queryOptions({
    queryKey: ['encoding', product],
    queryFn: () => get<EncodingProgress>('vectors', { product }),
    refetchInterval: (query) => ((query.state.data?.pending ?? 0) > 0 ? ENCODING_MS : false),
  });
}

type EncodingProgress = z.output<typeof vectors.Progress>;

type Classified = ToolAnswer<(typeof COMMIT_OUTPUTS)['classify']>;

/** Commits of a month, by class and folder. */
export interface MonthOfCommits {
  /** Days such as `2026-11-21`. */
  since: string;
  until: string;
  /** The month ends today, not with the newest commit. */
  isRecent: boolean;
  total: number;
  types: Classified['groups'];
  areas: Classified['groups'];
}

/** The last 30 days, or those before the newest commit of a history that rests. Undefined where there is no history. */
export function monthQuery(repository: IndexedRepository) {
  return queryOptions({
    queryKey: ['overview', repository, 'month'],
    queryFn: async ({ signal }): Promise<MonthOfCommits | null> => {
      const { product, name } = repository;
      const query = { product, limit: 1 };
      const newest = await get<CommitPage>(`${pathOf(repository)}/history/commits`, query, signal);
      const last = newest.rows[0]?.date;
      if (last === undefined) return null;
      const isRecent = Date.now() - Date.parse(last) < RESTING_MS;
      const end = isRecent ? Date.now() : Date.parse(last);
      const since = dayOf(end - MONTH_MS);
      const group = (by: string): Promise<Classified> =>
        callTool<Classified>(
          { product, name: 'commit-tool', signal },
          { action: 'classify', repo: name, since, group_by: by, limit: 1 },
        );
      const [types, areas] = await Promise.all([group('type'), group('path')]);
      return { since, until: dayOf(end), isRecent, total: types.total, types: types.groups, areas: areas.groups };
    },
  });
}

/** Folders of the code and what they use; of most repositories all that there are. */
export function foldersQuery(repository: IndexedRepository) {
  return queryOptions({
    queryKey: ['overview', repository, 'folders'],
    queryFn: async ({ signal }): Promise<FolderUses[]> => {
      const { rows } = await callTool<z.output<(typeof CODE_OUTPUTS)['map']>>(
        { product: repository.product, name: 'code-tool', signal },
        { action: 'map', repo: repository.name, tests: 'exclude', limit: MOST_FOLDERS },
      );
      // The output leaves open what the uses of a row are: a folder's are folders.
      return rows.flatMap(({ part, path, files, uses }) =>
        part === 'layers' && path !== undefined
          ? [{ path, files: files ?? 0, uses: (uses ?? []) as FolderUses['uses'] }]
          : [],
      );
    },
  });
}

/** Reads the number of commits since a moment, over all repositories. */
export function newCommitsQuery(product: string, since: string | undefined) {
  const given = { action: 'search', repo: '*', since, limit: 1 };
  return toolQuery<{ total: number }>('overview', { product, name: 'commit-tool' }, given, {
    enabled: since !== undefined,
  });
}

function pathOf({ id }: IndexedRepository): string {
  return `repositories/${encodeURIComponent(id)}`;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
