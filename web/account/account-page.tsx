import { Page, Panel, Section } from '../components/page.tsx';
import { useSession } from '../session.tsx';
import { PasswordForm, ProfileForm } from './profile.tsx';
import { LinkedProviders } from './providers.tsx';
import { Sessions, SignOutEverywhere } from './sessions.tsx';
import { SecondFactor } from './totp.tsx';

export function AccountPage() {
  const { session } = useSession();
  const { person } = session;
  return (
    <Page title="Account" lead={`You are ${person.role} of ${session.account.name}.`}>
      <Section title="Profile">
        <Panel className="p-4">
          <ProfileForm key={`${person.name}\n${person.email}`} />
        </Panel>
      </Section>
      <Section title="Password">
        <Panel className="p-4">
          <PasswordForm />
        </Panel>
      </Section>
      <Section title="Second factor">
        <Panel className="p-4">
          <SecondFactor />
        </Panel>
      </Section>
      {session.sign_in.oidc.length > 0 && (
        <Section title="Identity providers">
          <Panel className="p-4">
            <LinkedProviders />
          </Panel>
        </Section>
      )}
      <Section title="Sessions" actions={<SignOutEverywhere />}>
        <Sessions />
      </Section>
      <p className="mt-8 text-sm text-quiet">svc {session.version}</p>
    </Page>
  );
}
