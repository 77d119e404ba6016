import type { AccountChange } from '../../src/accounts/account-bodies.ts';
import { useChanges } from '../action.ts';
import { post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Form } from '../components/field.tsx';
import { Field, type FormState, useForm } from '../components/form.tsx';
import { Problem } from '../components/query-state.tsx';
import { postAccount } from '../form-rules.json';
import { useSession } from '../session.tsx';
import { ProofField } from './proof.tsx';

/** Saves a change of the person's own account and shows it everywhere. */
function useAccountForm(edited: { name?: string; email?: string | null }, message: string): FormState<AccountChange> {
  const { apply } = useChanges();
  const form: FormState<AccountChange> = useForm({ rules: postAccount, edited }, (change: AccountChange) =>
    apply(post('account', change), {
      to: ['session', 'sessions'],
      done: () => form.restart({ password: '', current_password: '' }),
      says: message,
    }),
  );
  return form;
}

export function ProfileForm() {
  const { person } = useSession().session;
  const form = useAccountForm({ name: person.name, email: person.email }, 'Saved');
  const { name, email } = form.entries;
  const isEmailChanged = email.trim() !== (person.email ?? '');
  const isChanged = isEmailChanged || name.trim() !== person.name;
  return (
    <Form className="flex max-w-md flex-col gap-4" form={form}>
      <Field of={form} name="name" label="Name" autoComplete="name" required />
      <Field
        of={form}
        name="email"
        label="E-mail address"
        type="email"
        autoComplete="username"
        hint="You sign in with it."
      />
      {isEmailChanged && <ProofField of={form} />}
      <div>
        <Problem problem={form.problem} />
        <Button
          type="submit"
          className="mt-1"
          disabled={form.busy}
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
  const form = useAccountForm({}, 'The password is set. All other sessions have ended.');
  const { minLength } = postAccount.password;
  return (
    <Form className="flex max-w-md flex-col gap-4" form={form}>
      {person.email === null && <p className="text-quiet">Set an e-mail address first: you sign in with both.</p>}
      <input type="text" autoComplete="username" value={person.email ?? ''} readOnly hidden />
      <ProofField of={form} />
      <Field
        of={form}
        name="password"
        label={person.has_password ? 'New password' : 'Password'}
        autoComplete="new-password"
        required
        hint={`At least ${minLength} characters; a sentence is good. Setting it ends all other sessions.`}
      />
      <div>
        <Problem problem={form.problem} />
        <Button
          type="submit"
          className="mt-1"
          disabled={form.busy}
          blocked={person.email === null && 'Set an e-mail address first.'}
        >
          {person.has_password ? 'Change password' : 'Set password'}
        </Button>
      </div>
    </Form>
  );
}
