import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAction, useChanges } from '../action.ts';
import { post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Badge } from '../components/inline.tsx';
import { Page, LoadedPage } from '../components/page.tsx';
import { Problem, QueryState, type QueryStateProps } from '../components/query-state.tsx';
import { Table, Cell } from '../components/table.tsx';
import { PageTabs } from '../components/tabs.tsx';
import { Time } from '../components/time.tsx';
import { formatCount } from '../format.ts';
import { useSession } from '../session.tsx';
import { ChangeList } from './change-list.tsx';
import { CompareCaptures } from './compare-captures.tsx';
import { PageTable } from './page-table.tsx';
import { PriceTable } from './price-chart.tsx';
import {
  changesQuery,
  type Check,
  type Competitor,
  competitorQuery,
  type Feature,
  featuresQuery,
  pricesQuery,
} from './queries.ts';

const route = getRouteApi('/shell/competitors/$competitorId');
const BACK = { to: '/competitors', name: 'Competitors' } as const;

/** Pages of one check. */
const CHECKED = 10;

export function CompetitorPage() {
  const { product } = useSession();
  const { competitorId } = route.useParams();
  const query = useQuery(competitorQuery(product.id, competitorId));
  return (
    <LoadedPage query={query} noun="competitor" back={BACK}>
      {(competitor) => <Detail competitor={competitor} />}
    </LoadedPage>
  );
}

function Detail({ competitor }: { competitor: Competitor }) {
  const { atLeast } = useSession();
  const { name, domain } = competitor;
  return (
    <Page
      title={name}
      lead={domain === name ? undefined : domain}
      back={BACK}
      actions={atLeast('member') && competitor.pages.length > 0 ? <CheckNow competitor={competitor} /> : undefined}
    >
      <PageTabs
        label={`What is known about ${name}`}
        tabs={[
          { name: 'Changes', content: <Changes id={competitor.id} /> },
          { name: 'Prices', content: <Prices id={competitor.id} /> },
          { name: 'Features', content: <Features id={competitor.id} /> },
          { name: 'Compare', content: <CompareCaptures pages={competitor.pages} /> },
          { name: 'Pages', content: <PageTable pages={competitor.pages} /> },
        ]}
      />
    </Page>
  );
}

function CheckNow({ competitor }: { competitor: Competitor }) {
  const { path, apply } = useChanges();
  const check = useAction(() => {
    const longest = competitor.pages.toSorted((a, b) => (a.last_checked ?? '').localeCompare(b.last_checked ?? ''));
    const pages = longest.slice(0, CHECKED).map(({ id }) => id);
    return apply(post<{ checks: Check[] }>(path('competitor-checks'), { pages }), {
      to: 'competitors',
      says: ({ checks }) => {
        const changed = checks.filter(({ change }) => change !== null).length;
        return `${formatCount(checks.length, 'page')} checked, ${changed === 0 ? 'no' : changed} changed`;
      },
    });
  });
  return (
    <div>
      <Button icon="refresh" disabled={check.busy} onClick={() => check.run()}>
        {check.busy ? 'Checking…' : 'Check now'}
      </Button>
      <Problem problem={check.problem} />
    </div>
  );
}

/** A list that is loaded, and its text while it is empty. */
function Loaded<Data>({
  query,
  what,
  empty,
  isEmpty,
  children,
}: {
  query: QueryStateProps['query'] & { data: Data | undefined };
  what: string;
  empty: string;
  isEmpty: (data: Data) => boolean;
  children: (data: Data) => ReactNode;
}) {
  if (query.data === undefined) return <QueryState query={query} what={what} rows={4} />;
  return isEmpty(query.data) ? <p className="text-quiet">{empty}</p> : children(query.data);
}

function Changes({ id }: { id: string }) {
  const { product } = useSession();
  const query = useQuery(changesQuery(product.id, { competitor: id, min_severity: 'low', dismissed: 'all' }));
  return (
    <Loaded
      query={query}
      what="changes"
      empty="No changes yet. Each check of a page that you watch (Pages) is compared with the one before."
      isEmpty={({ changes }) => changes.length === 0}
    >
      {({ changes }) => <ChangeList changes={changes} withCompetitor={false} />}
    </Loaded>
  );
}

function Prices({ id }: { id: string }) {
  const { product } = useSession();
  const query = useQuery(pricesQuery(product.id, id));
  return (
    <Loaded
      query={query}
      what="prices"
      empty="No page about prices names an amount of money."
      isEmpty={({ series }) => series.length === 0}
    >
      {({ series }) => <PriceTable series={series} />}
    </Loaded>
  );
}

function Features({ id }: { id: string }) {
  const { product } = useSession();
  const query = useQuery(featuresQuery(product.id, id));
  return (
    <Loaded
      query={query}
      what="features"
      empty="Nothing has been added to or removed from pages about prices, features and changes yet."
      isEmpty={({ features }) => features.length === 0}
    >
      {({ features }) => <FeatureTable features={features} />}
    </Loaded>
  );
}

function FeatureTable({ features }: { features: readonly Feature[] }) {
  return (
    <Table caption="Added and removed" columns={['What', 'State', 'Since']}>
      {features.map(({ text, state, at }) => (
        <tr key={text}>
          <Cell className="[overflow-wrap:anywhere]">{text}</Cell>
          <Cell>
            <Badge tone={state === 'new' ? 'good' : 'bad'}>{state}</Badge>
          </Cell>
          <Cell className="whitespace-nowrap text-quiet">
            <Time at={at} as="date" />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
