import { Link, type LinkProps } from '@tanstack/react-router';
import type { Role } from '../../src/accounts/account-bodies.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { useSession } from '../session.tsx';

interface Entry {
  to: NonNullable<LinkProps['to']>;
  icon: IconName;
  text: string;
  /** Weaker roles do not see it. */
  role?: Role;
}

/** The pages of the navigation, by group. */
export const GROUPS: readonly { title?: string; entries: readonly Entry[] }[] = [
  {
    entries: [
      { to: '/', icon: 'home', text: 'Overview' },
      { to: '/repositories', icon: 'repository', text: 'Repositories' },
      { to: '/history', icon: 'history', text: 'History' },
      { to: '/search', icon: 'search', text: 'Search' },
      { to: '/ask', icon: 'speech', text: 'Ask' },
      { to: '/runs', icon: 'refresh', text: 'Runs' },
      { to: '/connect', icon: 'plug', text: 'Connect' },
    ],
  },
  {
    title: 'Knowledge',
    entries: [
      { to: '/plans', icon: 'target', text: 'Plans' },
      { to: '/work-items', icon: 'check', text: 'Work items' },
      { to: '/decisions', icon: 'compass', text: 'Decisions' },
      { to: '/documents', icon: 'file', text: 'Documents' },
      { to: '/signals', icon: 'speech', text: 'Signals' },
      { to: '/themes', icon: 'tag', text: 'Themes' },
      { to: '/customers', icon: 'people', text: 'Customers' },
      { to: '/competitors', icon: 'monitor', text: 'Competitors' },
    ],
  },
  {
    title: 'Settings',
    entries: [
      { to: '/settings/api-keys', icon: 'key', text: 'API Keys', role: 'member' },
      { to: '/settings/members', icon: 'people', text: 'Members' },
      { to: '/settings/products', icon: 'box', text: 'Products' },
      { to: '/settings/integrations', icon: 'link', text: 'Integrations', role: 'admin' },
      { to: '/settings/audit-log', icon: 'list', text: 'Audit Log', role: 'admin' },
      { to: '/settings/account', icon: 'person', text: 'Account' },
    ],
  },
];

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { atLeast } = useSession();
  return (
    <nav aria-label="Main" className="flex flex-col gap-4">
      {GROUPS.map(({ title, entries }) => (
        <div key={title ?? ''} role="group" aria-label={title ?? 'Product'}>
          {title !== undefined && (
            <div aria-hidden="true" className="px-2 pb-1 text-xs font-medium text-quiet">
              {title}
            </div>
          )}
          {entries
            .filter(({ role }) => role === undefined || atLeast(role))
            .map(({ to, icon, text }) => (
              <Link
                key={text}
                to={to}
                onClick={onNavigate}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                className="flex h-8 items-center gap-2 rounded-md px-2 hover:bg-hover max-md:h-10"
                activeProps={{ className: 'bg-accent-soft text-accent font-medium', 'aria-current': 'page' }}
                inactiveProps={{ className: 'text-quiet hover:text-ink' }}
              >
                <Icon name={icon} />
                {text}
              </Link>
            ))}
        </div>
      ))}
    </nav>
  );
}
