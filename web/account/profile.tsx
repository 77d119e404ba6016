import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountChange } from '../../src/accounts/account-bodies.ts';
import { useAction } from '../action.ts';
import { post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { EmailField, NameField } from '../components/person-fields.tsx';
import { Problem } from '../components/problem.tsx';
import { useToast } from '../components/toast.tsx';
import { useSession } from '../session.tsx';
import { ProofField, proofBody } from './proof.tsx';

const PASSWORD_LENGTH = 12;

/** Saves a change of the person's own account and shows it everywhere. */
function useAccountChange(message: string, onSaved: () => void = () => {}) {
  const queries = useQueryClient();
  const say = useToast();
  return useAction(async (change: AccountChange) => {
    await post('account', change);
    say(message);
    onSaved();
    await queries.invalidateQueries({ queryKey: ['session'] });
    void queries.invalidateQueries({ queryKey: ['sessions'] });
  });
}

export function ProfileForm() {
  const { person } = useSession().session;
  const [form, setForm] = useState({ name: person.name, email: person.email ?? '', proof: '' });
  const save = useAccountChange('Saved', () => setForm((now) => ({ ...now, proof: '' })));
  const isEmailChanged = form.email.trim() !== (person.email ?? '');
  const isChanged = isEmailChanged || form.name.trim() !== person.name;
  return (
    <form
      className="flex max-w-md flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.run({
          ...(form.name.trim() !== person.name && { name: form.name.trim() }),
          ...(isEmailChanged && { email: form.email.trim(), ...proofBody(form.proof) }),
        });
      }}
    >
      <NameField value={form.name} onEnter={(name) => setForm({ ...form, name })} />
      <EmailField value={form.email} onEnter={(email) => setForm({ ...form, email })} hint="You sign in with it." />
      {isEmailChanged && <ProofField value={form.proof} onChange={(proof) => setForm({ ...form, proof })} />}
      <div>
        <Problem problem={save.problem} />
        <Button
          type="submit"
          className="mt-1"
          disabled={save.busy}
          blocked={!isChanged && 'Nothing has been changed yet.'}
        >
          Save
        </Button>
      </div>
    </form>
  );
}

export function PasswordForm() {
  const { person } = useSession().session;
  const [form, setForm] = useState({ password: '', proof: '' });
  const save = useAccountChange('The password is set. All other sessions have ended.', () =>
    setForm({ password: '', proof: '' }),
  );
  return (
    <form
      className="flex max-w-md flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.run({ password: form.password, ...proofBody(form.proof) });
      }}
    >
      {person.email === null && <p className="text-quiet">Set an e-mail address first: you sign in with both.</p>}
      <input type="text" autoComplete="username" value={person.email ?? ''} readOnly hidden />
      <ProofField value={form.proof} onChange={(proof) => setForm({ ...form, proof })} />
      <TextField
        label={person.has_password ? 'New password' : 'Password'}
        type="password"
        autoComplete="new-password"
        required
        minLength={PASSWORD_LENGTH}
        value={form.password}
        onChange={(event) => setForm({ ...form, password: event.target.value })}
        hint={`At least ${PASSWORD_LENGTH} characters; a sentence is good. Setting it ends all other sessions.`}
      />
      <div>
        <Problem problem={save.problem} />
        <Button
          type="submit"
          className="mt-1"
          disabled={save.busy}
          blocked={passwordBlocked(person.email, form.password)}
        >
          {person.has_password ? 'Change password' : 'Set password'}
        </Button>
      </div>
    </form>
  );
}

function passwordBlocked(email: string | null, password: string): string | false {
  if (email === null) return 'Set an e-mail address first.';
  return password === '' && 'Enter a password first.';
}
