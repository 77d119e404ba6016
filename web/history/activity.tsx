import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { BarChart } from '../components/bar-chart.tsx';
import { PathLink } from '../components/entity-link.tsx';
import { EmptyState, Panel } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { CountBars } from '../components/share-bar.tsx';
import { formatCount } from '../format.ts';
import { monthBars } from './months.ts';
import { historyParameters, type HistoryParameters } from './parameters.ts';
import { type Activity, activityQuery } from './queries.ts';
import { Filters, PathField, PeriodField, type ViewProps } from './view-parts.tsx';

const SHOWN = 12;
/** The operation names so many groups, those of the most commits. */
const MOST_GROUPS = 100;

/** Commits over time, by class, author and folder. */
export function ActivityOverTime({ source, parameters, onChange }: ViewProps) {
  const { since, path } = parameters;
  const query = useQuery(activityQuery(source, { since, path }));
  return (
    <>
      <Filters>
        <PeriodField parameters={parameters} onChange={onChange} />
        <PathField parameters={parameters} onChange={onChange} />
      </Filters>
      <QueryState query={query} what="the activity" box="h-96" />
      {query.data?.total === 0 && (
        <EmptyState icon="history" title="No commit in this period">
          Choose a longer period, or another path.
        </EmptyState>
      )}
      {query.data !== undefined && query.data.total > 0 && (
        <>
          <Panel className="px-4 py-3">
            <BarChart bars={monthBars(query.data.month)} title="Commits per month" noun="commit" unit="month" />
            {query.data.month.length === MOST_GROUPS && (
              <p className="mt-2 text-sm text-quiet">The {MOST_GROUPS} months with the most commits are drawn.</p>
            )}
          </Panel>
          <Groups activity={query.data} parameters={parameters} id={source.id} />
        </>
      )}
    </>
  );
}

interface GroupsProps {
  activity: Activity;
  parameters: HistoryParameters;
  id: string;
}

/** The commits of the period by class, author and folder. */
function Groups({ activity, parameters: { since, path, repo }, id }: GroupsProps) {
  const commitsOf = (more: HistoryParameters): HistoryParameters =>
    historyParameters({ repo, view: 'commits', since, path, ...more });
  return (
    <div className="mt-6 grid gap-x-8 gap-y-6 lg:grid-cols-3">
      <Counts
        title="Class"
        groups={activity.type}
        nameOf={(name) => (
          <Link to="/history" search={commitsOf({ types: name })} className={LINK}>
            {name}
          </Link>
        )}
      />
      <Counts
        title="Author"
        groups={activity.author}
        nameOf={(name) => (
          <Link to="/history" search={commitsOf({ author: name })} className={LINK}>
            {name}
          </Link>
        )}
      />
      <Counts
        title="Folder"
        groups={activity.path}
        nameOf={(name) =>
          // Commits over several folders are counted for none of them.
          name.endsWith('/') ? (
            <PathLink repo={id} path={name.slice(0, -1)} className={LINK} />
          ) : (
            <span className="text-quiet">{name === '(root)' ? 'Several folders' : name}</span>
          )
        }
      />
    </div>
  );
}

const LINK = 'min-w-0 [overflow-wrap:anywhere] hover:text-accent hover:underline';

interface CountsProps {
  title: string;
  groups: readonly { name: string; commits: number }[];
  nameOf: (name: string) => ReactNode;
}

function Counts({ title, groups, nameOf }: CountsProps) {
  return (
    <section aria-label={title}>
      <h2 className="mb-2">{title}</h2>
      <CountBars
        rows={groups.slice(0, SHOWN).map(({ name, commits }) => ({ key: name, name: nameOf(name), count: commits }))}
      />
      {groups.length > SHOWN && (
        <p className="mt-1 text-sm text-quiet">and {formatCount(groups.length - SHOWN, 'more', 'more')}</p>
      )}
    </section>
  );
}
