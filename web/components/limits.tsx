import type { QuotaList } from '../../src/overview/quota-routes.ts';
import { useAction, useChanges, useFields } from '../action.ts';
import { formatBytes } from '../format.ts';
import { FormDialog } from './dialog.tsx';
import { TextField } from './field.tsx';

type QuotaUse = QuotaList['quotas'][number];
type Quota = QuotaUse['quota'];

const BYTES_PER_GB = 1e9;

/** Use of something beside what limits it. */
export function useText({ quota, used, limit }: QuotaUse): string {
  if (limit === null) return quota === 'requests' ? 'not limited' : `${amountText(quota, used)}, not limited`;
  return `${amountText(quota, used)} of ${amountText(quota, limit)}`;
}

function amountText(quota: Quota, amount: number): string {
  return quota === 'storage' ? formatBytes(amount) : amount.toLocaleString();
}

const unitOf = (quota: Quota): number => (quota === 'storage' ? BYTES_PER_GB : 1);

interface LimitsDialogProps {
  title: string;
  lead: string;
  labels: Partial<Record<Quota, string>>;
  uses: readonly QuotaUse[];
  onClose: () => void;
  /** Sends the limits, of which null is that of the settings; returns what is to be read again. */
  save: (limits: Partial<Record<Quota, number | null>>) => Promise<string>;
}

/** Asks for the limits of a product or a key. */
export function LimitsDialog({ title, lead, labels, uses, onClose, save }: LimitsDialogProps) {
  const { refresh, say } = useChanges();
  // A limit that is that of the settings is shown as none of its own.
  const own = uses.map(({ quota, limit, default: setting }) => [
    quota,
    limit === null || limit === setting ? '' : String(limit / unitOf(quota)),
  ]);
  const { fields, bind } = useFields<Record<string, string>>(Object.fromEntries(own) as Record<string, string>);
  const change = useAction(async () => {
    const limits = uses.map(({ quota }) => {
      const text = fields[quota]?.trim() ?? '';
      return [quota, text === '' ? null : Math.round(Number(text) * unitOf(quota) * 1_000) / 1_000];
    });
    const changed = await save(Object.fromEntries(limits) as Partial<Record<Quota, number | null>>);
    say('Changed the limits');
    onClose();
    await refresh(changed);
  });
  return (
    <FormDialog
      title={title}
      lead={lead}
      onClose={onClose}
      action="Change limits"
      change={change}
      onSubmit={() => change.run()}
    >
      {uses.map(({ quota, default: setting }) => (
        <TextField
          key={quota}
          label={labels[quota] ?? quota}
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
