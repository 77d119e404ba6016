import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { buttonClass } from '../components/button.tsx';
import { type Facet, ListPage } from '../components/list-page.tsx';
import { LoadMore } from '../components/page.tsx';
import { Table, Cell, NumberCell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { formatCount } from '../format.ts';
import { useSession } from '../session.tsx';
import { type Run, type RunFilter, runsQuery, workflowOf, WORKFLOWS } from './queries.ts';
import { RUN_STATES, RunBadge, tookOf } from './state.tsx';

const route = getRouteApi('/shell/runs');

const KINDS = [
  { value: '', label: 'All workflows' },
  ...(['deep_research', 'bug-analysis'] as const).map((value) => ({ value, label: WORKFLOWS[value].label })),
];
const STATES = [{ value: '', label: 'Any state' }, ...RUN_STATES.map((value) => ({ value, label: value }))];

const FACETS: readonly Facet<keyof RunFilter>[] = [
  { kind: 'choice', name: 'kind', label: 'Workflow', choices: KINDS },
  { kind: 'choice', name: 'state', label: 'State', choices: STATES },
];

export function RunsPage() {
  const { product } = useSession();
  const filter = route.useSearch();
  const query = useInfiniteQuery(runsQuery(product.id, filter));
  const runs = query.data?.pages.flatMap((page) => page.runs);
  const more = query.hasNextPage ? 'The newest ' : '';
  return (
    <ListPage
      title="Runs"
      lead="Workflow runs of the last 30 days, started by agents and people."
      noun={{ one: 'run', all: 'runs' }}
      icon="history"
      query={query}
      rows={runs}
      filter={filter}
      facets={FACETS}
      summary={runs && more + formatCount(runs.length, 'run')}
      rowClass="h-[61px]"
      empty={{
        title: 'No runs yet',
        text: 'Research reads everything that is indexed; a bug analysis leads from a stack trace to suspects. Agents start both, and so can you.',
        action: (
          <Link to="/ask" search={{ about: 'research' }} className={buttonClass()}>
            Research a question
          </Link>
        ),
      }}
      noMatch="No run of the last 30 days has this workflow and state."
    >
      {(rows) => (
        <>
          <RunTable runs={rows} />
          <LoadMore query={query} />
        </>
      )}
    </ListPage>
  );
}

function RunTable({ runs }: { runs: readonly Run[] }) {
  return (
    <Table
      caption="Runs"
      columns={[
        'Question',
        'State',
        ['By', 'max-md:hidden'],
        ['Started', 'max-sm:hidden'],
        ['Took', 'text-right max-md:hidden'],
      ]}
    >
      {runs.map((run) => (
        <RunRow key={run.id} run={run} />
      ))}
    </Table>
  );
}

function RunRow({ run }: { run: Run }) {
  const { id, kind, title, by, started_at: startedAt, ended_at: endedAt } = run;
  const workflow = workflowOf(kind);
  return (
    <tr>
      <RowHeader className="min-w-48 font-normal">
        <Link
          to="/runs/$runId"
          params={{ runId: id.replace('run:', '') }}
          className="line-clamp-2 font-medium [overflow-wrap:anywhere] hover:text-accent hover:underline"
        >
          {title === '' ? '(no question)' : title}
        </Link>
        <span className="text-sm text-quiet">
          {workflow === undefined ? kind : WORKFLOWS[workflow].label}
          <span className="sm:hidden">
            {' · '}
            <Time at={startedAt} />
          </span>
        </span>
      </RowHeader>
      <Cell>
        <RunBadge run={run} />
      </Cell>
      <Cell className="text-quiet max-md:hidden">{by}</Cell>
      <Cell className="text-quiet max-sm:hidden">
        <Time at={startedAt} className="whitespace-nowrap" />
      </Cell>
      <NumberCell className="text-quiet max-md:hidden">{tookOf(startedAt, endedAt)}</NumberCell>
    </tr>
  );
}
