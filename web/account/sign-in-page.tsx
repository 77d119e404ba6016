import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type RefObject } from 'react';
import type { PasswordSignIn, SessionBody, SignInResult } from '../../src/accounts/account-bodies.ts';
import { ProviderButtons } from './providers.tsx';
import { useAction } from '../action.ts';
import { post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { EmailField } from '../components/person-fields.tsx';
import { Problem } from '../components/problem.tsx';
import { OwnCommand } from '../components/own-command.tsx';
import { Card } from '../shell/card.tsx';

export function SignInPage({ session: { sign_in: ways } }: { session: Extract<SessionBody, { signed_in: false }> }) {
  return (
    <Card title="Sign in">
      {ways.password && <PasswordForm />}
      <ProviderButtons providers={ways.oidc} />
      <p className="mt-4 text-sm text-quiet">
        {ways.password || ways.oidc.length > 0 ? 'Lost access? ' : 'Nobody has set a password yet. '}
        On the machine that the service runs on, <OwnCommand words="login-link" /> prints a link that signs you in once.
      </p>
    </Card>
  );
}

/** Address and password; the code of the authenticator is requested when it is needed. */
function PasswordForm() {
  const [form, setForm] = useState({ email: '', password: '', code: '' });
  const [isCodeRequired, setCodeRequired] = useState(false);
  const code = useRef<HTMLInputElement>(null);
  const queries = useQueryClient();
  const signIn = useAction(async (credentials: PasswordSignIn) => {
    const { status } = await post<SignInResult>('sign-in/password', credentials);
    if (status === 'code_required') {
      setCodeRequired(true);
      code.current?.focus();
    } else {
      await queries.invalidateQueries();
    }
  });
  return (
    <form
      className="mt-4 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const { email, password } = form;
        signIn.run({ email: email.trim(), password, ...(isCodeRequired && { code: form.code.replaceAll(/\s/g, '') }) });
      }}
    >
      <EmailField required autoFocus value={form.email} onEnter={(email) => setForm({ ...form, email })} />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={form.password}
        onChange={(event) => setForm({ ...form, password: event.target.value })}
      />
      {isCodeRequired && (
        <CodeField fieldRef={code} value={form.code} onChange={(entered) => setForm({ ...form, code: entered })} />
      )}
      <div>
        <Problem problem={signIn.problem} />
        <Button type="submit" look="primary" className="mt-3 w-full" disabled={signIn.busy}>
          {signIn.busy ? 'Signing in…' : 'Sign in'}
        </Button>
      </div>
    </form>
  );
}

interface CodeFieldProps {
  fieldRef: RefObject<HTMLInputElement | null>;
  value: string;
  onChange: (value: string) => void;
}

function CodeField({ fieldRef, value, onChange }: CodeFieldProps) {
  return (
    <TextField
      ref={fieldRef}
      label="Code from your authenticator"
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      autoFocus
      maxLength={7}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      hint="Six digits. Each code works once."
    />
  );
}
