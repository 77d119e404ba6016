import { useQuery } from '@tanstack/react-query';
import type { z } from '@hono/zod-openapi';
import type { JobList } from '../../src/repositories/repository-bodies.ts';
import { useAction, useChanges } from '../action.ts';
import { post, remove } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Badge } from '../components/inline.tsx';
import { Panel, Section } from '../components/page.tsx';
import { Problem } from '../components/query-state.tsx';
import { Cell, RowHeader, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { formatCount } from '../format.ts';
import { readQuery } from '../queries.ts';
import { useSession } from '../session.tsx';

type Jobs = z.output<typeof JobList>;

const SHOWN = 20;

/** Work in the words of the page; what has none is named as the service names it. */
const WORK: Readonly<Record<string, string>> = {
  'repository.fetch': 'Fetch',
  'repository.index': 'Index',
  'repository.refine': 'Exact names',
  'repository.embed': 'Vectors of code',
  'repository.removed_exports': 'Removed exports',
  'plans.take': 'Plans of the repository',
  'documents.take': 'Documents of the repository',
  'documents.read': 'Read documents',
  'knowledge.encode': 'Encode texts',
  'signals.gather': 'Group signals',
  'signals.emerge': 'New subjects',
  'signals.link': 'Links of themes',
  'signals.hear': 'Tone and intent',
};

function jobsQuery(product: string) {
  return readQuery<Jobs>('jobs', 'jobs', { product, limit: SHOWN }, { watch: ({ jobs }) => jobs.length > 0 });
}

function usePause() {
  const { path, apply } = useChanges();
  return useAction((isPaused: boolean) =>
    apply<unknown>(isPaused ? post(path('indexing/pause')) : remove(path('indexing/pause')), { to: 'repositories' }),
  );
}

/** Work on the product that runs or waits, for those who may pause it; nothing while there is none. */
export function Queue() {
  const { product } = useSession();
  const { data } = useQuery(jobsQuery(product.id));
  const pause = usePause();
  if (data === undefined || data.jobs.length === 0 || data.paused_since !== null) return null;
  const { jobs, running, waiting } = data;
  return (
    <Section
      title="Queue"
      lead={`${running} running, ${waiting} waiting.`}
      actions={
        <Button disabled={pause.busy} onClick={() => pause.run(true)}>
          Pause
        </Button>
      }
    >
      <Table caption="Queue" columns={['Work', 'Repository', 'State', ['Since', 'max-sm:hidden']]}>
        {jobs.map(({ job, repository, state, sent_at: sent, started_at: started, failures, first }) => (
          <tr key={`${job} ${repository ?? ''} ${sent}`}>
            <RowHeader className="font-normal">{WORK[job] ?? job}</RowHeader>
            <Cell className="[overflow-wrap:anywhere]">{repository}</Cell>
            <Cell>
              {state}
              {first && ', first'}
              {failures > 0 && `, failed ${formatCount(failures, 'time')}`}
            </Cell>
            <Cell className="text-quiet max-sm:hidden">
              <Time at={started ?? sent} />
            </Cell>
          </tr>
        ))}
      </Table>
      <Problem problem={pause.problem} />
    </Section>
  );
}

/** Says that nothing is fetched or indexed, and how that ends; nothing while it is. */
export function PauseNote({ since }: { since: string | null }) {
  const { atLeast } = useSession();
  const pause = usePause();
  if (since === null) return null;
  return (
    <Panel className="mb-3 flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <p>
        <Badge tone="warn">paused</Badge> Fetching and indexing were paused <Time at={since} />.
      </p>
      {atLeast('admin') && (
        <Button disabled={pause.busy} onClick={() => pause.run(false)}>
          Resume
        </Button>
      )}
      <Problem problem={pause.problem} />
    </Panel>
  );
}
