import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { QuotaList } from '../../src/overview/quota-routes.ts';
import { useAction, useChanges, useFields } from '../action.ts';
import { send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Facts, Section } from '../components/page.tsx';
import { formatBytes } from '../format.ts';
import { quotasQuery } from '../queries.ts';
import { useSession } from '../session.tsx';

type QuotaUse = QuotaList['quotas'][number];
type Quota = QuotaUse['quota'];

const BYTES_PER_GB = 1e9;

const NAMES: Record<Quota, string> = {
  requests: 'Requests in the last minute',
  storage: 'Uploads and indexes',
  runs: 'Runs of agents today',
  model_cost: 'Cost of the language model today',
};

const LABELS: Record<Quota, string> = {
  requests: 'Requests a minute',
  storage: 'Uploads and indexes, in GB',
  runs: 'Runs of agents a day',
  model_cost: 'Cost of the language model a day',
};

/** What the shown product uses, beside what it may use; owners and admins change that. */
export function ProductUse() {
  const { product, atLeast } = useSession();
  const [isChanging, setChanging] = useState(false);
  const { data } = useQuery(quotasQuery(product.id));
  if (data === undefined) return undefined;
  return (
    <Section
      title={`Use of ${product.name}`}
      lead="At a limit, what takes more is refused; other products go on."
      actions={atLeast('admin') && <Button onClick={() => setChanging(true)}>Change limits</Button>}
    >
      <Facts facts={data.quotas.map((use) => [NAMES[use.quota], useText(use)] as const)} />
      {isChanging && <LimitsDialog quotas={data.quotas} onClose={() => setChanging(false)} />}
    </Section>
  );
}

function useText({ quota, used, limit }: QuotaUse): string {
  if (limit === null) return quota === 'requests' ? 'not limited' : `${amountText(quota, used)}, not limited`;
  return `${amountText(quota, used)} of ${amountText(quota, limit)}`;
}

function amountText(quota: Quota, amount: number): string {
  return quota === 'storage' ? formatBytes(amount) : amount.toLocaleString();
}

const unitOf = (quota: Quota): number => (quota === 'storage' ? BYTES_PER_GB : 1);

function LimitsDialog({ quotas, onClose }: { quotas: readonly QuotaUse[]; onClose: () => void }) {
  const { path, refresh, say } = useChanges();
  // A limit that is that of the settings is shown as none of the product's own.
  const own = quotas.map(({ quota, limit, default: setting }) => [
    quota,
    limit === null || limit === setting ? '' : String(limit / unitOf(quota)),
  ]);
  const { fields, bind } = useFields<Record<string, string>>(Object.fromEntries(own) as Record<string, string>);
  const change = useAction(async () => {
    const limits = quotas.map(({ quota }) => {
      const text = fields[quota]?.trim() ?? '';
      return [quota, text === '' ? null : Math.round(Number(text) * unitOf(quota) * 1_000) / 1_000];
    });
    await send('PATCH', path('quotas'), Object.fromEntries(limits) as object);
    say('Changed the limits');
    onClose();
    await refresh('quotas');
  });
  return (
    <FormDialog
      title="Limits of the product"
      lead="An empty field means what the settings of the service say."
      onClose={onClose}
      action="Change limits"
      change={change}
      onSubmit={() => change.run()}
    >
      {quotas.map(({ quota, default: setting }) => (
        <TextField
          key={quota}
          label={LABELS[quota]}
          type="number"
          min={quota === 'requests' ? 1 : 0}
          step={quota === 'requests' || quota === 'runs' ? 1 : 'any'}
          placeholder={setting === null ? 'no limit' : amountText(quota, setting)}
          {...bind(quota)}
        />
      ))}
    </FormDialog>
  );
}
