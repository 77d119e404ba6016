import type { Content, FileNames } from '../../src/code/source-bodies.ts';
import { readQuery } from '../queries.ts';
import type { SourceAddress } from './address.ts';

/** Time for which an answer is fresh. The content of a commit never changes: it is read once while it is shown. */
function freshFor(ref: string): number {
  return /^[0-9a-f]{12,64}$/.test(ref) ? Infinity : 0;
}

export function contentQuery(product: string, address: SourceAddress) {
  return readAt<Content>(product, 'content', address);
}

export function namesQuery(product: string, address: SourceAddress) {
  return readAt<FileNames>(product, 'names', address);
}

function readAt<Answer>(product: string, part: string, { repo, ref, path }: SourceAddress) {
  const route = `repositories/${encodeURIComponent(repo)}/${part}`;
  return readQuery<Answer>('code', route, { product, ref, path }, { staleTime: freshFor(ref) });
}
