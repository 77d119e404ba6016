import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Product, ProductRoleList } from '../../src/accounts/account-bodies.ts';
import { useAction, useChanges } from '../action.ts';
import { remove, send } from '../api.ts';
import { Button, IconButton } from '../components/button.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { Checkbox, Select } from '../components/field.tsx';
import { Problem, QueryState } from '../components/query-state.tsx';
import { groupsQuery, membersQuery, productRolesQuery } from '../queries.ts';

type ProductRole = ProductRoleList['roles'][number];

const ROLE_CHOICES = [
  { value: 'member', label: 'Member' },
  { value: 'viewer', label: 'Viewer' },
] as const;

/** Says who sees a product: everybody in the account, or those who have a role in it. */
export function ProductAccess({ product, onClose }: { product: Product; onClose: () => void }) {
  const query = useQuery(productRolesQuery(product.id));
  const { apply } = useChanges();
  const [isRestricted, setRestricted] = useState(product.is_restricted);
  const restrict = useAction<boolean>((next) =>
    apply(send('PATCH', `products/${encodeURIComponent(product.id)}`, { is_restricted: next }), {
      to: ['products', 'session'],
      done: () => setRestricted(next),
    }),
  );
  return (
    <Dialog title={`Access to ${product.name}`} lead="Owners and admins see every product." onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Checkbox
          label="Only for those with a role in it"
          hint="For all others it does not exist: pages, API keys and searches do not know it."
          checked={isRestricted}
          onChange={(next) => restrict.run(next)}
        />
        <Problem problem={restrict.problem} />
        <QueryState query={query} what="roles" />
        {query.data !== undefined && <RoleList product={product} roles={query.data.roles} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Dialog>
  );
}

function RoleList({ product, roles }: { product: Product; roles: readonly ProductRole[] }) {
  const { apply } = useChanges();
  const path = ({ kind, id }: Pick<ProductRole, 'kind' | 'id'>): string =>
    `products/${encodeURIComponent(product.id)}/roles/${kind}/${encodeURIComponent(id)}`;
  const give = useAction<Pick<ProductRole, 'kind' | 'id' | 'role'>>(({ role, ...holder }) =>
    apply(send('PUT', path(holder), { role }), { to: 'products' }),
  );
  const take = useAction<ProductRole>((holder) => apply(remove(path(holder)), { to: 'products' }));
  return (
    <>
      {roles.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line">
          {roles.map((entry) => (
            <li key={entry.id} className="flex items-center gap-3 px-3 py-2">
              <span className="min-w-0 grow [overflow-wrap:anywhere]">
                {entry.name}
                {entry.kind === 'group' && <span className="text-quiet"> · group</span>}
              </span>
              <Select
                aria-label={`Role of ${entry.name}`}
                className="min-w-28"
                value={entry.role}
                choices={ROLE_CHOICES}
                onChoose={(role) => give.run({ kind: entry.kind, id: entry.id, role })}
              />
              <IconButton icon="trash" label={`Take the role of ${entry.name} away`} onClick={() => take.run(entry)} />
            </li>
          ))}
        </ul>
      )}
      <AddHolder roles={roles} onAdd={(holder) => give.run({ ...holder, role: 'member' })} />
      <Problem problem={give.problem ?? take.problem} />
    </>
  );
}

/** The list of people and groups that have no role in the product yet. */
function AddHolder({
  roles,
  onAdd,
}: {
  roles: readonly ProductRole[];
  onAdd: (holder: Pick<ProductRole, 'kind' | 'id'>) => void;
}) {
  const { data: members } = useQuery(membersQuery());
  const { data: groups } = useQuery(groupsQuery());
  const present = new Set(roles.map(({ id }) => id));
  const people = (members?.members ?? []).filter(({ role }) => role === 'member' || role === 'viewer');
  const choices = [
    ...(groups?.groups ?? []).map(({ id, name }) => ({ kind: 'group' as const, id, label: `${name} (group)` })),
    ...people.map(({ id, name }) => ({ kind: 'person' as const, id, label: name })),
  ].filter(({ id }) => !present.has(id));
  return (
    <Select
      aria-label="Give a role"
      value=""
      choices={[
        { value: '', label: 'Add a person or a group…' },
        ...choices.map(({ id, label }) => ({ value: id, label })),
      ]}
      onChoose={(chosen) => {
        const holder = choices.find(({ id }) => id === chosen);
        if (holder !== undefined) onAdd({ kind: holder.kind, id: holder.id });
      }}
    />
  );
}
