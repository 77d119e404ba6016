import { useState } from 'react';
import type { NewWebhookBody, SetWebhookBody, TrackerBody } from '../../src/trackers/tracker-bodies.ts';
import { useAction, useChanges } from '../action.ts';
import { remove, send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { CopyField, Snippet } from '../components/copy.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { Form } from '../components/field.tsx';
import { Field, useForm } from '../components/form.tsx';
import { Problem } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { putTrackersWebhook } from '../form-rules.json';
import { useSession } from '../session.tsx';
import { TRACKER_NAMES } from './queries.ts';

/** Lets a tracker tell of changed issues: shows the address, makes or takes the secret, and removes it. */
export function TrackerWebhook({ tracker, onClose }: { tracker: TrackerBody; onClose: () => void }) {
  const [made, setMade] = useState<NewWebhookBody>();
  const title = `Webhook of ${TRACKER_NAMES[tracker.kind]} ${tracker.project}`;
  if (made === undefined) {
    const lead = 'The tracker tells of changed issues, so their status is read at once.';
    return (
      <Dialog title={title} lead={lead} onClose={onClose}>
        <SetWebhook tracker={tracker} onMade={setMade} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={title} lead="Copy the secret now: it is not shown again." dismissible={false} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Address path={made.path} />
        <CopyField label="Secret" value={made.secret} />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Address({ path }: { path: string }) {
  const { session } = useSession();
  return (
    <Snippet title="Address" label="Address of the webhook" text={`${session.base_url.replace(/\/$/, '')}${path}`} />
  );
}

interface SetWebhookProps {
  tracker: TrackerBody;
  onMade: (made: NewWebhookBody) => void;
  onClose: () => void;
}

function SetWebhook({ tracker, onMade, onClose }: SetWebhookProps) {
  const { path, apply } = useChanges();
  const route = path(`trackers/${encodeURIComponent(tracker.id)}/webhook`);
  const form = useForm({ rules: putTrackersWebhook }, (body: SetWebhookBody) =>
    apply(send<NewWebhookBody>('PUT', route, body), { to: 'trackers', done: onMade }),
  );
  const forget = useAction(() => apply(remove(route), { to: 'trackers', done: onClose }));
  const { webhook } = tracker;
  return (
    <Form form={form}>
      {webhook !== null && (
        <>
          <Address path={webhook.path} />
          <p className="text-quiet">
            Last used: {webhook.last_used_at === null ? 'never' : <Time at={webhook.last_used_at} />}. A new secret
            replaces the one before.
          </p>
        </>
      )}
      {tracker.kind === 'linear' && (
        <Field of={form} name="secret" label="Signing secret that Linear shows (optional)" />
      )}
      <Problem problem={form.problem ?? forget.problem} />
      <DialogActions>
        {webhook !== null && (
          <Button disabled={forget.busy} onClick={() => forget.run()}>
            Remove the webhook
          </Button>
        )}
        <Button type="submit" look="primary" disabled={form.busy}>
          {form.entries.secret === '' ? 'Make a secret' : 'Save the secret'}
        </Button>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Form>
  );
}
