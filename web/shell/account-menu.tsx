import { useNavigate } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction, useChanges } from '../action.ts';
import { post } from '../api.ts';
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '../components/menu.tsx';
import { AccountButton } from './menu-buttons.tsx';
import { chooseTheme, chosenTheme, type Theme } from '../theme.ts';

const THEME_CHOICES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies { value: Theme; label: string }[];

/** The person, with what is about them and this browser: account, theme, sign-out. Open from the start, as the other one. */
export function AccountMenu() {
  const [theme, setTheme] = useState(chosenTheme);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { tell } = useChanges();
  const signOut = useAction(async () => {
    await post('sign-out');
    // Nothing that was read stays in this browser.
    queries.clear();
    location.assign('/');
  }, tell);
  return (
    <Menu align="start" className="w-52" trigger={<AccountButton />} isOpenAtFirst>
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
