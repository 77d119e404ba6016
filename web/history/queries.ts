import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  ChangelogPage,
  CommitDetail,
  CommitPage,
  CouplingPage,
  FileBlame,
  FileNames,
  FileOwners,
  HistoryRefs,
  HotspotPage,
  OwnershipMap,
} from '../../src/commits/history-bodies.ts';
import type { COMMIT_OUTPUTS } from '../../src/commits/outputs/outputs.ts';
import { callTool } from '../api.ts';
import { readQuery, readPages, type ToolAnswer } from '../queries.ts';

const PAGE = 50;
/** A changelog is copied as a whole more often than it is read page by page. */
const CHANGELOG_PAGE = 100;

/** The history of one repository, by id; `commit` is what the index holds, so that a new index is read again. */
export interface HistorySource {
  product: string;
  id: string;
  commit: string | null;
}

interface Filter {
  since?: string | undefined;
  until?: string | undefined;
  path?: string | undefined;
  query?: string | undefined;
  author?: string | undefined;
  types?: string | undefined;
}

function pages<Answer extends { next: string | null }>(source: HistorySource, view: string, filter: Filter) {
  const limit = view === 'changelog' ? CHANGELOG_PAGE : PAGE;
  const parameters = { ...filter, product: source.product, limit };
  return readPages<Answer>('history', pathOf(source, `history/${view}`), parameters, { of: source.commit });
}

export function hotspotsQuery(source: HistorySource, filter: Filter) {
  return pages<HotspotPage>(source, 'hotspots', filter);
}

export function couplingQuery(source: HistorySource, filter: Filter) {
  return pages<CouplingPage>(source, 'coupling', filter);
}

export function changelogQuery(source: HistorySource, filter: Filter) {
  return pages<ChangelogPage>(source, 'changelog', filter);
}

export function commitsQuery(source: HistorySource, filter: Filter) {
  return pages<CommitPage>(source, 'commits', filter);
}

type Classified = ToolAnswer<(typeof COMMIT_OUTPUTS)['classify']>;

/** Commits by month, class, author and folder: each at most 100 groups, the largest first. */
export interface Activity extends Record<'month' | 'type' | 'author' | 'path', Classified['groups']> {
  total: number;
}

export function activityQuery({ product, id, commit }: HistorySource, { since, path }: Filter) {
  return queryOptions({
    queryKey: ['history', product, id, commit, 'activity', since, path],
    queryFn: async ({ signal }): Promise<Activity> => {
      const by = (group: string): Promise<Classified> =>
        callTool<Classified>(
          { product, name: 'commit-tool', signal },
          {
            action: 'classify',
            repo: id,
            group_by: group,
            limit: 1,
            ...(since !== undefined && { since }),
            ...(path !== undefined && { path }),
          },
        );
      const [month, type, author, folder] = await Promise.all(['month', 'type', 'author', 'path'].map(by));
      return {
        total: month?.total ?? 0,
        month: month?.groups ?? [],
        type: type?.groups ?? [],
        author: author?.groups ?? [],
        path: folder?.groups ?? [],
      };
    },
    placeholderData: keepPreviousData,
  });
}

export function refsQuery(source: HistorySource) {
  return readAbout<HistoryRefs>(source, 'history/refs');
}

export function fileNamesQuery(source: HistorySource, query: string) {
  return readAbout<FileNames>(source, 'history/files', { query }, { enabled: query !== '', keeps: true });
}

export function ownersQuery(source: HistorySource, path: string) {
  return readAbout<FileOwners>(source, 'history/owners', { path });
}

/** Main owner and bus factor of every file. */
export function ownershipQuery(source: HistorySource) {
  return readAbout<OwnershipMap>(source, 'history/ownership');
}

/** Reads the last author of each line of a file, at the indexed commit. */
export function blameQuery(source: HistorySource, path: string) {
  return readAbout<FileBlame>(source, 'history/blame', { path });
}

export function commitQuery({ product, id }: Omit<HistorySource, 'commit'>, sha: string) {
  const path = `repositories/${encodeURIComponent(id)}/commits/${encodeURIComponent(sha)}`;
  return readQuery<CommitDetail>('history', path, { product });
}

/** Reads an answer about the history of a repository, again when another commit of it is indexed. */
function readAbout<Answer>(
  source: HistorySource,
  page: string,
  parameters: { path?: string; query?: string } = {},
  options: { enabled?: boolean; keeps?: boolean } = {},
) {
  const { product, commit } = source;
  return readQuery<Answer>('history', pathOf(source, page), { ...parameters, product }, { ...options, of: commit });
}

function pathOf({ id }: HistorySource, page: string): string {
  return `repositories/${encodeURIComponent(id)}/${page}`;
}
