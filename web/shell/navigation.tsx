import { Link, type LinkProps, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { Role } from '../../src/accounts/account-bodies.ts';
import { Icon, type IconName } from '../components/button.tsx';
import { isAtLeast } from '../session.tsx';
import { useFolding } from './folded-groups.ts';

interface Entry {
  to: NonNullable<LinkProps['to']>;
  icon: IconName;
  text: string;
  /** `g` and this letter lead there; `/` leads to the search. */
  letter?: string;
  /** Weaker roles do not see it. */
  role?: Role;
}

/** The pages of the navigation, by group. */
export const GROUPS: readonly { title?: string; entries: readonly Entry[] }[] = [
  {
    entries: [
      { to: '/', letter: 'o', icon: 'home', text: 'Overview' },
      { to: '/repositories', letter: 'r', icon: 'repository', text: 'Repositories' },
      { to: '/history', letter: 'h', icon: 'history', text: 'History' },
      { to: '/graph', letter: 'g', icon: 'branch', text: 'Graph' },
      { to: '/search', icon: 'search', text: 'Search' },
      { to: '/ask', letter: 'a', icon: 'speech', text: 'Ask' },
      { to: '/runs', letter: 'u', icon: 'refresh', text: 'Runs' },
      { to: '/connect', letter: 'n', icon: 'plug', text: 'Connect' },
    ],
  },
  {
    title: 'Knowledge',
    entries: [
      { to: '/plans', letter: 'p', icon: 'target', text: 'Plans' },
      { to: '/work-items', letter: 'w', icon: 'check', text: 'Work items' },
      { to: '/decisions', letter: 'd', icon: 'compass', text: 'Decisions' },
      { to: '/documents', letter: 'f', icon: 'file', text: 'Documents' },
      { to: '/signals', letter: 's', icon: 'speech', text: 'Signals' },
      { to: '/themes', letter: 't', icon: 'tag', text: 'Themes' },
      { to: '/customers', letter: 'm', icon: 'people', text: 'Customers' },
      { to: '/competitors', letter: 'c', icon: 'monitor', text: 'Competitors' },
    ],
  },
  {
    title: 'Settings',
    entries: [
      { to: '/settings/api-keys', letter: 'k', icon: 'key', text: 'API Keys', role: 'member' },
      { to: '/settings/members', letter: 'b', icon: 'people', text: 'Members' },
      { to: '/settings/products', letter: 'x', icon: 'box', text: 'Products' },
      { to: '/settings/integrations', letter: 'i', icon: 'link', text: 'Integrations', role: 'admin' },
      { to: '/settings/audit-log', letter: 'l', icon: 'list', text: 'Audit Log', role: 'admin' },
      { to: '/settings/account', letter: 'y', icon: 'person', text: 'Account' },
    ],
  },
];

export function Navigation({ role, onNavigate }: { role: Role; onNavigate: () => void }) {
  const list = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // In a low window the page that is open may stand below the others.
  useEffect(() => {
    // It gives a promise in some browsers, which is no clean-up of an effect.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  return (
    <nav ref={list} aria-label="Main" className="flex flex-col gap-4">
      {GROUPS.map(({ title, entries }) => {
        const shown = entries.filter(({ role: least }) => least === undefined || isAtLeast(role, least));
        const links = shown.map((entry) => <EntryLink key={entry.text} entry={entry} onNavigate={onNavigate} />);
        return title === undefined ? (
          <div key="" role="group" aria-label="Product">
            {links}
          </div>
        ) : (
          <FoldingGroup key={title} title={title} entries={shown}>
            {links}
          </FoldingGroup>
        );
      })}
    </nav>
  );
}

/** A group under its title, which folds it away. */
function FoldingGroup({ title, entries, children }: { title: string; entries: readonly Entry[]; children: ReactNode }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { isOpen, toggle } = useFolding(
    title,
    entries.some(({ to }) => path.startsWith(to)),
  );
  const id = useId();
  return (
    <div role="group" aria-label={title}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
        className="flex h-7 w-full items-center gap-1 rounded-md px-2 text-xs font-medium text-quiet hover:bg-hover hover:text-ink max-md:h-10"
      >
        {title}
        <Icon name="chevron" className={isOpen ? 'size-3' : 'size-3 -rotate-90'} />
      </button>
      <div id={id} hidden={!isOpen}>
        {children}
      </div>
    </div>
  );
}

function EntryLink({ entry: { to, icon, text }, onNavigate }: { entry: Entry; onNavigate: () => void }) {
  return (
    <Link
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
  );
}
