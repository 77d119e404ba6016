import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SessionEntry } from '../../src/accounts/account-bodies.ts';
import { useAction, useChanges } from '../action.ts';
import { post, remove } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Confirmation } from '../components/dialog.tsx';
import { Badge } from '../components/inline.tsx';
import { Panel } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { sessionsQuery } from '../queries.ts';

const WAYS = {
  link: 'a one-time link',
  password: 'the password',
  oidc: 'an identity provider',
  invitation: 'an invitation',
};

/** Browsers in which the person is signed in. */
export function Sessions() {
  const query = useQuery(sessionsQuery());
  if (query.data === undefined) return <QueryState query={query} what="sessions" rows={2} rowClass="h-[65px]" />;
  return (
    <Panel>
      <ul className="divide-y divide-line">
        {query.data.sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </Panel>
  );
}

function SessionRow({ session }: { session: SessionEntry }) {
  const { apply, tell } = useChanges();
  const name = browserName(session.user_agent);
  const path = `sessions/${encodeURIComponent(session.id)}`;
  const end = useAction(() => apply(remove(path), { to: 'sessions', says: 'Ended the session' }), tell);
  return (
    <li className="flex min-h-[65px] flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <span className="min-w-0 grow basis-56">
        <span className="flex flex-wrap items-center gap-2" title={session.user_agent}>
          <span className="font-medium">{name}</span>
          {session.current && <Badge tone="accent">This one</Badge>}
        </span>
        <span className="block text-sm text-quiet">
          With {WAYS[session.way]} <Time at={session.created_at} />, last seen <Time at={session.last_seen_at} />
        </span>
      </span>
      {!session.current && (
        <Button aria-label={`End the session in ${name}`} disabled={end.busy} onClick={() => end.run()}>
          End
        </Button>
      )}
    </li>
  );
}

export function SignOutEverywhere() {
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  return (
    <>
      <Button icon="leave" onClick={() => setAsking(true)}>
        Sign out everywhere…
      </Button>
      {isAsking && (
        <Confirmation
          title="Sign out everywhere?"
          action="Sign out everywhere"
          onConfirm={async () => {
            await post('sign-out-everywhere');
            queries.clear();
            location.assign('/');
          }}
          onClose={() => setAsking(false)}
        >
          All your sessions end, including this one. API keys keep working.
        </Confirmation>
      )}
    </>
  );
}

/** Returns the usual name of a browser, as far as the header shows it. */
function browserName(userAgent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)/.exec(userAgent)?.[1];
  const system = /(Windows|Mac OS X|Android|iPhone|iPad|Linux)/.exec(userAgent)?.[1];
  if (browser === undefined) return userAgent === '' ? 'Unknown browser' : userAgent.slice(0, 60);
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };
  const parts = [browser, system].flatMap((part) => (part === undefined ? [] : [names[part] ?? part]));
  return parts.join(' on ');
}
