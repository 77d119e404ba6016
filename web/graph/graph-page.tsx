import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, linkOptions, useNavigate } from '@tanstack/react-router';
import { buttonClass } from '../components/button.tsx';
import { EmptyState, Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { ViewLinks } from '../components/view-links.tsx';
import { repositoriesQuery } from '../queries.ts';
import { useSession } from '../session.tsx';
import { FeatureMatrix } from './feature-matrix.tsx';
import { Neighbours } from './neighbours.tsx';
import { type ChangeGraph, graphParameters, type GraphParameters } from './parameters.ts';
import { PathFinder } from './path-finder.tsx';
import { ServiceMap } from './service-map.tsx';
import type { GraphViewProps } from './view-parts.tsx';

const route = getRouteApi('/shell/graph');

/** The views of the graph page, in the order in which they stand. */
const VIEWS = [
  { view: '', name: 'Neighbours' },
  { view: 'path', name: 'Path' },
  { view: 'features', name: 'Features and layers' },
  { view: 'services', name: 'Services' },
] as const;

/** Connections of code, tests, plans, decisions and customers' requests. */
export function GraphPage() {
  const { product } = useSession();
  const query = useQuery(repositoriesQuery(product.id));
  const [first] = query.data?.repositories.filter(({ commit }) => commit !== null) ?? [];
  const parameters = route.useSearch();
  const navigate = useNavigate();
  // The address is the state: what is in it can be sent to somebody, and Back leads to the view before.
  const change: ChangeGraph = (changed) =>
    void navigate({ to: '/graph', search: (now) => graphParameters({ ...now, ...changed }) });
  return (
    <div data-wide>
      <Page
        title="Graph"
        lead="How code, tests, plans, decisions and what customers ask for are linked. Agents get the same answers."
      >
        <QueryState query={query} what="repositories" box="h-96" />
        {query.data !== undefined && first === undefined && (
          <EmptyState
            icon="link"
            title="No graph yet"
            action={
              <Link to="/repositories" className={buttonClass()}>
                Repositories
              </Link>
            }
          >
            The graph is made of the index of a repository. Add one, or wait until the first index is ready.
          </EmptyState>
        )}
        {first !== undefined && (
          <>
            <Views parameters={parameters} />
            <View parameters={parameters} onChange={change} repo={first.name} />
          </>
        )}
      </Page>
    </div>
  );
}

function Views({ parameters: { view: shown = '', entity } }: { parameters: GraphParameters }) {
  const views = VIEWS.map(({ view, name }) => ({
    name,
    isShown: shown === view,
    link: linkOptions({ to: '/graph', search: graphParameters({ view, entity }) }),
  }));
  return <ViewLinks label="Views of the graph" views={views} />;
}

function View(props: GraphViewProps) {
  switch (props.parameters.view) {
    case 'path':
      return <PathFinder {...props} />;
    case 'features':
      return <FeatureMatrix {...props} />;
    case 'services':
      return <ServiceMap />;
    default:
      return <Neighbours {...props} />;
  }
}
