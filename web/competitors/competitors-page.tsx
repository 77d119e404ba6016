import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { SelectField } from '../components/field.tsx';
import { Badge, type Tone } from '../components/inline.tsx';
import { EmptyState, Page, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Table, Cell, NumberCell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { formatCount, formatNumber } from '../format.ts';
import { useSession } from '../session.tsx';
import { ChangeList } from './change-list.tsx';
import { Digests } from './digests.tsx';
import { changesQuery, type Competitor, competitorsQuery } from './queries.ts';
import { WatchCompetitor } from './watch-competitor.tsx';

const SEVERITIES = [
  { value: 'high', label: 'High only' },
  { value: 'medium', label: 'Medium and high' },
  { value: 'low', label: 'All' },
] as const;

export function CompetitorsPage() {
  const { product, atLeast } = useSession();
  const [isAdding, setAdding] = useState(false);
  const [isSending, setSending] = useState(false);
  const query = useQuery(competitorsQuery(product.id));
  const competitors = query.data?.competitors ?? [];
  const actions = atLeast('member') ? (
    <>
      {atLeast('admin') && <Button onClick={() => setSending(true)}>Alerts and digests</Button>}
      <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
        Watch a competitor
      </Button>
    </>
  ) : undefined;
  return (
    <Page title="Competitors" lead="Changes on the public pages of competitors." actions={actions}>
      <QueryState query={query} what="competitors" rows={4} />
      {query.data !== undefined && competitors.length === 0 && (
        <EmptyState icon="monitor" title="No competitors yet">
          Enter a domain: the service finds its pages about prices, changes, documentation, jobs and terms, and reads
          them once a day.
        </EmptyState>
      )}
      {competitors.length > 0 && (
        <>
          <CompetitorTable competitors={competitors} />
          <RecentChanges />
        </>
      )}
      {isSending && <Digests onClose={() => setSending(false)} />}
      {isAdding && <WatchCompetitor onClose={() => setAdding(false)} />}
    </Page>
  );
}

function CompetitorTable({ competitors }: { competitors: readonly Competitor[] }) {
  return (
    <Table
      caption="Competitors"
      columns={['Competitor', ['Pages', 'text-right'], 'State', ['Last change', 'max-sm:hidden']]}
    >
      {competitors.map(({ id, name, domain, pages }) => {
        const changed = pages
          .flatMap(({ last_changed: at }) => at ?? [])
          .toSorted()
          .at(-1);
        return (
          <tr key={id}>
            <RowHeader className="font-normal">
              <Link to="/competitors/$competitorId" params={{ competitorId: id }} className="name-link">
                {name}
              </Link>
              {domain !== '' && domain !== name && <span className="block text-sm text-quiet">{domain}</span>}
            </RowHeader>
            <NumberCell>{formatNumber(pages.length)}</NumberCell>
            <Cell>
              <State pages={pages} />
            </Cell>
            <Cell className="text-quiet max-sm:hidden">
              {changed === undefined ? 'none seen' : <Time at={changed} as="date" />}
            </Cell>
          </tr>
        );
      })}
    </Table>
  );
}

function State({ pages }: Pick<Competitor, 'pages'>) {
  const failing = pages.filter(({ status }) => ['error', 'removed', 'robots_denied'].includes(status)).length;
  const waiting = pages.filter(({ status }) => status === 'waiting').length;
  const [tone, words]: [Tone, string] =
    pages.length === 0
      ? ['neutral', 'no page watched']
      : failing > 0
        ? ['warn', `${formatCount(failing, 'page')} not read`]
        : waiting > 0
          ? ['neutral', `${formatCount(waiting, 'page')} waiting`]
          : ['good', 'all read'];
  return <Badge tone={tone}>{words}</Badge>;
}

function RecentChanges() {
  const { product } = useSession();
  const [severity, setSeverity] = useState<(typeof SEVERITIES)[number]['value']>('medium');
  const query = useQuery(changesQuery(product.id, { min_severity: severity }));
  return (
    <Section
      title="Changes"
      actions={
        <SelectField
          label="Severity"
          value={severity}
          choices={SEVERITIES}
          onChoose={(chosen) => setSeverity(chosen)}
        />
      }
    >
      <QueryState query={query} what="changes" rows={4} />
      {query.data !== undefined && (
        <>
          <p className="mb-2 text-sm text-quiet" role="status">
            {query.data.total > 0
              ? formatCount(query.data.total, 'change')
              : severity === 'low'
                ? 'No changes yet.'
                : 'No changes of this severity yet.'}
          </p>
          {query.data.changes.length > 0 && <ChangeList changes={query.data.changes} withCompetitor />}
        </>
      )}
    </Section>
  );
}
