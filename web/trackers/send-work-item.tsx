import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type {
  IssueBody,
  IssueListBody,
  IssuePreviewBody,
  SentIssueBody,
  TrackerBody,
  UpdatedIssueBody,
} from '../../src/trackers/tracker-bodies.ts';
import { useAction, useChanges } from '../action.ts';
import { post, send as sendTo } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions, FormActions } from '../components/dialog.tsx';
import { Form, SelectField } from '../components/field.tsx';
import { Problem, QueryState } from '../components/query-state.tsx';
import { useSession } from '../session.tsx';
import { type ChosenFields, IssueFields } from './issue-fields.tsx';
import { IssueLink, LastRead } from './issue-link.tsx';
import { previewQuery, TRACKER_NAMES, trackersQuery } from './queries.ts';

interface SendWorkItemProps {
  /** `wi:12` */
  item: string;
  /** `T1` */
  itemKey: string;
  onClose: () => void;
}

/** Shows what would be sent to a tracker, sends it, and shows the state of the issue there. */
export function SendWorkItem({ item, itemKey, onClose }: SendWorkItemProps) {
  const { product } = useSession();
  const query = useQuery(trackersQuery(product.id));
  const [first] = query.data?.trackers ?? [];
  return (
    <Dialog title={`Send ${itemKey} to an issue tracker`} onClose={onClose}>
      <QueryState query={query} what="issue trackers" box="h-48" />
      {query.data !== undefined && first === undefined && <NoTracker onClose={onClose} />}
      {query.data !== undefined && first !== undefined && (
        <SendForm item={item} trackers={query.data.trackers} first={first} onClose={onClose} />
      )}
    </Dialog>
  );
}

function NoTracker({ onClose }: { onClose: () => void }) {
  const { atLeast } = useSession();
  return (
    <>
      <p>
        This product is not connected to an issue tracker.{' '}
        {atLeast('admin') ? (
          <Link to="/settings/integrations" className="text-accent hover:underline">
            Connect one
          </Link>
        ) : (
          'An owner or admin can connect one under Settings, Integrations.'
        )}
      </p>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </>
  );
}

interface SendFormProps {
  item: string;
  trackers: TrackerBody[];
  first: TrackerBody;
  onClose: () => void;
}

function SendForm({ item, trackers, first, onClose }: SendFormProps) {
  const { product, path, say, refresh } = useChanges();
  const [tracker, setTracker] = useState(first.id);
  const [fields, setFields] = useState<ChosenFields>({});
  const preview = useQuery(previewQuery(product.id, { item, tracker }));
  const send = useAction(
    async (digest: string) => {
      const route = path(`work-items/${encodeURIComponent(item)}/issues`);
      const sent = await post<SentIssueBody>(route, { tracker, digest, ...fields });
      if (sent.link_fault !== null) say(describeUnlinked(sent.issue, sent.link_fault), 'bad');
      const label = sent.issue.label ?? 'The issue';
      say(sent.outcome === 'created' ? `Created ${label}` : `${label} already existed`);
      await refresh('issues');
      onClose();
    },
    // It may have been changed meanwhile: what is shown is then what is sent.
    () => void preview.refetch(),
  );
  const choices = trackers.map(({ id, kind, project }) => ({ value: id, label: `${TRACKER_NAMES[kind]} ${project}` }));
  return (
    <Form
      form={{
        submit: () => {
          if (preview.data !== undefined) send.run(preview.data.digest);
        },
      }}
    >
      <SelectField
        label="Tracker"
        value={tracker}
        choices={choices}
        onChoose={(id) => {
          send.forget();
          setFields({});
          setTracker(id);
        }}
      />
      <QueryState query={preview} what="the preview" box="h-48" />
      {preview.data !== undefined && (
        <PreviewedIssue
          item={item}

          data={preview.data}
          sent={{ tracker, ...fields }}
          onChoose={setFields}
          onClose={onClose}
        >
          <FormActions action="Send" form={send} onCancel={onClose} />
        </PreviewedIssue>
      )}
    </Form>
  );
}

function describeUnlinked({ label }: IssueBody, fault: string): string {
  return `${label ?? 'The issue'} was not linked: ${fault}`;
}

interface PreviewedIssueProps {
  item: string;
  data: IssuePreviewBody;
  sent: { tracker: string } & ChosenFields;
  onChoose: (chosen: ChosenFields) => void;
  onClose: () => void;
  /** Button that sends a new issue. */
  children: ReactNode;
}

function PreviewedIssue({ item, data, sent, onChoose, onClose, children }: PreviewedIssueProps) {
  const { tracker, ...chosen } = sent;
  const { existing } = data;
  return (
    <>
      <IssueFields item={item} tracker={tracker} chosen={chosen} isNew={existing === null} onChoose={onChoose} />
      {existing === null ? (
        <>
          <IssueText title={data.title} text={data.body} />
          {children}
        </>
      ) : (
        <Existing issue={existing} preview={data} sent={sent} onClose={onClose} />
      )}
    </>
  );
}

/** As it is sent: nothing of it is rendered. */
function IssueText({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <p className="mb-1 font-medium">The text of the issue</p>
      <div className="overflow-hidden rounded-md border border-line bg-page">
        <p className="border-b border-line px-3 py-2 font-medium [overflow-wrap:anywhere]">{title}</p>
        {/* Scrolls, so the keyboard has to reach it. */}
        <pre
          tabIndex={0}
          role="region"
          aria-label="Text of the issue"
          className="max-h-72 overflow-auto p-3 font-mono text-[12.5px] leading-5 whitespace-pre-wrap -outline-offset-2 [overflow-wrap:anywhere]"
        >
          {text}
        </pre>
      </div>
    </div>
  );
}

interface ExistingProps {
  issue: IssueBody;
  preview: IssuePreviewBody;
  /** Further fields of an update. */
  sent: { tracker: string } & ChosenFields;
  onClose: () => void;
}

function Existing({ issue, preview, sent, onClose }: ExistingProps) {
  const { path, say, refresh } = useChanges();
  const readAgain = useAction(async () => {
    await post<IssueListBody>(path(`work-items/${encodeURIComponent(issue.item)}/issues/refresh`));
    await refresh('issues', 'issue-preview');
  });
  const update = useAction(async () => {
    const route = path(`work-items/${encodeURIComponent(issue.item)}/issues`);
    const body = { digest: preview.digest, ...sent };
    const { issue: updated, link_fault: linkFault } = await sendTo<UpdatedIssueBody>('PUT', route, body);
    if (linkFault !== null) say(describeUnlinked(updated, linkFault), 'bad');
    say(`Updated ${updated.label ?? 'the issue'}`);
    await refresh('issues');
    onClose();
  });
  return (
    <div>
      <p className="mb-1 font-medium">Already sent</p>
      <p className="flex flex-wrap items-center gap-2">
        <IssueLink issue={issue} />
        <LastRead issue={issue} />
      </p>
      <Problem problem={readAgain.problem ?? update.problem} />
      <IssueText title={preview.title} text={preview.body} />
      <DialogActions>
        <Button disabled={update.busy} onClick={() => update.run()}>
          Update it there
        </Button>
        <Button icon="refresh" disabled={readAgain.busy} onClick={() => readAgain.run()}>
          Refresh its status
        </Button>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </div>
  );
}
