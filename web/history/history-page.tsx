import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, linkOptions, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { RestRepository as Repository } from '../../src/repositories/repository-bodies.ts';
import { buttonClass } from '../components/button.tsx';
import { SelectField } from '../components/field.tsx';
import { EmptyState, Page } from '../components/page.tsx';
import { SkeletonBox, QueryState } from '../components/query-state.tsx';
import { ViewLinks } from '../components/view-links.tsx';
import { repositoriesQuery } from '../queries.ts';
import { OtherShown } from '../repositories/other-shown.tsx';
import { useSession } from '../session.tsx';
import { ActivityOverTime } from './activity.tsx';
import { Changelog } from './changelog.tsx';
import { Commits } from './commits.tsx';
import { ChangeTogether } from './coupling.tsx';
import { Hotspots } from './hotspots.tsx';
import { Owners } from './owners.tsx';
import { type ChangeHistory, historyParameters, type HistoryParameters } from './parameters.ts';
import type { ViewProps } from './view-parts.tsx';

const Compare = lazy(async () => ({ default: (await import('./compare.tsx')).Compare }));
const route = getRouteApi('/shell/history');

/** The views of the history page, in the order in which they stand. */
const VIEWS = [
  { view: '', name: 'Hotspots' },
  { view: 'activity', name: 'Activity' },
  { view: 'together', name: 'Change together' },
  { view: 'changelog', name: 'Changelog' },
  { view: 'compare', name: 'Compare' },
  { view: 'owners', name: 'Owners' },
  { view: 'commits', name: 'Commits' },
] as const;

export function HistoryPage() {
  const { product } = useSession();
  const query = useQuery(repositoriesQuery(product.id));
  const indexed = query.data?.repositories.filter(({ commit }) => commit !== null);
  return (
    <Page title="History" lead="Where the code changes, who knows it, and what came with each version.">
      <QueryState query={query} what="repositories" box="h-80" />
      {indexed?.length === 0 && (
        <EmptyState
          icon="history"
          title="No history yet"
          action={
            <Link to="/repositories" className={buttonClass()}>
              Repositories
            </Link>
          }
        >
          The history of a repository is indexed together with its code. Add a repository, or wait until the first index
          is ready.
        </EmptyState>
      )}
      {indexed !== undefined && indexed.length > 0 && (
        <Histories repositories={indexed} all={query.data?.repositories ?? []} />
      )}
    </Page>
  );
}

function Histories({ repositories, all }: Record<'repositories' | 'all', readonly Repository[]>) {
  const { product } = useSession();
  const parameters = route.useSearch();
  const navigate = useNavigate();
  // The address is the state: what is in it can be sent to somebody, and Back leads to the view before. It is the one of now, not
  // of the page as it was last drawn: a choice before that is in it already.
  const change: ChangeHistory = (changed, { replace } = { replace: false }) =>
    void navigate({ to: '/history', search: (now) => historyParameters({ ...now, ...changed }), replace });
  const { repo } = parameters;
  const repository = repositories.find(({ id, name }) => id === repo || name === repo) ?? repositories[0];
  if (repository === undefined) return null;
  return (
    <>
      <OtherShown repo={repo} repositories={all} shown={repository.name} />
      {repositories.length > 1 && (
        <div className="mb-4 max-w-sm">
          <SelectField
            label="Repository"
            value={repository.name}
            choices={repositories.map(({ name }) => ({ value: name, label: name }))}
            // Paths and tags of another repository mean nothing in this one.
            onChoose={(name) => void navigate({ to: '/history', search: viewOf(parameters.view, name) })}
          />
        </div>
      )}
      <Views parameters={parameters} />
      <View
        key={`${repository.id} ${parameters.view}`}
        source={{ product: product.id, id: repository.id, commit: repository.commit }}
        parameters={parameters}
        onChange={change}
      />
    </>
  );
}

function viewOf(view: string | undefined, repo: string | undefined): HistoryParameters {
  return historyParameters({ view, repo });
}

/** An address of an older version, or one that was mistyped, shows the first view. */
function shownView(view: string | undefined): string {
  return VIEWS.find((candidate) => candidate.view === view)?.view ?? '';
}

function Views({ parameters }: { parameters: HistoryParameters }) {
  const views = VIEWS.map(({ view, name }) => ({
    name,
    isShown: shownView(parameters.view) === view,
    link: linkOptions({ to: '/history', search: viewOf(view, parameters.repo) }),
  }));
  return <ViewLinks label="Views of the history" views={views} />;
}

function View(props: ViewProps) {
  switch (props.parameters.view) {
    case 'activity':
      return <ActivityOverTime {...props} />;
    case 'together':
      return <ChangeTogether {...props} />;
    case 'changelog':
      return <Changelog {...props} />;
    case 'compare':
      return (
        <Suspense fallback={<SkeletonBox label="Loading the comparison" className="h-64" />}>
          <Compare {...props} />
        </Suspense>
      );
    case 'owners':
      return <Owners {...props} />;
    case 'commits':
      return <Commits {...props} />;
    default:
      return <Hotspots {...props} />;
  }
}
