import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { folderLink } from '../code/links.ts';
import { Panel, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { CountBars, ShareBar } from '../components/share-bar.tsx';
import { formatCount, formatDate } from '../format.ts';
import { type IndexedRepository, type MonthOfCommits, monthQuery } from './queries.ts';

const MOST_AREAS = 5;
const UNCLASSIFIED = 'unclassified';

/** Changes of a month: commits by class, and by folder. */
export function Month({ repository }: { repository: IndexedRepository }) {
  const query = useQuery(monthQuery(repository));
  const month = query.data;
  return (
    <Section
      title={month?.isRecent === false ? 'The last active month' : 'The last 30 days'}
      lead={month === undefined || month === null ? 'What changed, and where.' : leadOf(month)}
      actions={
        month !== undefined &&
        month !== null && (
          <Link
            to="/history"
            search={{ repo: repository.name, view: 'commits', since: month.since }}
            className="text-sm text-accent hover:underline"
          >
            These commits
          </Link>
        )
      }
    >
      <QueryState query={query} what="commits" box="h-54" />
      {month === null && <p className="text-quiet">This repository has no history.</p>}
      {month !== undefined && month !== null && month.total === 0 && (
        <p className="text-quiet">No commit in this period.</p>
      )}
      {month !== undefined && month !== null && month.total > 0 && <Commits month={month} repository={repository} />}
    </Section>
  );
}

function leadOf({ since, until, total, isRecent }: MonthOfCommits): string {
  const commits = formatCount(total, 'commit');
  return isRecent
    ? `${commits} since ${formatDate(since)}.`
    : `${commits} from ${formatDate(since)} to ${formatDate(until)}.`;
}

function Commits({ month: { types, areas }, repository }: { month: MonthOfCommits; repository: IndexedRepository }) {
  return (
    <Panel className="px-4 py-3">
      <ShareBar
        label="Commits by class"
        parts={types
          // Unknown classes say least.
          .toSorted((a, b) => Number(a.name === UNCLASSIFIED) - Number(b.name === UNCLASSIFIED))
          .map(({ name, commits }) => ({ name: nameOf(name, commits), value: commits }))}
      />
      <h3 className="mt-4 mb-1 text-sm font-medium">Where</h3>
      <CountBars
        rows={areas.slice(0, MOST_AREAS).map(({ name, commits }) => ({
          key: name,
          name: <Area name={name} repository={repository} />,
          count: commits,
        }))}
      />
    </Panel>
  );
}

function Area({ name, repository }: { name: string; repository: IndexedRepository }) {
  // Commits over several folders are counted for none of them.
  if (!name.endsWith('/')) return <span className="text-quiet">{name === '(root)' ? 'Several folders' : name}</span>;
  return (
    <Link
      {...folderLink({ repo: repository.name, path: name.slice(0, -1) })}
      className="min-w-0 font-mono [overflow-wrap:anywhere] hover:text-accent hover:underline"
    >
      {name}
    </Link>
  );
}

function nameOf(type: string, commits: number): string {
  const [one, many] = TYPE_NAMES[type] ?? [type, type];
  return commits === 1 ? one : many;
}

const TYPE_NAMES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  feat: ['feature', 'features'],
  fix: ['fix', 'fixes'],
  perf: ['performance', 'performance'],
  docs: ['documentation', 'documentation'],
  test: ['test', 'tests'],
  style: ['formatting', 'formatting'],
  refactor: ['refactoring', 'refactorings'],
  chore: ['chore', 'chores'],
  revert: ['revert', 'reverts'],
  [UNCLASSIFIED]: ['not classified', 'not classified'],
};
