import { useState } from 'react';
import type { KeyWithSecret, NewKey } from '../../src/keys/key-bodies.ts';
import { post } from '../api.ts';
import { DialogForm } from '../components/dialog.tsx';
import { Checkbox, ChoiceGroup, TextField } from '../components/field.tsx';
import { Field, type FormState, useForm } from '../components/form.tsx';
import { postKeys } from '../form-rules.json';
import { formatMoment } from '../format.ts';
import { useSession } from '../session.tsx';

const DAY_MS = 86_400_000;

const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '365d', label: '1 year' },
  { value: 'date', label: 'Date…' },
] as const;

interface ExpiryChoice {
  choice: (typeof EXPIRIES)[number]['value'];
  /** `2026-11-21`, for the choice `date`. */
  date: string;
}

const SCOPES = [
  { name: 'read', hint: 'Ask questions about the product' },
  { name: 'decisions:write', hint: 'Record decisions' },
  { name: 'plans:write', hint: 'Write plans and report on work items' },
  { name: 'scrape', hint: 'Fetch watched pages of competitors' },
] as const;
const DEFAULT_SCOPES: string[] = SCOPES.map(({ name }) => name);
/** Offered to those who manage all keys themselves. */
const MANAGING_SCOPE = {
  name: 'keys:write',
  hint: 'Create, regenerate and delete API keys: as powerful as all other scopes together',
} as const;

interface KeyFormProps {
  onCreated: (created: KeyWithSecret) => void;
  onCancel: () => void;
}

export function KeyForm({ onCreated, onCancel }: KeyFormProps) {
  const { session, product } = useSession();
  const [expiry, setExpiry] = useState<ExpiryChoice>({ choice: 'never', date: '' });
  const end = endOf(expiry);
  const form = useForm(
    {
      rules: postKeys,
      initial: { scopes: DEFAULT_SCOPES, product: product.id },
      check: ({ scopes }) => ({
        expires: expiry.choice === 'date' && !isFuture(end) ? 'Choose a day in the future.' : undefined,
        scopes: scopes.length === 0 ? 'Choose at least one.' : undefined,
      }),
    },
    async (key: NewKey) => {
      const expires = expiry.choice === 'date' ? end?.toISOString() : expiry.choice;
      const isEnding = expires !== undefined && expires !== 'never';
      onCreated(await post<KeyWithSecret>('keys', { ...key, ...(isEnding && { expires }) }));
    },
  );
  return (
    <DialogForm action="Create key" form={form} onCancel={onCancel}>
      <Field
        of={form}
        name="name"
        label="Name"
        placeholder="Claude Code on my laptop"
        hint="Where the key is used. One key per client or script, so that you can revoke each on its own."
      />
      <ExpiryField expiry={expiry} end={end} fault={form.faults.expires} onChange={setExpiry} />
      {session.products.length > 1 && (
        <Field
          of={form}
          name="product"
          label="Product"
          choices={session.products.map(({ id, name }) => ({ value: id, label: name }))}
          hint="The key can read this product and no other."
        />
      )}
      <ScopesField form={form} />
    </DialogForm>
  );
}

function isFuture(end: Date | undefined): boolean {
  return end !== undefined && end > new Date();
}

interface ExpiryFieldProps {
  expiry: ExpiryChoice;
  end: Date | undefined;
  fault: string | undefined;
  onChange: (expiry: ExpiryChoice) => void;
}

function ExpiryField({ expiry, end, fault, onChange }: ExpiryFieldProps) {
  return (
    <ChoiceGroup
      legend="Expires"
      name="expiry"
      value={expiry.choice}
      choices={EXPIRIES}
      onChoose={(choice) => onChange({ ...expiry, choice })}
    >
      {expiry.choice === 'date' && (
        <TextField
          label="Last day"
          type="date"
          className="mt-3"
          min={localDay(new Date())}
          value={expiry.date}
          onEnter={(text) => onChange({ ...expiry, date: text })}
          fault={fault}
        />
      )}
      <p aria-live="polite" className="mt-1.5 text-xs leading-4.5 text-quiet">
        {end === undefined
          ? expiry.choice === 'date'
            ? 'The key works until the end of that day.'
            : 'Works until it is regenerated or deleted.'
          : `Stops working ${formatMoment(end.toISOString())}. It is marked as expiring 14 days before.`}
      </p>
    </ChoiceGroup>
  );
}

function ScopesField({ form }: { form: FormState<NewKey> }) {
  const { scopes } = form.entries;
  const fault = form.faults.scopes;
  const { atLeast } = useSession();
  const offered = atLeast('admin') ? [...SCOPES, MANAGING_SCOPE] : SCOPES;
  return (
    <details className="rounded-md border border-line px-3 py-2">
      <summary className="font-medium">
        Permissions{' '}
        <span className="font-normal text-quiet">· {scopes.length === 0 ? 'nothing' : scopes.join(', ')}</span>
      </summary>
      <fieldset className="mt-2 flex flex-col gap-2 pb-1">
        <legend className="sr-only">Scopes</legend>
        {offered.map(({ name, hint }) => (
          <Checkbox
            key={name}
            label={name}
            hint={hint}
            checked={scopes.includes(name)}
            onChange={(isOn) =>
              form.set({ scopes: isOn ? [...scopes, name] : scopes.filter((scope) => scope !== name) })
            }
          />
        ))}
      </fieldset>
      {fault !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {fault}
        </p>
      )}
    </details>
  );
}

/** The moment the key ends: for a date the last moment of that day, in the viewer's zone. */
function endOf({ choice, date }: ExpiryChoice): Date | undefined {
  if (choice === 'never') return undefined;
  if (choice !== 'date') return new Date(Date.now() + Number.parseInt(choice, 10) * DAY_MS);
  const end = new Date(`${date}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? undefined : end;
}

/** `2026-11-21` in the viewer's zone, as date inputs want it. */
function localDay(moment: Date): string {
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
