import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { InvitationAcceptance, InvitationView } from '../../src/accounts/account-bodies.ts';
import { ApiError, post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Form } from '../components/field.tsx';
import { Field, useForm } from '../components/form.tsx';
import { Problem } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { postInvitationsAccept } from '../form-rules.json';
import { takeFragmentToken } from '../fragment-token.ts';
import { sessionQuery } from '../query-client.ts';
import { Card } from '../shell/card.tsx';
import { ProviderButtons } from './providers.tsx';

/** Shows who invites to what, and makes the person. */
export function InvitationPage() {
  const [token] = useState(takeFragmentToken);
  const [view, setView] = useState<InvitationView>();
  const session = useQuery(sessionQuery(undefined));
  const [problem, setProblem] = useState<string | undefined>(token === undefined ? 'It contains no token.' : undefined);
  useEffect(() => {
    if (token === undefined) return;
    post<InvitationView>('invitations/inspect', { token }).then(setView, (error: unknown) =>
      setProblem(error instanceof ApiError ? error.message : 'Something went wrong.'),
    );
  }, [token]);
  if (problem !== undefined) {
    return (
      <Card title="This invitation does not work">
        <p role="alert" className="mt-2 text-quiet">
          {problem} An invitation works once and for seven days. Ask whoever sent it for a new one.
        </p>
      </Card>
    );
  }
  if (view === undefined || token === undefined) {
    return (
      <Card title="Invitation">
        <p role="status" className="mt-2 text-quiet">
          One moment.
        </p>
      </Card>
    );
  }
  return (
    <Card title={`Join ${view.account}`}>
      <p className="mt-1 text-quiet">
        You are invited as {view.role}. The invitation ends <Time at={view.expires_at} />.
      </p>
      <ProviderButtons providers={session.data?.sign_in.oidc ?? []} invitation={token} />
      <AcceptForm token={token} view={view} />
    </Card>
  );
}

function AcceptForm({ token, view }: { token: string; view: InvitationView }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const isFixed = view.email !== null;
  const initial = { token, email: view.email };
  const form = useForm(
    { rules: postInvitationsAccept, initial },
    async ({ email, ...person }: InvitationAcceptance) => {
      await post('invitations/accept', { ...person, ...(!isFixed && { email }) });
      await queries.resetQueries({ queryKey: ['session'] });
      await navigate({ to: '/', replace: true });
    },
  );
  return (
    <Form className="mt-4 flex flex-col gap-4" form={form}>
      <Field of={form} name="name" label="Your name" autoComplete="name" autoFocus />
      <Field
        of={form}
        name="email"
        label="E-mail address"
        type="email"
        autoComplete="username"
        required
        readOnly={isFixed}
        hint={isFixed ? 'The invitation is for this address.' : undefined}
      />
      <Field
        of={form}
        name="password"
        label="Password"
        autoComplete="new-password"
        hint={`At least ${postInvitationsAccept.password.minLength} characters.`}
      />
      <div>
        <Problem problem={form.problem} />
        <Button type="submit" look="primary" className="mt-3 w-full" disabled={form.busy}>
          Join
        </Button>
      </div>
    </Form>
  );
}
