import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { LinkSignIn, SignInResult } from '../../src/accounts/account-bodies.ts';
import { ApiError, post } from '../api.ts';
import { OwnCommand } from '../components/inline.tsx';
import { takeFragmentToken } from '../fragment-token.ts';
import { Card } from '../shell/card.tsx';

/** Exchanges the token of a one-time link for a session. By POST, so that link previews cannot use it up. */
export function WelcomePage() {
  const [token] = useState(takeFragmentToken);
  const [problem, setProblem] = useState<string | undefined>(token === undefined ? 'It contains no token.' : undefined);
  const navigate = useNavigate();
  const queries = useQueryClient();

  useEffect(() => {
    if (token === undefined) return;
    async function exchange(body: LinkSignIn): Promise<void> {
      try {
        await post<SignInResult>('sign-in/link', body);
        await queries.resetQueries({ queryKey: ['session'] });
        await navigate({ to: '/', replace: true });
      } catch (error) {
        setProblem(error instanceof ApiError ? error.message : 'Something went wrong.');
      }
    }
    void exchange({ token });
  }, [token, queries, navigate]);

  if (problem === undefined) {
    return (
      <Card title="Signing you in…">
        <p role="status" className="mt-2 text-quiet">
          One moment.
        </p>
      </Card>
    );
  }
  return (
    <Card title="This link does not work">
      <p role="alert" className="mt-2 text-quiet">
        {problem} A sign-in link works once and for 15 minutes. Run <OwnCommand words="login-link" /> on the machine of
        the service, or ask whoever sent it, for a new one.
      </p>
    </Card>
  );
}
