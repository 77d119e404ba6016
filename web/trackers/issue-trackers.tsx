import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TrackerBody } from '../../src/trackers/tracker-bodies.ts';
import { useChanges } from '../action.ts';
import { Button, IconButton } from '../components/button.tsx';
import { Removal } from '../components/dialog.tsx';
import { EmptyState, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Table, actionsColumn, Cell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { useSession } from '../session.tsx';
import { ConnectTracker } from './connect-tracker.tsx';
import { TRACKER_NAMES, trackersQuery } from './queries.ts';
import { TrackerWebhook } from './tracker-webhook.tsx';

/** The issue trackers of the chosen product: for owners and admins, who connect them. */
export function IssueTrackers() {
  const { product } = useSession();
  const query = useQuery(trackersQuery(product.id));
  const [isConnecting, setConnecting] = useState(false);
  const [removed, setRemoved] = useState<TrackerBody>();
  const [announced, setAnnounced] = useState<TrackerBody>();
  const { trackers = [] } = query.data ?? {};
  const connect = (
    <Button icon="plus" onClick={() => setConnecting(true)}>
      Connect a tracker
    </Button>
  );
  return (
    <Section
      title="Issue trackers"
      lead={`Where members send work items of “${product.name}”.`}
      {...(trackers.length > 0 && { actions: connect })}
    >
      <QueryState query={query} what="issue trackers" rows={2} />
      {query.isSuccess && trackers.length === 0 && (
        <EmptyState icon="plug" title="No issue tracker is connected" action={connect}>
          You can send work items of plans to GitHub, GitLab, Linear or Jira, each item once.
        </EmptyState>
      )}
      {trackers.length > 0 && <TrackerTable trackers={trackers} onRemove={setRemoved} onWebhook={setAnnounced} />}
      {announced !== undefined && <TrackerWebhook tracker={announced} onClose={() => setAnnounced(undefined)} />}
      {isConnecting && <ConnectTracker onClose={() => setConnecting(false)} />}
      {removed !== undefined && <RemoveTracker tracker={removed} onClose={() => setRemoved(undefined)} />}
    </Section>
  );
}

interface TrackerTableProps {
  trackers: TrackerBody[];
  onRemove: (tracker: TrackerBody) => void;
  onWebhook: (tracker: TrackerBody) => void;
}

function TrackerTable({ trackers, onRemove, onWebhook }: TrackerTableProps) {
  return (
    <Table
      caption="Issue trackers"
      columns={['Project', ['Address', 'max-sm:hidden'], ['Token given', 'max-sm:hidden'], actionsColumn('w-20')]}
    >
      {trackers.map((tracker) => (
        <tr key={tracker.id}>
          <RowHeader className="font-medium [overflow-wrap:anywhere]">
            {TRACKER_NAMES[tracker.kind]} {tracker.project}
          </RowHeader>
          <Cell className="text-quiet max-sm:hidden [overflow-wrap:anywhere]">{tracker.base_url}</Cell>
          <Cell className="text-quiet max-sm:hidden">
            <Time at={tracker.updated_at} />
          </Cell>
          <td className="px-2 py-1.5">
            <span className="flex">
              <IconButton
                icon="plug"
                label={`Webhook of ${TRACKER_NAMES[tracker.kind]} ${tracker.project}`}
                onClick={() => onWebhook(tracker)}
              />
              <IconButton
                icon="trash"
                label={`Remove ${TRACKER_NAMES[tracker.kind]} ${tracker.project}`}
                onClick={() => onRemove(tracker)}
              />
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function RemoveTracker({ tracker, onClose }: { tracker: TrackerBody; onClose: () => void }) {
  const { path } = useChanges();
  return (
    <Removal
      title={`Remove ${TRACKER_NAMES[tracker.kind]} ${tracker.project}?`}
      action="Remove"
      path={path(`trackers/${encodeURIComponent(tracker.id)}`)}
      kinds={['trackers']}
      onClose={onClose}
    >
      Its token is deleted. Existing issues and the links to them stay, but their status is no longer read.
    </Removal>
  );
}
