import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type {
  IssueBody,
  IssueListBody,
  IssuePreviewBody,
  SendIssueBody,
  SentIssueBody,
  TrackerBody,
  UpdatedIssueBody,
} from '../../src/trackers/tracker-bodies.ts';
import { useAction, useChanges } from '../action.ts';
import { post, send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions, FormActions } from '../components/dialog.tsx';
import { Form, SelectField } from '../components/field.tsx';
import { type FormFrame, type FormState, useForm } from '../components/form.tsx';
import { Problem, QueryState } from '../components/query-state.tsx';
import { postWorkItemsIssues } from '../form-rules.json';
import { useSession } from '../session.tsx';
import { IssueFields } from './issue-fields.tsx';
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
  const { product } = useSession();
  const sendIssue = useSendIssue(item, onClose);
  const form: FormState<SendIssueBody> = useForm(
    { rules: postWorkItemsIssues, initial: { tracker: first.id } },
    async (fields: SendIssueBody) => {
      if (preview.data === undefined) return;
      try {
        await sendIssue(preview.data, fields);
      } catch (error) {
        // It may have been changed meanwhile: what is shown is then what is sent.
        void preview.refetch();
        throw error;
      }
    },
  );
  const { tracker } = form.entries;
  const preview = useQuery(previewQuery(product.id, { item, tracker }));
  const { data } = preview;
  const choices = trackers.map(({ id, kind, project }) => ({ value: id, label: `${TRACKER_NAMES[kind]} ${project}` }));
  return (
    <Form form={form}>
      <SelectField
        label="Tracker"
        value={tracker}
        choices={choices}
        onChoose={(id) => form.restart({ tracker: id, labels: [], assignee: '', milestone: '', parent: '' })}
      />
      <QueryState query={preview} what="the preview" box="h-48" />
      {data !== undefined && (
        <>
          <IssueFields item={item} form={form} isNew={data.existing === null} />
          {data.existing === null ? (
            <>
              <IssueText title={data.title} text={data.body} />
              <FormActions action="Send" form={form} onCancel={onClose} />
            </>
          ) : (
            <Existing issue={data.existing} preview={data} form={form} onClose={onClose} />
          )}
        </>
      )}
    </Form>
  );
}

/** Makes the issue of an item, or updates the one that it has; says what became of it. */
function useSendIssue(item: string, onClose: () => void) {
  const { path, apply, say } = useChanges();
  return ({ existing, digest }: IssuePreviewBody, fields: SendIssueBody): Promise<void> => {
    const route = path(`work-items/${encodeURIComponent(item)}/issues`);
    const sent = send<SentIssueBody | UpdatedIssueBody>(existing === null ? 'POST' : 'PUT', route, {
      ...fields,
      digest,
    });
    return apply(sent, {
      to: 'issues',
      done: ({ issue: { label }, link_fault: fault }) => {
        if (fault !== null) say(`${label ?? 'The issue'} was not linked: ${fault}`, 'bad');
        onClose();
      },
      says: ({ issue: { label }, ...result }) => {
        if (!('outcome' in result)) return `Updated ${label ?? 'the issue'}`;
        return result.outcome === 'created'
          ? `Created ${label ?? 'The issue'}`
          : `${label ?? 'The issue'} already existed`;
      },
    });
  };
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
  /** Updates it. */
  form: FormFrame;
  onClose: () => void;
}

function Existing({ issue, preview, form, onClose }: ExistingProps) {
  const { path, apply } = useChanges();
  const refreshed = path(`work-items/${encodeURIComponent(issue.item)}/issues/refresh`);
  const readAgain = useAction(() => apply(post<IssueListBody>(refreshed), { to: ['issues', 'issue-preview'] }));
  return (
    <div>
      <p className="mb-1 font-medium">Already sent</p>
      <p className="flex flex-wrap items-center gap-2">
        <IssueLink issue={issue} />
        <LastRead issue={issue} />
      </p>
      <Problem problem={readAgain.problem ?? form.problem} />
      <IssueText title={preview.title} text={preview.body} />
      <DialogActions>
        <Button type="submit" disabled={form.busy}>
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
