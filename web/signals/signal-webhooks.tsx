import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChanges } from '../action.ts';
import { post } from '../api.ts';
import { Button, IconButton } from '../components/button.tsx';
import { CopyField, Snippet } from '../components/copy.tsx';
import { Removal, Dialog, DialogActions, FormDialog } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { EmptyState, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Table, actionsColumn, Cell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { postSignalWebhooks } from '../form-rules.json';
import { useSession } from '../session.tsx';
import { type Webhook, webhooksQuery } from './source-queries.ts';

/** Addresses to which programs of one's own send signals. */
export function SignalWebhooks() {
  const { product } = useSession();
  const query = useQuery(webhooksQuery(product.id));
  const [isCreating, setCreating] = useState(false);
  const [removed, setRemoved] = useState<Webhook>();
  const { webhooks = [] } = query.data ?? {};
  const create = (
    <Button icon="plus" onClick={() => setCreating(true)}>
      Create a webhook
    </Button>
  );
  return (
    <Section
      title="Webhooks for signals"
      lead="Addresses to which other programs send what customers say, signed with a secret."
      {...(webhooks.length > 0 && { actions: create })}
    >
      <QueryState query={query} what="webhooks" rows={2} />
      {query.isSuccess && webhooks.length === 0 && (
        <EmptyState icon="plug" title="No webhook yet" action={create}>
          A form, a script or a GitHub repository can send signals without an API key.
        </EmptyState>
      )}
      {webhooks.length > 0 && <WebhookTable webhooks={webhooks} onRemove={setRemoved} />}
      {isCreating && <CreateWebhook onClose={() => setCreating(false)} />}
      {removed !== undefined && <RemoveWebhook webhook={removed} onClose={() => setRemoved(undefined)} />}
    </Section>
  );
}

function WebhookTable({ webhooks, onRemove }: { webhooks: Webhook[]; onRemove: (webhook: Webhook) => void }) {
  return (
    <Table caption="Webhooks for signals" columns={['Name', ['Last used', 'max-sm:hidden'], actionsColumn()]}>
      {webhooks.map((webhook) => (
        <tr key={webhook.id}>
          <RowHeader className="font-medium [overflow-wrap:anywhere]">
            {webhook.name}
            <code className="block font-mono text-xs font-normal text-quiet">{webhook.path}</code>
          </RowHeader>
          <Cell className="text-quiet max-sm:hidden">
            {webhook.last_used_at === null ? 'never' : <Time at={webhook.last_used_at} />}
          </Cell>
          <td className="px-2 py-1.5">
            <IconButton icon="trash" label={`Delete ${webhook.name}`} onClick={() => onRemove(webhook)} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function CreateWebhook({ onClose }: { onClose: () => void }) {
  const { path, apply } = useChanges();
  const [made, setMade] = useState<Webhook & { secret: string }>();
  const form = useForm({ rules: postSignalWebhooks }, (webhook: { name: string }) =>
    apply(post<Webhook & { secret: string }>(path('signal-webhooks'), webhook), {
      to: 'signal-webhooks',
      done: setMade,
    }),
  );
  if (made !== undefined) return <CreatedWebhook webhook={made} onClose={onClose} />;
  return (
    <FormDialog title="Create a webhook" lead="Its secret is shown once." onClose={onClose} action="Create" form={form}>
      <Field of={form} name="name" label="Name" />
    </FormDialog>
  );
}

/** The secret, this once, and how to sign with it. */
function CreatedWebhook({ webhook, onClose }: { webhook: Webhook & { secret: string }; onClose: () => void }) {
  const { session } = useSession();
  const address = `${session.base_url.replace(/\/$/, '')}${webhook.path}`;
  const example = [
    `BODY='{"text": "Exports are slow", "customer": "Acme", "external_id": "1"}'`,
    `SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/.* //')`,
    `curl -H "X-Signature-256: sha256=$SIGNATURE" -H 'Content-Type: application/json' -d "$BODY" ${address}`,
  ].join('\n');
  return (
    <Dialog
      title={`The webhook “${webhook.name}”`}
      lead="Copy the secret now: it is not shown again."
      dismissible={false}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <CopyField label="Secret" value={webhook.secret} />
        <Snippet title="Address" label="Address of the webhook" text={address} />
        <Snippet title="Send a signal, with the secret in SECRET" label="Example of a request" text={example} />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function RemoveWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { path } = useChanges();
  return (
    <Removal
      title={`Delete the webhook “${webhook.name}”?`}
      action="Delete webhook"
      path={path(`signal-webhooks/${encodeURIComponent(webhook.id)}`)}
      kinds={['signal-webhooks']}
      onClose={onClose}
    >
      Programs that use it are refused from now on. The signals that they sent stay.
    </Removal>
  );
}
