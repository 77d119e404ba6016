import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FileOwners } from '../../src/commits/history-bodies.ts';
import { buttonClass } from '../components/button.tsx';
import { PathLink } from '../components/entity-link.tsx';
import { OneLine } from '../components/inline.tsx';
import { Section, Tile, Tiles } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Table, Cell, NumberCell, RowHeader } from '../components/table.tsx';
import { formatCount, formatNumber, formatShare } from '../format.ts';
import { type HistorySource, ownersQuery } from './queries.ts';

/** Returns the author of most lines; of most recent commits where lines are unknown. */
function mainOwner(owners: FileOwners['owners']): FileOwners['owners'][number] | undefined {
  const [most] = owners.toSorted((a, b) => b.lines - a.lines || b.commits_decayed_pct - a.commits_decayed_pct);
  return most;
}

/** Owners of one file. */
export function OwnersOf({ source, path, repo }: { source: HistorySource; path: string; repo: string | undefined }) {
  const { data, ...query } = useQuery(ownersQuery(source, path));
  if (data === undefined) return <QueryState query={query} what="its owners" box="h-64" />;
  const main = mainOwner(data.owners);
  return (
    <Section
      title={path}
      lead={data.notes.join(' ')}
      actions={
        <PathLink repo={source.id} path={path} className={buttonClass()}>
          Open file
        </PathLink>
      }
    >
      <Tiles>
        <Tile name="Bus factor" value={formatNumber(data.bus_factor)}>
          {formatCount(data.bus_factor, 'person', 'people')} wrote more than half
        </Tile>
        <Tile name="Main author" value={main?.author ?? 'Nobody'}>
          {main !== undefined && `${formatShare(main.lines_pct / 100)} of the lines`}
        </Tile>
        <Tile name="Likely next" value={data.likely_next[0]?.author ?? 'Nobody'}>
          {data.likely_next
            .slice(1, 3)
            .map(({ author }) => author)
            .join(', ')}
        </Tile>
        <Tile name="Reviewers" value={formatNumber(data.reviewers.length)}>
          {data.reviewers
            .slice(0, 2)
            .map(({ reviewer }) => reviewer)
            .join(', ')}
        </Tile>
      </Tiles>
      <Codeowners rule={data.codeowners} />
      <div className="mt-4">
        <OwnerTable owners={data.owners} repo={repo} />
      </div>
    </Section>
  );
}

function Codeowners({ rule }: { rule: FileOwners['codeowners'] }) {
  if (rule === null) return <p className="mt-3 text-quiet">No line of CODEOWNERS covers this file.</p>;
  const { owners, file, line, agrees } = rule;
  const verdict = {
    true: 'The history agrees.',
    false: 'The history disagrees.',
    null: 'Teams and accounts cannot be compared.',
  };
  return (
    <p className={agrees === false ? 'mt-3 text-warn [overflow-wrap:anywhere]' : 'mt-3 [overflow-wrap:anywhere]'}>
      {file}, line {line}: {owners.length === 0 ? 'nobody' : owners.join(', ')}. {verdict[`${agrees}`]}
    </p>
  );
}

function OwnerTable({ owners, repo }: { owners: FileOwners['owners']; repo: string | undefined }) {
  return (
    <Table
      caption="Owners, by lines and recent commits"
      columns={[
        'Person',
        ['Lines', 'text-right'],
        ['Share', 'text-right'],
        ['Commits', 'text-right'],
        ['Recent share', 'text-right'],
        'Last',
      ]}
    >
      {owners.map((owner) => (
        <tr key={owner.email}>
          <RowHeader className="font-normal">
            <Link
              to="/history"
              search={{ ...(repo !== undefined && { repo }), view: 'commits', author: owner.email }}
              className="font-medium hover:text-accent hover:underline"
            >
              {owner.author}
            </Link>
            <span className="block max-w-64 text-sm text-quiet max-sm:max-w-44">
              <OneLine text={owner.email} />
            </span>
          </RowHeader>
          <NumberCell>{formatNumber(owner.lines)}</NumberCell>
          <NumberCell className="font-medium">{formatShare(owner.lines_pct / 100)}</NumberCell>
          <NumberCell>{formatNumber(owner.commits)}</NumberCell>
          <NumberCell>{formatShare(owner.commits_decayed_pct / 100)}</NumberCell>
          <Cell className="whitespace-nowrap text-quiet">{owner.last}</Cell>
        </tr>
      ))}
    </Table>
  );
}
