import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction, useChanges } from '../action.ts';
import { post } from '../api.ts';
import { Button, IconButton } from '../components/button.tsx';
import { Removal } from '../components/dialog.tsx';
import { Badge } from '../components/inline.tsx';
import { EmptyState, Section } from '../components/page.tsx';
import { Problem, QueryState } from '../components/query-state.tsx';
import { Table, actionsColumn, Cell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { useSession } from '../session.tsx';
import { ConnectSource } from './connect-source.tsx';
import { type Source, SOURCE_NAMES, sourcesQuery } from './source-queries.ts';

/** Tools that signals of the chosen product are read from: for owners and admins, who connect them. */
export function SignalSources() {
  const { product } = useSession();
  const query = useQuery(sourcesQuery(product.id));
  const [isConnecting, setConnecting] = useState(false);
  const [removed, setRemoved] = useState<Source>();
  const { sources = [] } = query.data ?? {};
  const connect = (
    <Button icon="plus" onClick={() => setConnecting(true)}>
      Connect a source
    </Button>
  );
  return (
    <Section
      title="Sources of signals"
      lead={`Tools in which customers write about “${product.name}”.`}
      {...(sources.length > 0 && { actions: connect })}
    >
      <QueryState query={query} what="sources" rows={2} />
      {query.isSuccess && sources.length === 0 && (
        <EmptyState icon="speech" title="No source is connected" action={connect}>
          Issues from GitHub and GitLab, Zendesk tickets, Intercom conversations and Slack channels can be read
          regularly and become signals.
        </EmptyState>
      )}
      {sources.length > 0 && <SourceTable sources={sources} onRemove={setRemoved} />}
      {isConnecting && <ConnectSource onClose={() => setConnecting(false)} />}
      {removed !== undefined && <RemoveSource source={removed} onClose={() => setRemoved(undefined)} />}
    </Section>
  );
}

function nameOf({ kind, project }: Source): string {
  return `${SOURCE_NAMES[kind]} ${project}`.trim();
}

function SourceTable({ sources, onRemove }: { sources: Source[]; onRemove: (source: Source) => void }) {
  const { path, apply } = useChanges();
  const read = useAction(({ id }: Source) =>
    apply(post<Source>(path(`signal-sources/${encodeURIComponent(id)}/reads`)), { to: 'signal-sources' }),
  );
  return (
    <>
      <Table caption="Sources of signals" columns={['Source', ['Last read', 'max-sm:hidden'], actionsColumn('w-24')]}>
        {sources.map((source) => (
          <tr key={source.id}>
            <RowHeader className="font-medium [overflow-wrap:anywhere]">
              {nameOf(source)}
              {source.fault !== '' && (
                <span className="block text-sm font-normal">
                  <Badge tone="warn">not read</Badge> {source.fault} Next try: <Time at={source.next} />
                </span>
              )}
            </RowHeader>
            <Cell className="text-quiet max-sm:hidden">
              {source.read_at === null ? 'not yet' : <Time at={source.read_at} />}
            </Cell>
            <td className="px-2 py-1.5 text-right whitespace-nowrap">
              <IconButton
                icon="refresh"
                label={`Read ${nameOf(source)} now`}
                disabled={read.busy}
                onClick={() => read.run(source)}
              />
              <IconButton icon="trash" label={`Remove ${nameOf(source)}`} onClick={() => onRemove(source)} />
            </td>
          </tr>
        ))}
      </Table>
      <Problem problem={read.problem} />
    </>
  );
}

function RemoveSource({ source, onClose }: { source: Source; onClose: () => void }) {
  const { path } = useChanges();
  return (
    <Removal
      title={`Remove ${nameOf(source)}?`}
      action="Remove"
      path={path(`signal-sources/${encodeURIComponent(source.id)}`)}
      kinds={['signal-sources']}
      onClose={onClose}
    >
      Its token is deleted. The signals that were read stay.
    </Removal>
  );
}
