import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction, useChanges } from '../action.ts';
import { post, remove, send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { CopyField } from '../components/copy.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { ChoiceGroup, Form } from '../components/field.tsx';
import { Field, useForm } from '../components/form.tsx';
import { Problem, QueryState } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { putCompetitorDigests } from '../form-rules.json';
import { formatCount } from '../format.ts';
import { useSession } from '../session.tsx';
import { type Digest, type DigestSettings, digestsQuery } from './queries.ts';

type Channel = Digest['channel'];

const CHANNELS = [
  { value: 'email', label: 'E-mail' },
  { value: 'slack', label: 'Slack' },
  { value: 'teams', label: 'Teams' },
  { value: 'webhook', label: 'Webhook' },
] as const;
const PERIODS = { now: 'At once', day: 'Every day', week: 'Every week' };
const SEVERITIES = { high: 'High only', medium: 'Medium and high', low: 'All' };

const USUAL_PERIODS: Record<Channel, Digest['every']> = { email: 'day', webhook: 'day', slack: 'now', teams: 'now' };
const CHATS = {
  slack: { example: 'https://hooks.slack.com/services/…', hint: 'Address of an incoming webhook of Slack.' },
  teams: {
    example: 'https://….logic.azure.com/workflows/…',
    hint: 'Address of a workflow of Teams that takes webhook requests.',
  },
  webhook: { example: 'https://hooks.example/svc', hint: 'Receives a signed POST with JSON (Standard Webhooks).' },
} as const;

/** Settings of the digests of changes: at once, once a day or once a week, by e-mail, to a chat or a webhook. */
export function Digests({ onClose }: { onClose: () => void }) {
  const { product } = useSession();
  const query = useQuery(digestsQuery(product.id));
  const [channel, setChannel] = useState<Channel>();
  const [secret, setSecret] = useState<string>();
  const { digests = [], email = false } = query.data ?? {};
  const shown = channel ?? digests[0]?.channel ?? (email ? 'email' : 'webhook');
  return (
    <Dialog
      title="Alerts and digests"
      lead="What changed at competitors, at once, once a day or once a week. Nothing is sent when nothing changed."
      onClose={onClose}
    >
      <QueryState query={query} what="the digests" rows={4} />
      {query.data !== undefined && secret !== undefined && <NewSecret secret={secret} onClose={onClose} />}
      {query.data !== undefined && secret === undefined && (
        <div className="flex flex-col gap-4">
          <ChoiceGroup legend="Send by" name="channel" value={shown} choices={CHANNELS} onChoose={setChannel} />
          {shown === 'email' && !email ? (
            <NoMailServer onClose={onClose} />
          ) : (
            <DigestForm
              key={shown}
              channel={shown}
              digest={digests.find((digest) => digest.channel === shown)}
              onSecret={setSecret}
              onClose={onClose}
            />
          )}
        </div>
      )}
    </Dialog>
  );
}

function NoMailServer({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p>
        This service cannot send e-mail. Whoever runs it can set <code>SVC_SMTP_URL</code> and{' '}
        <code>SVC_SMTP_FROM</code>.
      </p>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </>
  );
}

function NewSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <div className="flex flex-col gap-3">
      <p>The webhook is set up. Verify its requests with this secret, which is not shown again.</p>
      <CopyField label="Secret" value={secret} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </div>
  );
}

interface DigestFormProps {
  channel: Channel;
  digest: Digest | undefined;
  onSecret: (secret: string) => void;
  onClose: () => void;
}

function DigestForm({ channel, digest, onSecret, onClose }: DigestFormProps) {
  const { path, apply } = useChanges();
  const { to = [], every = USUAL_PERIODS[channel], min_severity: severity = 'medium' } = digest ?? {};
  const initial = { to, every, min_severity: severity };
  const form = useForm({ rules: putCompetitorDigests, initial }, (settings: DigestSettings) => {
    const body = { ...settings, to: settings.to.flatMap((line) => line.split(/[\s,;]+/)) };
    const change = send<Digest & { secret: string | null }>('PUT', path(`competitor-digests/${channel}`), body);
    return apply(change, {
      to: 'competitors',
      done: ({ secret }) => (secret === null ? onClose() : onSecret(secret)),
      says: ({ secret }) => (secret === null ? 'The digest is set up' : undefined),
    });
  });
  const { test, stop } = useDigest(channel, onClose);
  const busy = form.busy || test.busy || stop.busy;
  return (
    <Form form={form}>
      {channel === 'email' ? (
        <Field of={form} name="to" label="E-mail addresses, one a line" rows={3} placeholder="ada@acme.example" />
      ) : (
        <Field
          of={form}
          name="to"
          label="Address"
          type="url"
          placeholder={CHATS[channel].example}
          hint={CHATS[channel].hint}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field of={form} name="every" label="How often" labels={PERIODS} />
        <Field of={form} name="min_severity" label="Severity" labels={SEVERITIES} />
      </div>
      {digest !== undefined && <DigestState digest={digest} />}
      <Problem problem={form.problem ?? test.problem ?? stop.problem} />
      <DialogActions>
        {digest !== undefined && (
          <>
            <Button look="ghost" disabled={busy} onClick={() => stop.run()}>
              Stop
            </Button>
            <Button disabled={busy} onClick={() => test.run()}>
              {test.busy ? 'Sending…' : 'Send a test'}
            </Button>
          </>
        )}
        <Button onClick={onClose}>Close</Button>
        <Button type="submit" look="primary" disabled={busy}>
          Save
        </Button>
      </DialogActions>
    </Form>
  );
}

function DigestState({ digest }: { digest: Digest }) {
  return (
    <p className="text-sm text-quiet [overflow-wrap:anywhere]" role="status">
      {digest.delivered_at === null ? (
        'None sent yet. '
      ) : (
        <>
          The last one arrived <Time at={digest.delivered_at} />.{' '}
        </>
      )}
      The next is due <Time at={digest.next} />.
      {digest.fault !== '' && <span className="block text-bad">{digest.fault}</span>}
    </p>
  );
}

/** Sends a test of the digest of a channel, and ends it. */
function useDigest(channel: Channel, onClose: () => void) {
  const { path, say, apply } = useChanges();
  const digestPath = `competitor-digests/${channel}`;
  const test = useAction(async () => {
    const { changes, fault } = await post<{ changes: number; fault: string }>(path(`${digestPath}/tests`));
    say(`A test with ${formatCount(changes, 'change')} was sent.${fault === '' ? '' : ` ${fault}`}`);
  });
  const stop = useAction(() =>
    apply(remove(path(digestPath)), { to: 'competitors', done: onClose, says: 'No more digests are sent' }),
  );
  return { test, stop };
}
