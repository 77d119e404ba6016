import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Integrations } from '../../src/overview/overview-bodies.ts';
import { Snippet } from '../components/copy.tsx';
import { EmptyState, Page, Panel, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Table, Cell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { integrationsQuery } from '../queries.ts';
import { SignalSources } from '../signals/signal-sources.tsx';
import { SignalWebhooks } from '../signals/signal-webhooks.tsx';
import { IssueTrackers } from './issue-trackers.tsx';

export function IntegrationsPage() {
  const query = useQuery(integrationsQuery());
  return (
    <Page
      title="Integrations"
      lead="What this service is connected to. Identity providers and metrics are configured in its environment and take effect when it starts."
    >
      <QueryState query={query} what="integrations" rows={6} />
      {query.data !== undefined && (
        <>
          <IdentityProviders {...query.data} />
          <McpClients {...query.data.mcp} />
          <IssueTrackers />
          <SignalSources />
          <SignalWebhooks />
          <Metrics url={query.data.metrics_url} />
        </>
      )}
    </Page>
  );
}

function IdentityProviders({
  identity_providers: configured,
  more_providers: more,
}: Pick<Integrations, 'identity_providers' | 'more_providers'>) {
  return (
    <Section title="Identity providers" lead="Members who link an identity can sign in with it.">
      <div className="flex flex-col gap-3">
        {configured.length === 0 && (
          <EmptyState icon="person" title="No identity provider is configured">
            People sign in by password or one-time link. To add a provider, open it below.
          </EmptyState>
        )}
        {configured.map(({ id, name, issuer, callback_url: callback }) => (
          <Panel key={id} className="flex flex-col gap-3 p-4">
            <div>
              <h3 className="font-medium [overflow-wrap:anywhere]">{name}</h3>
              <p className="text-sm text-quiet [overflow-wrap:anywhere]">{issuer}</p>
            </div>
            <CallbackUrl provider={name} url={callback} />
          </Panel>
        ))}
        {more.length > 0 && (
          <Panel className="divide-y divide-line">
            {more.map((provider) => (
              <NewProvider key={provider.id} {...provider} />
            ))}
          </Panel>
        )}
      </div>
    </Section>
  );
}

/** Instructions to configure a provider: the address to register first, because the provider asks for it. */
function NewProvider({ name, callback_url: callback, variables }: Integrations['more_providers'][number]) {
  return (
    <details className="px-4">
      <summary className="cursor-pointer py-2.5 font-medium">Add {name}</summary>
      <div className="flex flex-col gap-3 pb-4">
        <CallbackUrl provider={name} url={callback} />
        <Snippet
          title="Set these environment variables, then restart the service"
          label={`Variables of ${name}`}
          text={variables.map((variable) => `${variable}=`).join('\n')}
        />
      </div>
    </details>
  );
}

function CallbackUrl({ provider, url }: { provider: string; url: string }) {
  return <Snippet title={`Callback URL to register at ${provider}`} label={`Callback URL of ${provider}`} text={url} />;
}

function McpClients({ url, streamable_url: streamable, keys }: Integrations['mcp']) {
  return (
    <Section
      title="MCP clients"
      lead="Editors and agents reach the service here, each with an API key."
      actions={
        <Link to="/connect" className="text-sm text-accent hover:underline">
          Connect a client
        </Link>
      }
    >
      <div className="flex flex-col gap-3">
        <Snippet title="Address for MCP clients" label="Address for MCP clients" text={url} />
        <Snippet title="Address over Streamable HTTP" label="Address over Streamable HTTP" text={streamable} />
        {keys.length === 0 ? (
          <EmptyState icon="plug" title="No client has connected in the last 90 days">
            Create an API key and add the service to a client; the key is then listed here.
          </EmptyState>
        ) : (
          <ConnectedKeys keys={keys} />
        )}
      </div>
    </Section>
  );
}

function ConnectedKeys({ keys }: Pick<Integrations['mcp'], 'keys'>) {
  return (
    <Table
      caption="Keys that connected over MCP in the last 90 days"
      columns={['Connected with key', ['Product', 'max-sm:hidden'], 'Last used']}
    >
      {keys.map(({ id, name, product, last_used_at: lastUsedAt }) => (
        <tr key={id}>
          <RowHeader className="font-medium [overflow-wrap:anywhere]">
            <Link to="/settings/api-keys/$keyId" params={{ keyId: id }} className="hover:text-accent hover:underline">
              {name}
            </Link>
          </RowHeader>
          <Cell className="text-quiet max-sm:hidden">{product}</Cell>
          <Cell className="text-quiet">{lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />}</Cell>
        </tr>
      ))}
    </Table>
  );
}

function Metrics({ url }: { url: string | null }) {
  return (
    <Section title="Metrics" lead="Metrics of the service in Prometheus format, on a separate port.">
      {url === null ? (
        <EmptyState icon="chart" title="Metrics are not served">
          Set <code className="font-mono text-sm text-ink">SVC_ADMIN_PORT</code> to a free port and restart the service.
        </EmptyState>
      ) : (
        <Snippet title="Address on the machine of the service" label="Address of the metrics" text={url} />
      )}
    </Section>
  );
}
