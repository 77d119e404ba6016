import type { AccountChange } from '../../src/accounts/account-bodies.ts';
import { useAction, useChanges, useFields } from '../action.ts';
import { post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { EmailField, Form, NameField, TextField } from '../components/field.tsx';
import { Problem } from '../components/query-state.tsx';
import { useSession } from '../session.tsx';
import { proofBody, ProofField } from './proof.tsx';

const PASSWORD_LENGTH = 12;

/** Saves a change of the person's own account and shows it everywhere. */
function useAccountChange(message: string, onSaved: () => void = () => {}) {
  const { say, refresh } = useChanges();
  return useAction(async (change: AccountChange) => {
    await post('account', change);
    say(message);
    onSaved();
    await refresh('session');
    void refresh('sessions');
  });
}

export function ProfileForm() {
  const { person } = useSession().session;
  const { fields: form, bind, set } = useFields({ name: person.name, email: person.email ?? '', proof: '' });
  const save = useAccountChange('Saved', () => set({ proof: '' }));
  const isEmailChanged = form.email.trim() !== (person.email ?? '');
  const isChanged = isEmailChanged || form.name.trim() !== person.name;
  return (
    <Form
      className="flex max-w-md flex-col gap-4"
      onSubmit={() =>
        save.run({
          ...(form.name.trim() !== person.name && { name: form.name.trim() }),
          ...(isEmailChanged && { email: form.email.trim(), ...proofBody(form.proof) }),
        })
      }
    >
      <NameField {...bind('name')} />
      <EmailField {...bind('email')} hint="You sign in with it." />
      {isEmailChanged && <ProofField {...bind('proof')} />}
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
    </Form>
  );
}

export function PasswordForm() {
  const { person } = useSession().session;
  const { fields: form, bind, set } = useFields({ password: '', proof: '' });
  const save = useAccountChange('The password is set. All other sessions have ended.', () =>
    set({ password: '', proof: '' }),
  );
  return (
    <Form
      className="flex max-w-md flex-col gap-4"
      onSubmit={() => save.run({ password: form.password, ...proofBody(form.proof) })}
    >
      {person.email === null && <p className="text-quiet">Set an e-mail address first: you sign in with both.</p>}
      <input type="text" autoComplete="username" value={person.email ?? ''} readOnly hidden />
      <ProofField {...bind('proof')} />
      <TextField
        label={person.has_password ? 'New password' : 'Password'}
        type="password"
        autoComplete="new-password"
        required
        minLength={PASSWORD_LENGTH}
        {...bind('password')}
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
    </Form>
  );
}

function passwordBlocked(email: string | null, password: string): string | false {
  if (email === null) return 'Set an e-mail address first.';
  return password === '' && 'Enter a password first.';
}
