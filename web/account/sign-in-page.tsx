import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PasswordSignIn, SessionBody, SignInResult } from '../../src/accounts/account-bodies.ts';
import { post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Form } from '../components/field.tsx';
import { Field, useForm } from '../components/form.tsx';
import { OwnCommand } from '../components/inline.tsx';
import { Problem } from '../components/query-state.tsx';
import { postSignInPassword } from '../form-rules.json';
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
  const [isCodeRequired, setCodeRequired] = useState(false);
  const queries = useQueryClient();
  const form = useForm({ rules: postSignInPassword }, async ({ code, ...credentials }: PasswordSignIn) => {
    const body = { ...credentials, ...(code !== undefined && { code: code.replaceAll(/\s/g, '') }) };
    const { status } = await post<SignInResult>('sign-in/password', body);
    if (status === 'code_required') setCodeRequired(true);
    else await queries.invalidateQueries();
  });
  return (
    <Form className="mt-4 flex flex-col gap-4" form={form}>
      <Field of={form} name="email" label="E-mail address" type="email" autoComplete="username" autoFocus />
      <Field of={form} name="password" label="Password" autoComplete="current-password" />
      {isCodeRequired && (
        <Field
          of={form}
          name="code"
          label="Code from your authenticator"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
          hint="Six digits. Each code works once."
        />
      )}
      <div>
        <Problem problem={form.problem} />
        <Button type="submit" look="primary" className="mt-3 w-full" disabled={form.busy}>
          {form.busy ? 'Signing in…' : 'Sign in'}
        </Button>
      </div>
    </Form>
  );
}
