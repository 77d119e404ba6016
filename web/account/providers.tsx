import type { OidcRedirect, OidcStart, SignInWays } from '../../src/accounts/account-bodies.ts';
import { useAction } from '../action.ts';
import { post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Badge } from '../components/inline.tsx';
import { Problem } from '../components/query-state.tsx';
import { useSession } from '../session.tsx';

type Provider = SignInWays['oidc'][number];

interface ProviderButtonsProps {
  providers: readonly Provider[];
  /** Token of the invitation that is accepted by this. */
  invitation?: string;
}

/** Ways in through identity providers; the browser leaves the page and comes back signed in. */
export function ProviderButtons({ providers, invitation }: ProviderButtonsProps) {
  if (providers.length === 0) return null;
  return (
    <div className="mt-4 flex flex-col gap-2">
      {providers.map((provider) => (
        <ProviderButton
          key={provider.id}
          provider={provider}
          label={`Continue with ${provider.name}`}
          {...(invitation !== undefined && { invitation })}
        />
      ))}
    </div>
  );
}

/** Identity providers that are linked to the person, and buttons for the others. */
export function LinkedProviders() {
  const { sign_in: ways, person } = useSession().session;
  return (
    <ul className="flex flex-col gap-3">
      {ways.oidc.map((provider) => (
        <li key={provider.id} className="flex flex-wrap items-center gap-3">
          <span className="min-w-0 grow font-medium">{provider.name}</span>
          {person.identities.includes(provider.id) ? (
            <Badge tone="good">Linked</Badge>
          ) : (
            <ProviderButton provider={provider} label={`Link ${provider.name}`} />
          )}
        </li>
      ))}
    </ul>
  );
}

function ProviderButton({ provider, label, invitation }: { provider: Provider; label: string; invitation?: string }) {
  const start = useAction(async () => {
    const body: OidcStart = invitation === undefined ? {} : { invitation };
    const { url } = await post<OidcRedirect>(`sign-in/oidc/${encodeURIComponent(provider.id)}`, body);
    location.assign(url);
  });
  return (
    <>
      <Button disabled={start.busy} onClick={() => start.run()}>
        {label}
      </Button>
      <Problem problem={start.problem} />
    </>
  );
}
