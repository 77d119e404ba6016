import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedKey } from '../../src/keys/key-bodies.ts';
import { IconButton } from '../components/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../components/menu.tsx';
import { Header, SortHeader, Table, Cell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { formatCompact } from '../format.ts';
import { Sparkline } from '../history/sparkline.tsx';
import { useSession } from '../session.tsx';
import { DeleteKey, RegenerateKey, RenameKey } from './key-changes.tsx';
import { type Column, type KeySort, sortKeys } from './sort-keys.ts';
import { Expiry, KeyBadge } from './status.tsx';

const COLUMNS: readonly { column: Column; title: string; className?: string }[] = [
  { column: 'created_at', title: 'Created', className: 'max-lg:hidden' },
  { column: 'last_used_at', title: 'Last used', className: 'max-sm:hidden' },
  { column: 'expires_at', title: 'Expires', className: 'max-sm:hidden' },
];

interface KeyTableProps {
  keys: readonly ListedKey[];
  sort: KeySort;
  onSort: (sort: KeySort) => void;
}

export function KeyTable({ keys, sort, onSort }: KeyTableProps) {
  const [change, setChange] = useState<{ apiKey: ListedKey; kind: 'rename' | 'regenerate' | 'delete' }>();
  const direction = (column: Column) =>
    sort.column === column ? (sort.isDescending ? 'descending' : 'ascending') : undefined;
  const sortBy = (column: Column) => () =>
    onSort({ column, isDescending: sort.column === column ? !sort.isDescending : column !== 'name' });
  const close = () => setChange(undefined);
  return (
    <>
      <Table
        caption="API keys"
        head={
          <>
            <SortHeader direction={direction('name')} onSort={sortBy('name')}>
              Name
            </SortHeader>
            <Header className="max-xl:hidden">Key</Header>
            {COLUMNS.map(({ column, title, className }) => (
              <SortHeader
                key={column}
                direction={direction(column)}
                onSort={sortBy(column)}
                {...(className !== undefined && { className })}
              >
                {title}
              </SortHeader>
            ))}
            <Header className="text-right max-md:hidden">30 days</Header>
            <Header className="w-12">
              <span className="sr-only">Actions</span>
            </Header>
          </>
        }
      >
        {sortKeys(keys, sort).map((key) => (
          <KeyRow key={key.id} apiKey={key} onChange={(kind) => setChange({ apiKey: key, kind })} />
        ))}
      </Table>
      {change?.kind === 'rename' && <RenameKey apiKey={change.apiKey} onClose={close} />}
      {change?.kind === 'regenerate' && <RegenerateKey apiKey={change.apiKey} onClose={close} />}
      {change?.kind === 'delete' && <DeleteKey apiKey={change.apiKey} onClose={close} />}
    </>
  );
}

function KeyRow({
  apiKey,
  onChange,
}: {
  apiKey: ListedKey;
  onChange: (kind: 'rename' | 'regenerate' | 'delete') => void;
}) {
  const { session } = useSession();
  const lastUsed =
    apiKey.last_used_at === null ? 'Never' : <Time at={apiKey.last_used_at} className="whitespace-nowrap" />;
  return (
    <tr className="hover:bg-hover/50">
      <RowHeader className="font-normal">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <Link to="/settings/api-keys/$keyId" params={{ keyId: apiKey.id }} className="name-link">
            {apiKey.name}
          </Link>
          <KeyBadge status={apiKey.status} />
        </span>
        {session.products.length > 1 && <span className="block text-xs text-quiet">{apiKey.product}</span>}
        <span className="block text-xs text-quiet sm:hidden">
          Last used: {lastUsed} · Expires: <Expiry {...apiKey} />
        </span>
      </RowHeader>
      <Cell className="font-mono text-sm text-quiet max-xl:hidden">{apiKey.prefix}</Cell>
      <Cell className="text-quiet max-lg:hidden">
        <Time at={apiKey.created_at} as="date" className="whitespace-nowrap" />
        <span className="block text-xs [overflow-wrap:anywhere]">by {apiKey.created_by_name}</span>
      </Cell>
      <Cell className="text-quiet max-sm:hidden">{lastUsed}</Cell>
      <Cell className="text-quiet max-sm:hidden">
        <Expiry {...apiKey} />
      </Cell>
      <Cell className="max-md:hidden">
        <Requests byDay={apiKey.requests_by_day} />
      </Cell>
      <td className="px-2 text-right">
        <KeyMenu apiKey={apiKey} onChange={onChange} />
      </td>
    </tr>
  );
}

function Requests({ byDay }: { byDay: readonly number[] }) {
  const total = byDay.reduce((sum, count) => sum + count, 0);
  return (
    <span className="flex items-center justify-end gap-3">
      <Sparkline series={byDay} label={`Requests by day: ${byDay.join(', ')}`} />
      <span className="min-w-8 text-right tabular-nums">{formatCompact(total)}</span>
    </span>
  );
}

function KeyMenu({
  apiKey,
  onChange,
}: {
  apiKey: ListedKey;
  onChange: (kind: 'rename' | 'regenerate' | 'delete') => void;
}) {
  const navigate = useNavigate();
  return (
    <Menu trigger={<IconButton icon="more" label={`Actions for ${apiKey.name}`} />}>
      <MenuItem
        icon="chart"
        onSelect={() => void navigate({ to: '/settings/api-keys/$keyId', params: { keyId: apiKey.id } })}
      >
        Usage
      </MenuItem>
      <MenuItem icon="plug" onSelect={() => void navigate({ to: '/connect', search: { key: apiKey.id } })}>
        Connect a client
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon="edit" onSelect={() => onChange('rename')}>
        Rename…
      </MenuItem>
      <MenuItem
        icon="refresh"
        blocked={apiKey.status === 'expired' && 'It has expired.'}
        onSelect={() => onChange('regenerate')}
      >
        Regenerate…
      </MenuItem>
      <MenuItem icon="trash" dangerous onSelect={() => onChange('delete')}>
        Delete…
      </MenuItem>
    </Menu>
  );
}
