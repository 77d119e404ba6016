import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { KeyDetail } from '../../src/keys/key-bodies.ts';
import { send } from '../api.ts';
import { BarChart } from '../components/bar-chart.tsx';
import { Button, buttonClass, Icon } from '../components/button.tsx';
import { BreakablePath } from '../components/entity-link.tsx';
import { Select } from '../components/field.tsx';
import { LimitsDialog, useText } from '../components/limits.tsx';
import { Facts, Page, Panel, Section, Tile, Tiles, LoadedPage } from '../components/page.tsx';
import { Table, Cell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { csvOf, saveFile } from '../export-file.ts';
import { formatMoment, formatNumber, formatShare, VIEWER_ZONE } from '../format.ts';
import { keyQuery } from '../queries.ts';
import { useSession } from '../session.tsx';
import { DeleteKey, GracePeriod, RegenerateKey } from './key-changes.tsx';
import { NeverUsedHint } from './keys-page.tsx';
import { ModelCost } from './model-cost.tsx';
import { Expiry, KeyBadge } from './status.tsx';

const route = getRouteApi('/shell/settings/api-keys/$keyId');
const BACK = { to: '/settings/api-keys', name: 'API Keys' } as const;

export function ApiKeyPage() {
  const { keyId } = route.useParams();
  const query = useQuery(keyQuery(keyId));
  return (
    <LoadedPage query={query} noun="API key" back={BACK}>
      {(apiKey) => <Detail apiKey={apiKey} />}
    </LoadedPage>
  );
}

function Detail({ apiKey }: { apiKey: KeyDetail }) {
  const [change, setChange] = useState<'regenerate' | 'delete'>();
  const navigate = useNavigate();
  const isExpired = apiKey.status === 'expired';
  return (
    <Page
      title={apiKey.name}
      aside={<KeyBadge status={apiKey.status} />}
      back={BACK}
      actions={
        <>
          <Link to="/connect" search={{ key: apiKey.id }} className={buttonClass()}>
            <Icon name="plug" />
            Connect
          </Link>
          <Button
            icon="refresh"
            blocked={isExpired && 'It has expired and can only be deleted.'}
            onClick={() => setChange('regenerate')}
          >
            Regenerate…
          </Button>
          <Button icon="trash" className="text-bad" onClick={() => setChange('delete')}>
            Delete…
          </Button>
        </>
      }
    >
      {isExpired && (
        <p className="mb-4 rounded-md bg-bad-soft px-3 py-2 text-bad">
          This key has expired: requests with it are refused, and it can only be deleted. Create a new one instead.
        </p>
      )}
      {apiKey.grace_ends_at !== null && <GracePeriod id={apiKey.id} endsAt={apiKey.grace_ends_at} />}
      <Usage apiKey={apiKey} />
      <KeyLimits apiKey={apiKey} />
      <ModelCost keyId={apiKey.id} product={apiKey.product} />
      <About apiKey={apiKey} />
      {change === 'regenerate' && <RegenerateKey apiKey={apiKey} onClose={() => setChange(undefined)} />}
      {change === 'delete' && (
        <DeleteKey
          apiKey={apiKey}
          onClose={() => setChange(undefined)}
          onDeleted={() => void navigate({ to: '/settings/api-keys' })}
        />
      )}
    </Page>
  );
}

const RANGES = ['7', '30', '90'] as const;
type Range = (typeof RANGES)[number];

function Usage({ apiKey: { name, usage, created_at: createdAt } }: { apiKey: KeyDetail }) {
  const [range, setRange] = useState<Range>('90');
  const days = usage.per_day.slice(-Number(range));
  return (
    <>
      <Tiles>
        <Tile name="Total Requests" value={formatNumber(usage.total)}>
          since <Time at={createdAt} as="date" />
        </Tile>
        <Tile name="Requests Today" value={formatNumber(usage.today)}>
          {VIEWER_ZONE}
        </Tile>
        <Tile name="This Month" value={formatNumber(usage.this_month)}>
          {VIEWER_ZONE}
        </Tile>
        <Tile name="Last Used" value={usage.last_used_at === null ? 'Never' : <Time at={usage.last_used_at} />}>
          {usage.last_used_at !== null && formatMoment(usage.last_used_at)}
        </Tile>
      </Tiles>
      {usage.total === 0 && <NeverUsedHint />}
      <div className="mt-4 flex items-center justify-end gap-2">
        <div className="w-40">
          <Select
            aria-label="Days of the chart"
            value={range}
            choices={RANGES.map((value) => ({ value, label: `Last ${value} days` }))}
            onChoose={setRange}
          />
        </div>
        <Button icon="download" onClick={() => saveUsage(name, { ...usage, per_day: days })}>
          Export CSV
        </Button>
      </div>
      <Panel className="mt-2 p-4">
        <BarChart
          bars={days.map(({ day, requests }) => ({ day, count: requests }))}
          title="Requests per day"
          noun="request"
        />
      </Panel>
      {usage.per_operation.length > 0 && <PerOperation {...usage} />}
    </>
  );
}

/** Requests of each day that the chart shows. */
function saveUsage(name: string, { per_day: days, zone }: KeyDetail['usage']): void {
  const columns = [
    ['day', ({ day }: (typeof days)[number]) => day],
    ['requests', ({ requests }: (typeof days)[number]) => requests],
    ['time_zone', () => zone],
  ] as const;
  saveFile(`usage-${name.replaceAll(/[^\w-]+/g, '-')}.csv`, 'text/csv', csvOf(columns, days));
}

function PerOperation({ per_operation: operations }: Pick<KeyDetail['usage'], 'per_operation'>) {
  const total = operations.reduce((sum, { requests }) => sum + requests, 0);
  return (
    <Section title="Requests by operation">
      <Table
        caption="Requests by operation"
        columns={['Operation', ['Requests', 'text-right'], ['Share', 'text-right']]}
      >
        {operations.map(({ operation, requests }) => (
          <tr key={operation}>
            <RowHeader className="font-mono text-sm font-normal">
              <BreakablePath path={operation} after={/(?<=[/_])/} />
            </RowHeader>
            <Cell className="text-right tabular-nums">{formatNumber(requests)}</Cell>
            <Cell className="text-right text-quiet tabular-nums">{formatShare(requests / total)}</Cell>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

function About({ apiKey }: { apiKey: KeyDetail }) {
  return (
    <Section title="About this key">
      <Facts
        facts={[
          ['Key', <code className="font-mono text-sm">{apiKey.prefix}</code>],
          ['Created', <Time at={apiKey.created_at} as="exact" />],
          ['Created by', apiKey.created_by_name],
          ['Acts for', apiKey.acts_for ?? 'this installation'],
          ['Expires', <Expiry {...apiKey} />],
          ['First request', apiKey.first_call_at === null ? 'None yet' : <Time at={apiKey.first_call_at} as="exact" />],
          ['Product', apiKey.product],
          ['Permissions', apiKey.scopes.length === 0 ? 'None now' : apiKey.scopes.join(', ')],
        ]}
      />
    </Section>
  );
}

const NAMES = {
  requests: 'Requests in the last minute',
  runs: 'Runs of agents today',
  model_cost: 'Cost of the language model this month',
};

const LABELS = {
  requests: 'Requests a minute',
  runs: 'Runs of agents a day',
  model_cost: 'Cost of the language model a month',
};

/** What a key uses, beside what it may use; owners and admins change that. */
function KeyLimits({ apiKey: { id, limits, product } }: { apiKey: KeyDetail }) {
  const { atLeast } = useSession();
  const [isChanging, setChanging] = useState(false);
  return (
    <Section
      title="Limits of this key"
      lead={`At a limit, what takes more is refused; other keys go on. The limits of ${product} hold beside them.`}
      actions={atLeast('admin') && <Button onClick={() => setChanging(true)}>Change limits</Button>}
    >
      <Facts facts={limits.map((use) => [NAMES[use.quota], useText(use)] as const)} />
      {isChanging && (
        <LimitsDialog
          title="Limits of this key"
          lead="An empty field means that only the settings and the product limit it."
          labels={LABELS}
          uses={limits}
          onClose={() => setChanging(false)}
          save={(own) => send('PATCH', `keys/${id}`, { limits: own })}
          to="keys"
        />
      )}
    </Section>
  );
}
