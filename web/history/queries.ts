import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
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

const PAGE = 50;
/** A changelog is copied as a whole more often than it is read page by page. */
const CHANGELOG_PAGE = 100;

/** The history of one repository, by id; `commit` is what the index holds, so that a new index is read again. */
export interface HistoryPlace {
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

function pages<Answer extends { next: string | null }>(place: HistoryPlace, view: string, filter: Filter) {
  const limit = view === 'changelog' ? CHANGELOG_PAGE : PAGE;
  return infiniteQueryOptions({
    queryKey: ['history', place, view, filter],
    queryFn: ({ pageParam }) =>
      get<Answer>(pathOf(place, `history/${view}`), { ...filter, product: place.product, limit, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export function hotspotsQuery(place: HistoryPlace, filter: Filter) {
  return pages<HotspotPage>(place, 'hotspots', filter);
}

export function couplingQuery(place: HistoryPlace, filter: Filter) {
  return pages<CouplingPage>(place, 'coupling', filter);
}

export function changelogQuery(place: HistoryPlace, filter: Filter) {
  return pages<ChangelogPage>(place, 'changelog', filter);
}

export function commitsQuery(place: HistoryPlace, filter: Filter) {
  return pages<CommitPage>(place, 'commits', filter);
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

export function activityQuery({ product, id, commit }: HistoryPlace, { since, path }: Filter) {
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

export function refsQuery(place: HistoryPlace) {
  return queryOptions({
    queryKey: ['history-refs', place],
    queryFn: () => get<HistoryRefs>(pathOf(place, 'history/refs'), { product: place.product }),
  });
}

export function fileNamesQuery(place: HistoryPlace, query: string) {
  return queryOptions({
    queryKey: ['history-files', place, query],
    queryFn: () => get<FileNames>(pathOf(place, 'history/files'), { product: place.product, query }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
}

export function ownersQuery(place: HistoryPlace, path: string) {
  return queryOptions({
    queryKey: ['history-owners', place, path],
    queryFn: () => get<FileOwners>(pathOf(place, 'history/owners'), { product: place.product, path }),
  });
}

/** Main owner and bus factor of every file. */
export function ownershipQuery(place: HistoryPlace) {
  return queryOptions({
    queryKey: ['history-ownership', place],
    queryFn: () => get<OwnershipMap>(pathOf(place, 'history/ownership'), { product: place.product }),
  });
}

/** Who wrote the lines of a file last, at the commit that the index holds. */
export function blameQuery(place: HistoryPlace, path: string) {
  return queryOptions({
    queryKey: ['history-blame', place, path],
    queryFn: () => get<FileBlame>(pathOf(place, 'history/blame'), { product: place.product, path }),
  });
}

export function commitQuery({ product, id }: Omit<HistoryPlace, 'commit'>, sha: string) {
  return queryOptions({
    queryKey: ['commit', product, id, sha],
    queryFn: () =>
      get<CommitDetail>(`repositories/${encodeURIComponent(id)}/commits/${encodeURIComponent(sha)}`, { product }),
  });
}

function pathOf({ id }: HistoryPlace, page: string): string {
  return `repositories/${encodeURIComponent(id)}/${page}`;
}
