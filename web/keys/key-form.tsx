import { type RefObject, useState } from 'react';
import type { KeyWithSecret, NewKey } from '../../src/keys/key-bodies.ts';
import { useAction } from '../action.ts';
import { post } from '../api.ts';
import { DialogForm } from '../components/dialog.tsx';
import { Checkbox, ChoiceGroup, SelectField, TextField } from '../components/field.tsx';
import { formatMoment } from '../format.ts';
import { useSession } from '../session.tsx';

const NAME_LENGTH = 80;
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
const DEFAULT_SCOPES = SCOPES.map(({ name }) => name);
/** Offered to those who manage all keys themselves. */
const MANAGING_SCOPE = {
  name: 'keys:write',
  hint: 'Create, regenerate and delete API keys: as powerful as all other scopes together',
} as const;

interface KeyFormProps {
  nameRef: RefObject<HTMLInputElement | null>;
  onCreated: (created: KeyWithSecret) => void;
  onCancel: () => void;
}

export function KeyForm({ nameRef, onCreated, onCancel }: KeyFormProps) {
  const { session, product: present } = useSession();
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<ExpiryChoice>({ choice: 'never', date: '' });
  const [scopes, setScopes] = useState<readonly string[]>(DEFAULT_SCOPES);
  const [product, setProduct] = useState(present.id);
  const [isChecked, setChecked] = useState(false);
  const create = useAction(async (key: NewKey) => onCreated(await post<KeyWithSecret>('keys', key)));

  const end = endOf(expiry);
  const faults = faultsOf(name, { expiry, end }, scopes);

  function submit(): void {
    setChecked(true);
    if (faults.name !== undefined) nameRef.current?.focus();
    if (Object.values(faults).some((fault) => fault !== undefined)) return;
    const expires = expiry.choice === 'date' ? end?.toISOString() : expiry.choice;
    create.run({
      name: name.trim(),
      scopes: [...scopes],
      product,
      ...(expires !== undefined && expires !== 'never' && { expires }),
    });
  }

  return (
    <DialogForm noValidate action="Create key" change={create} onSubmit={submit} onCancel={onCancel}>
      <TextField
        label="Name"
        ref={nameRef}
        required
        maxLength={NAME_LENGTH}
        placeholder="Claude Code on my laptop"
        value={name}
        onEnter={setName}
        hint="Where the key is used. One key per client or script, so that you can revoke each on its own."
        fault={isChecked ? faults.name : undefined}
      />
      <ExpiryField expiry={expiry} end={end} fault={isChecked ? faults.date : undefined} onChange={setExpiry} />
      {session.products.length > 1 && (
        <SelectField
          label="Product"
          value={product}
          choices={session.products.map((choice) => ({ value: choice.id, label: choice.name }))}
          onChoose={setProduct}
          hint="The key can read this product and no other."
        />
      )}
      <ScopesField scopes={scopes} fault={isChecked ? faults.scopes : undefined} onChange={setScopes} />
    </DialogForm>
  );
}

/** Returns why the form cannot be sent, by field. */
function faultsOf(
  name: string,
  { expiry, end }: { expiry: ExpiryChoice; end: Date | undefined },
  scopes: readonly string[],
) {
  const isFuture = end !== undefined && end > new Date();
  return {
    name: name.trim() === '' ? 'Give the key a name.' : undefined,
    date: expiry.choice === 'date' && !isFuture ? 'Choose a day in the future.' : undefined,
    scopes: scopes.length === 0 ? 'Choose at least one.' : undefined,
  };
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

interface ScopesFieldProps {
  scopes: readonly string[];
  fault: string | undefined;
  onChange: (scopes: readonly string[]) => void;
}

function ScopesField({ scopes, fault, onChange }: ScopesFieldProps) {
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
            onChange={(isOn) => onChange(isOn ? [...scopes, name] : scopes.filter((scope) => scope !== name))}
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
