import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FileNames } from '../../src/code/source-bodies.ts';
import { Badge } from '../components/badge.tsx';
import { PathLink } from '../components/path-link.tsx';
import { Time } from '../components/time.tsx';
import { formatCount, formatShare } from '../format.ts';
import { commitsQuery, ownersQuery } from '../history/queries.ts';
import { useSession } from '../session.tsx';
import type { SourceAddress } from './address.ts';

const SHOWN_COMMITS = 6;
const SHOWN_OWNERS = 3;

/** What is known about a file, beside it. */
export function FileSide({ address, names }: { address: SourceAddress; names: FileNames | undefined }) {
  return (
    <>
      <Outline address={address} names={names} />
      <Owners address={address} />
      <Commits address={address} />
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-panel">
      <h2 className="border-b border-line px-3 py-1.5 text-sm">{title}</h2>
      {children}
    </section>
  );
}

function Outline({ address, names }: { address: SourceAddress; names: FileNames | undefined }) {
  if (names === undefined || names.defined.length === 0) return null;
  return (
    <Part title={formatCount(names.defined.length, 'symbol')}>
      <ul
        tabIndex={0}
        aria-label="Symbols of this file"
        className="max-h-[46vh] overflow-y-auto py-1 -outline-offset-2"
      >
        {names.defined.map(({ id, name, kind, line, end, depth, refs }, index) => (
          <li
            key={`${id} ${index}`}
            className="flex items-center gap-2 pr-3 text-sm leading-6"
            style={{ paddingLeft: `${12 + Math.min(depth, 5) * 14}px` }}
          >
            <PathLink
              {...address}
              commit={address.ref}
              lines={{ from: line, to: end }}
              className="min-w-0 grow truncate hover:text-accent hover:underline"
            >
              {name}
            </PathLink>
            <span className="text-xs whitespace-nowrap text-quiet">{kind.replace('_', ' ')}</span>
            {refs > 0 && <Badge>{refs}</Badge>}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Owners({ address: { repo, path } }: { address: SourceAddress }) {
  const { product } = useSession();
  const { data } = useQuery(ownersQuery({ product: product.id, id: repo, commit: null }, path));
  if (data === undefined || data.owners.length === 0) return null;
  return (
    <Part title="Owners">
      <ul className="px-3 py-1.5 text-sm">
        {data.owners.slice(0, SHOWN_OWNERS).map(({ author, email, lines_pct: share }) => (
          <li key={email} className="flex justify-between gap-3 leading-6">
            <span className="truncate">{author}</span>
            <span className="text-quiet tabular-nums">{formatShare(share / 100)}</span>
          </li>
        ))}
      </ul>
      <p className="px-3 pb-2 text-xs">
        <Link to="/history" search={{ repo, view: 'owners', path }} className="text-accent hover:underline">
          Bus factor {data.bus_factor}
        </Link>
      </p>
    </Part>
  );
}

function Commits({ address: { repo, path } }: { address: SourceAddress }) {
  const { product } = useSession();
  const { data } = useInfiniteQuery(commitsQuery({ product: product.id, id: repo, commit: null }, { path }));
  const [page] = data?.pages ?? [];
  if (page === undefined || page.rows.length === 0) return null;
  return (
    <Part title="Commits">
      <ul className="px-3 py-1.5 text-sm">
        {page.rows.slice(0, SHOWN_COMMITS).map(({ sha, subject, date, author }) => (
          <li key={sha} className="py-0.5">
            <Link
              to="/history/$repositoryId/commits/$sha"
              params={{ repositoryId: repo, sha }}
              className="line-clamp-2 hover:text-accent hover:underline"
            >
              {subject}
            </Link>
            <span className="block truncate text-xs text-quiet">
              {author}, <Time at={date} as="date" />
            </span>
          </li>
        ))}
      </ul>
      <p className="px-3 pb-2 text-xs">
        <Link to="/history" search={{ repo, view: 'commits', path }} className="text-accent hover:underline">
          All {formatCount(page.total, 'commit')}
        </Link>
      </p>
    </Part>
  );
}
