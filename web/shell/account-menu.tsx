import { useNavigate } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../action.ts';
import { post } from '../api.ts';
import { Icon } from '../components/icon.tsx';
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '../components/menu.tsx';
import { useToast } from '../components/toast.tsx';
import { useSession } from '../session.tsx';
import { chooseTheme, chosenTheme, type Theme } from '../theme.ts';

const THEME_CHOICES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies { value: Theme; label: string }[];

/** The person, with what is about them and this browser: account, theme, sign-out. */
export function AccountMenu() {
  const { session } = useSession();
  const [theme, setTheme] = useState(chosenTheme);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const say = useToast();
  const signOut = useAction(
    async () => {
      await post('sign-out');
      // Nothing that was read stays in this browser.
      queries.clear();
      location.assign('/');
    },
    (problem) => say(problem.message, 'bad'),
  );
  const { name, role } = session.person;
  return (
    <Menu
      align="start"
      className="w-52"
      trigger={
        <button
          type="button"
          className="flex h-10 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover data-popup-open:bg-hover max-md:h-11"
        >
          <span
            aria-hidden="true"
            className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
          >
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className="min-w-0 flex-1 leading-4">
            <span className="block truncate text-sm font-medium">{name}</span>
            <span className="block text-xs text-quiet">{role}</span>
          </span>
          <Icon name="chevron" className="text-quiet" />
          <span className="sr-only">Account menu</span>
        </button>
      }
    >
      <MenuItem icon="person" onSelect={() => void navigate({ to: '/settings/account' })}>
        Account
      </MenuItem>
      <MenuSeparator />
      <MenuChoices
        label="Theme"
        value={theme}
        choices={THEME_CHOICES}
        onChoose={(chosen) => {
          chooseTheme(chosen);
          setTheme(chosen);
        }}
      />
      <MenuSeparator />
      <MenuItem icon="leave" onSelect={signOut.run}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
