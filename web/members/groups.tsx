import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { GroupList, Member } from '../../src/accounts/account-bodies.ts';
import { useAction, useChanges } from '../action.ts';
import { post, remove, send } from '../api.ts';
import { Button, IconButton } from '../components/button.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { Select } from '../components/field.tsx';
import { Field, useForm } from '../components/form.tsx';
import { Panel, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { postGroups } from '../form-rules.json';
import { groupsQuery } from '../queries.ts';

type Group = GroupList['groups'][number];

/** Groups of members: what one is given in a product, each of its people has. */
export function Groups({ members }: { members: readonly Member[] }) {
  const query = useQuery(groupsQuery());
  const [isMaking, setMaking] = useState(false);
  return (
    <Section
      title="Groups"
      lead="A group is given a role in products like one person: Settings, Products, Access."
      actions={<Button onClick={() => setMaking(true)}>New group</Button>}
    >
      <QueryState query={query} what="groups" />
      {query.data !== undefined && query.data.groups.length > 0 && (
        <Panel>
          <ul className="divide-y divide-line">
            {query.data.groups.map((group) => (
              <GroupRow key={group.id} group={group} members={members} />
            ))}
          </ul>
        </Panel>
      )}
      {isMaking && <NewGroup onClose={() => setMaking(false)} />}
    </Section>
  );
}

function GroupRow({ group, members }: { group: Group; members: readonly Member[] }) {
  const { apply, tell } = useChanges();
  const path = `groups/${encodeURIComponent(group.id)}`;
  const person = (id: string): string => `${path}/people/${encodeURIComponent(id)}`;
  const add = useAction<string>((id) => apply(send('PUT', person(id)), { to: 'groups' }), tell);
  const take = useAction<string>((id) => apply(remove(person(id)), { to: 'groups' }), tell);
  const says = `Deleted the group ${group.name}`;
  const removeGroup = useAction(() => apply(remove(path), { to: 'groups', says }), tell);
  const present = new Set(group.people.map(({ id }) => id));
  const others = members.filter(({ id }) => !present.has(id));
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <span className="min-w-0 grow basis-40 font-medium [overflow-wrap:anywhere]">{group.name}</span>
      {group.people.length > 0 && (
        <ul className="flex grow basis-72 flex-wrap gap-1.5">
          {group.people.map(({ id, name }) => (
            <li key={id} className="flex items-center rounded-md border border-line pl-2 text-sm">
              {name}
              <IconButton icon="close" label={`Take ${name} out of ${group.name}`} onClick={() => take.run(id)} />
            </li>
          ))}
        </ul>
      )}
      <Select
        aria-label={`Add a person to ${group.name}`}
        value=""
        choices={[{ value: '', label: 'Add a person…' }, ...others.map(({ id, name }) => ({ value: id, label: name }))]}
        onChoose={(id) => {
          if (id !== '') add.run(id);
        }}
      />
      <IconButton icon="trash" label={`Delete the group ${group.name}`} onClick={() => removeGroup.run()} />
    </li>
  );
}

function NewGroup({ onClose }: { onClose: () => void }) {
  const { apply } = useChanges();
  const form = useForm({ rules: postGroups }, ({ name }: { name: string }) =>
    apply(post('groups', { name }), { to: 'groups', done: onClose, says: `Made the group “${name}”` }),
  );
  return (
    <FormDialog title="New group" onClose={onClose} action="Create group" form={form}>
      <Field of={form} name="name" label="Name" />
    </FormDialog>
  );
}
