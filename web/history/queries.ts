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
import { callTool, get } from '../api.ts';
import { readQuery, readPages } from '../queries.ts';

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
  return readPages<Answer>(['history', source, view, filter], pathOf(source, `history/${view}`), {
    ...filter,
    product: source.product,
    limit,
  });
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

interface Groups {
  total: number;
  groups: { name: string; commits: number }[];
}

/** Commits by month, class, author and folder: each at most 100 groups, the largest first. */
export interface Activity {
  total: number;
  month: Groups['groups'];
  type: Groups['groups'];
  author: Groups['groups'];
  path: Groups['groups'];
}

export function activityQuery({ product, id, commit }: HistorySource, { since, path }: Filter) {
  return queryOptions({
    queryKey: ['activity', product, id, commit, since, path],
    queryFn: async ({ signal }): Promise<Activity> => {
      const by = (group: string): Promise<Groups> =>
        callTool<Groups>(
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
  return readQuery<HistoryRefs>(['history-refs', source], pathOf(source, 'history/refs'), { product: source.product });
}

export function fileNamesQuery(source: HistorySource, query: string) {
  return queryOptions({
    queryKey: ['history-files', source, query],
    queryFn: () => get<FileNames>(pathOf(source, 'history/files'), { product: source.product, query }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
}

export function ownersQuery(source: HistorySource, path: string) {
  return readQuery<FileOwners>(['history-owners', source, path], pathOf(source, 'history/owners'), {
    product: source.product,
    path,
  });
}

/** Main owner and bus factor of every file. */
export function ownershipQuery(source: HistorySource) {
  return readQuery<OwnershipMap>(['history-ownership', source], pathOf(source, 'history/ownership'), {
    product: source.product,
  });
}

/** Reads the last author of each line of a file, at the indexed commit. */
export function blameQuery(source: HistorySource, path: string) {
  return readQuery<FileBlame>(['history-blame', source, path], pathOf(source, 'history/blame'), {
    product: source.product,
    path,
  });
}

export function commitQuery({ product, id }: Omit<HistorySource, 'commit'>, sha: string) {
  return readQuery<CommitDetail>(
    ['commit', product, id, sha],
    `repositories/${encodeURIComponent(id)}/commits/${encodeURIComponent(sha)}`,
    { product },
  );
}

function pathOf({ id }: HistorySource, page: string): string {
  return `repositories/${encodeURIComponent(id)}/${page}`;
}
