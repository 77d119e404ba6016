import type { z } from '@hono/zod-openapi';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type * as routes from '../../src/repositories/organizations/organization-routes.ts';
import { useAction, useChanges } from '../action.ts';
import { post } from '../api.ts';
import { IconButton } from '../components/button.tsx';
import { FormDialog, Removal } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { Badge } from '../components/inline.tsx';
import { Section } from '../components/page.tsx';
import { Problem } from '../components/query-state.tsx';
import { Table, actionsColumn, Cell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { postOrganizations } from '../form-rules.json';
import { readQuery } from '../queries.ts';
import { useSession } from '../session.tsx';

type Organization = z.output<typeof routes.OrganizationBody>;
type NewOrganization = z.input<typeof routes.NewOrganizationBody>;

const KINDS = { github: 'GitHub Enterprise', gitlab: 'GitLab', gitea: 'Gitea or Forgejo' };

function organizationsQuery(product: string) {
  return readQuery<{ organizations: Organization[] }>('organizations', 'organizations', { product });
}

/** Organizations whose repositories are added by themselves; nothing where there is none. */
export function Organizations() {
  const { product, atLeast } = useSession();
  const { data } = useQuery(organizationsQuery(product.id));
  const { path, apply } = useChanges();
  const [removed, setRemoved] = useState<Organization>();
  const read = useAction(({ id }: Organization) =>
    apply(post<Organization>(path(`organizations/${encodeURIComponent(id)}/reads`)), { to: 'organizations' }),
  );
  const organizations = data?.organizations ?? [];
  if (organizations.length === 0) return null;
  return (
    <Section title="Followed organizations" lead="New repositories of these are added within an hour.">
      <Table
        caption="Followed organizations"
        columns={['Organization', 'Added', ['Last read', 'max-sm:hidden'], actionsColumn('w-24')]}
      >
        {organizations.map((organization) => (
          <tr key={organization.id}>
            <RowHeader className="font-medium [overflow-wrap:anywhere]">
              {organization.address.replace(/^https?:\/\//, '')}
              <span className="block text-sm font-normal text-quiet">{choiceOf(organization)}</span>
              {organization.fault !== '' && (
                <span className="block text-sm font-normal">
                  <Badge tone="warn">not read</Badge> {organization.fault} Next try: <Time at={organization.next} />
                </span>
              )}
            </RowHeader>
            <Cell>
              {organization.added} of {organization.total}
            </Cell>
            <Cell className="text-quiet max-sm:hidden">
              {organization.read_at === null ? 'not yet' : <Time at={organization.read_at} />}
            </Cell>
            <td className="px-2 py-1.5 text-right whitespace-nowrap">
              {atLeast('admin') && (
                <>
                  <IconButton
                    icon="refresh"
                    label={`Look for new repositories of ${organization.address} now`}
                    disabled={read.busy}
                    onClick={() => read.run(organization)}
                  />
                  <IconButton
                    icon="trash"
                    label={`Stop following ${organization.address}`}
                    onClick={() => setRemoved(organization)}
                  />
                </>
              )}
            </td>
          </tr>
        ))}
      </Table>
      <Problem problem={read.problem} />
      {removed !== undefined && <Unfollow organization={removed} onClose={() => setRemoved(undefined)} />}
    </Section>
  );
}

/** Names that are added, where that is not every one that is neither archived nor a fork. */
function choiceOf({ include, exclude, archived, forks }: Organization): string {
  return [
    ...(include.join() === '**' ? [] : [`only ${include.join(', ')}`]),
    ...(exclude.length === 0 ? [] : [`without ${exclude.join(', ')}`]),
    ...(archived ? ['archived ones too'] : []),
    ...(forks ? ['forks too'] : []),
  ].join(' · ');
}

function Unfollow({ organization, onClose }: { organization: Organization; onClose: () => void }) {
  const { path } = useChanges();
  return (
    <Removal
      title={`Stop following ${organization.address.replace(/^https?:\/\//, '')}?`}
      action="Stop following"
      path={path(`organizations/${encodeURIComponent(organization.id)}`)}
      kinds={['organizations']}
      onClose={onClose}
    >
      Its repositories stay. Private ones can no longer be fetched with its token, which is deleted.
    </Removal>
  );
}

/** The token leaves the form with the request and is kept nowhere else. */
export function FollowOrganization({ onClose }: { onClose: () => void }) {
  const { path, apply } = useChanges();
  const follow = async (request: NewOrganization): Promise<Organization> => {
    const { id } = await post<Organization>(path('organizations'), request);
    return post<Organization>(path(`organizations/${encodeURIComponent(id)}/reads`));
  };
  const form = useForm({ rules: postOrganizations }, (request: NewOrganization) =>
    apply(follow(request), {
      to: 'organizations',
      done: onClose,
      says: ({ address }) => `Following ${address}; indexing is queued`,
    }),
  );
  return (
    <FormDialog
      title="Follow an organization"
      lead="All of its repositories are added, and new ones within an hour."
      onClose={onClose}
      action="Follow and index"
      form={form}
    >
      <Field
        of={form}
        name="address"
        label="Address"
        spellCheck={false}
        autoCapitalize="none"
        placeholder="https://github.com/acme"
        hint="Of an organization, a group or a person at GitHub, GitLab, Gitea or Forgejo."
      />
      <Field of={form} name="kind" label="Kind of host" none="By its address" labels={KINDS} />
      <Field
        of={form}
        name="token"
        label="Token"
        type="password"
        hint="For private repositories; it may read repositories. It is stored encrypted and never shown again."
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field of={form} name="include" label="Only" placeholder="api-*, web" hint="Names or patterns." />
        <Field of={form} name="exclude" label="Without" placeholder="*-archive" />
      </div>
      <Field of={form} name="archived" label="Archived ones too" />
      <Field of={form} name="forks" label="Forks too" />
    </FormDialog>
  );
}
