import { queryOptions } from '@tanstack/react-query';
import type { Content, FileNames } from '../../src/code/source-bodies.ts';
import { get } from '../api.ts';
import type { SourceAddress } from './address.ts';

/** Time for which an answer is fresh. The content of a commit never changes: it is read once while it is shown. */
function freshFor(ref: string): number {
  return /^[0-9a-f]{12,64}$/.test(ref) ? Infinity : 0;
}

export function contentQuery(product: string, { repo, ref, path }: SourceAddress) {
  return queryOptions({
    queryKey: ['content', product, repo, ref, path],
    queryFn: () => get<Content>(`repositories/${encodeURIComponent(repo)}/content`, { product, ref, path }),
    staleTime: freshFor(ref),
  });
}

export function namesQuery(product: string, { repo, ref, path }: SourceAddress) {
  return queryOptions({
    queryKey: ['names', product, repo, ref, path],
    queryFn: () => get<FileNames>(`repositories/${encodeURIComponent(repo)}/names`, { product, ref, path }),
    staleTime: freshFor(ref),
  });
}
