import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SmellRow } from '../../src/code/outputs/outputs.ts';
import type { FileNames } from '../../src/code/source-bodies.ts';
import { PathLink } from '../components/entity-link.tsx';
import { Badge, OneLine } from '../components/inline.tsx';
import { Time } from '../components/time.tsx';
import { formatCount, formatShare } from '../format.ts';
import { commitsQuery, ownersQuery } from '../history/queries.ts';
import { themesQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import type { SourceAddress } from './address.ts';
import { SidePart } from './side-part.tsx';
import { smellText } from './smells.ts';
import { HandleList, Reasons } from './symbol-parts.tsx';
import { testsQuery } from './symbol-queries.ts';
import { themesAbout } from './themes-about.ts';

const SHOWN_COMMITS = 6;
const SHOWN_OWNERS = 3;
const SHOWN_TESTS = 8;
const SHOWN_SMELLS = 8;
const SHOWN_THEMES = 5;

interface FileSideProps {
  address: SourceAddress;
  names: FileNames | undefined;
  /** The worst first. */
  smells: readonly SmellRow[];
  /** At the commit that the index holds: of others it does not know who owns the file. */
  isNewest: boolean;
}

/** Facts about a file, beside it. */
export function FileSide({ address, names, smells, isNewest }: FileSideProps) {
  const { product } = useSession();
  const { repo, path } = address;
  return (
    <>
      <Outline address={address} names={names} />
      <Smells address={address} smells={smells} />
      {isNewest && <Owners address={address} />}
      <Commits address={address} />
      {isNewest && <Tests address={address} />}
      {isNewest && (
        <Reasons scope={{ product: product.id, repo, path }} kinds={['plan', 'decision']} title="Plans and decisions" />
      )}
      <Signals address={address} />
    </>
  );
}

function Outline({ address, names }: { address: SourceAddress; names: FileNames | undefined }) {
  if (names === undefined || names.defined.length === 0) return null;
  return (
    <SidePart title={formatCount(names.defined.length, 'symbol')}>
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
              repo={address.repo}
              commit={address.ref}
              path={address.path}
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
    </SidePart>
  );
}

/** The smells that the margin marks, in words. */
function Smells({ address: { repo, ref, path }, smells }: { address: SourceAddress; smells: readonly SmellRow[] }) {
  if (smells.length === 0) return null;
  return (
    <SidePart title="Complexity and smells">
      <ul className="px-3 py-1.5 text-sm">
        {smells.slice(0, SHOWN_SMELLS).map((smell) => (
          <li key={`${smell.line} ${smell.smell}`} className="py-0.5">
            <PathLink repo={repo} commit={ref} path={path} lines={{ from: smell.line, to: smell.end }}>
              {smellText(smell)}
            </PathLink>
            <span className="block truncate text-xs text-quiet">
              {smell.symbol === '' ? '' : `${smell.symbol}, `}
              {smell.line === smell.end ? `line ${smell.line}` : `lines ${smell.line} to ${smell.end}`}
            </span>
            {smell.other !== undefined && (
              <PathLink
                repo={repo}
                commit={ref}
                path={smell.other.path}
                lines={{ from: smell.other.line, to: smell.other.end }}
                className="block truncate text-xs text-quiet hover:text-accent hover:underline"
              >
                also {smell.other.path}:{smell.other.line}
              </PathLink>
            )}
          </li>
        ))}
      </ul>
      {smells.length > SHOWN_SMELLS && (
        <p className="px-3 pb-2 text-xs text-quiet">and {smells.length - SHOWN_SMELLS} more, marked in the source</p>
      )}
    </SidePart>
  );
}

/** Themes of what people said that are about the folder of the file. */
function Signals({ address: { repo, path } }: { address: Pick<SourceAddress, 'repo' | 'path'> }) {
  const { product } = useSession();
  const { data } = useQuery(themesQuery(product.id, { least: 1 }));
  const themes = themesAbout(data?.themes ?? [], { repo, path });
  if (themes.length === 0) return null;
  return (
    <SidePart title="Signals">
      <ul className="px-3 py-1.5 text-sm">
        {themes.slice(0, SHOWN_THEMES).map(({ id, label, signals, customers }) => (
          <li key={id} className="py-0.5">
            <Link to="/themes/$themeId" params={{ themeId: id }} className="hover:text-accent hover:underline">
              {label}
            </Link>
            <span className="block text-xs text-quiet">
              {formatCount(signals, 'signal')} of {formatCount(customers, 'customer')}
            </span>
          </li>
        ))}
      </ul>
      <p className="px-3 pb-2 text-xs text-quiet">Themes about this folder</p>
    </SidePart>
  );
}

function Owners({ address: { repo, path } }: { address: SourceAddress }) {
  const { product } = useSession();
  const { data } = useQuery(ownersQuery({ product: product.id, id: repo, commit: null }, path));
  if (data === undefined || data.owners.length === 0) return null;
  return (
    <SidePart title="Owners">
      <ul className="px-3 py-1.5 text-sm">
        {data.owners.slice(0, SHOWN_OWNERS).map(({ author, email, lines_pct: share }) => (
          <li key={email} className="flex justify-between gap-3 leading-6">
            <OneLine text={author} className="min-w-0" />
            <span className="text-quiet tabular-nums">{formatShare(share / 100)}</span>
          </li>
        ))}
      </ul>
      <p className="px-3 pb-2 text-xs">
        <Link to="/history" search={{ repo, view: 'owners', path }} className="text-accent hover:underline">
          Bus factor {data.bus_factor}
        </Link>
      </p>
    </SidePart>
  );
}

function Commits({ address: { repo, path } }: { address: SourceAddress }) {
  const { product } = useSession();
  const { data } = useInfiniteQuery(commitsQuery({ product: product.id, id: repo, commit: null }, { path }));
  const [page] = data?.pages ?? [];
  if (page === undefined || page.rows.length === 0) return null;
  return (
    <SidePart title="Commits">
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
            <span className="flex text-xs text-quiet">
              <OneLine text={author} className="min-w-0" />
              <span className="whitespace-nowrap">
                , <Time at={date} as="date" />
              </span>
            </span>
          </li>
        ))}
      </ul>
      <p className="px-3 pb-2 text-xs">
        <Link to="/history" search={{ repo, view: 'commits', path }} className="text-accent hover:underline">
          All {formatCount(page.total, 'commit')}
        </Link>
      </p>
    </SidePart>
  );
}

/** Test code that uses what the file defines. */
function Tests({ address: { repo, path } }: { address: SourceAddress }) {
  const { product } = useSession();
  const { data } = useQuery(testsQuery({ product: product.id, repo, path }));
  const files = new Map(data?.rows.map(({ from, relation }) => [from, relation]));
  if (data === undefined || files.size === 0) return null;
  return (
    <SidePart title="Tests">
      <HandleList repo={repo} handles={[...files].slice(0, SHOWN_TESTS)} />
      {files.size > SHOWN_TESTS && <p className="px-3 pb-2 text-xs text-quiet">and {files.size - SHOWN_TESTS} more</p>}
    </SidePart>
  );
}
