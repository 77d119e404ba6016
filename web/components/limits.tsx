import type { QuotaList } from '../../src/overview/quota-routes.ts';
import { useChanges } from '../action.ts';
import { patchQuotas } from '../form-rules.json';
import { formatBytes } from '../format.ts';
import type { Kind } from '../query-keys.ts';
import { FormDialog } from './dialog.tsx';
import { Field, useForm } from './form.tsx';

type QuotaUse = QuotaList['quotas'][number];
type Quota = QuotaUse['quota'];
type Limits = { [Name in Quota]?: number | null };

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
  /** Sends the limits that were changed, of which null is that of the settings. */
  save: (limits: Limits) => Promise<unknown>;
  /** What they are of. */
  to: Kind;
}

/** Asks for the limits of a product or a key. */
export function LimitsDialog({ title, lead, labels, uses, onClose, save, to }: LimitsDialogProps) {
  const { apply } = useChanges();
  // A limit that is that of the settings is shown as none of its own.
  const own = uses.map(({ quota, limit, default: setting }) => [
    quota,
    limit === null || limit === setting ? '' : limit / unitOf(quota),
  ]);
  // Gigabytes may have fractions; the body has bytes.
  const rules = { ...patchQuotas, storage: { ...patchQuotas.storage, kind: 'number' } };
  const edited = Object.fromEntries(own) as Partial<Record<Quota, number | ''>>;
  const form = useForm({ rules, edited }, async ({ storage, ...limits }: Limits) => {
    const bytes = typeof storage === 'number' ? Math.round(storage * BYTES_PER_GB) : storage;
    const change = save({ ...limits, ...(bytes !== undefined && { storage: bytes }) });
    await apply(change, { to, done: onClose, says: 'Changed the limits' });
  });
  return (
    <FormDialog title={title} lead={lead} onClose={onClose} action="Change limits" form={form}>
      {uses.map(({ quota, default: setting }) => (
        <Field
          key={quota}
          of={form}
          name={quota}
          label={labels[quota] ?? quota}
          placeholder={setting === null ? 'no limit' : amountText(quota, setting)}
        />
      ))}
    </FormDialog>
  );
}
