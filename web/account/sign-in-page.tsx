import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { PasswordSignIn, SessionBody, SignInResult } from '../../src/accounts/account-bodies.ts';
import { useAction, useFields } from '../action.ts';
import { post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { EmailField, Form, TextField } from '../components/field.tsx';
import { OwnCommand } from '../components/inline.tsx';
import { Problem } from '../components/query-state.tsx';
import { Card } from '../shell/card.tsx';
import { ProviderButtons } from './providers.tsx';

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
  const { fields: form, bind } = useFields({ email: '', password: '', code: '' });
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
    <Form
      className="mt-4 flex flex-col gap-4"
      onSubmit={() => {
        const { email, password } = form;
        signIn.run({ email: email.trim(), password, ...(isCodeRequired && { code: form.code.replaceAll(/\s/g, '') }) });
      }}
    >
      <EmailField required autoFocus {...bind('email')} />
      <TextField label="Password" type="password" autoComplete="current-password" required {...bind('password')} />
      {isCodeRequired && (
        <TextField
          ref={code}
          label="Code from your authenticator"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
          maxLength={7}
          {...bind('code')}
          hint="Six digits. Each code works once."
        />
      )}
      <div>
        <Problem problem={signIn.problem} />
        <Button type="submit" look="primary" className="mt-3 w-full" disabled={signIn.busy}>
          {signIn.busy ? 'Signing in…' : 'Sign in'}
        </Button>
      </div>
    </Form>
  );
}
