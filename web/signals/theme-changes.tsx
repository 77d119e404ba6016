import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChanges } from '../action.ts';
import { post, remove, send } from '../api.ts';
import { IconButton } from '../components/button.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { Menu, MenuItem } from '../components/menu.tsx';
import { patchThemes, postThemesMerge } from '../form-rules.json';
import { type Theme, themesQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { themeChoice } from './merge-themes.tsx';

export function ThemeMenu({ theme }: { theme: Theme }) {
  const { atLeast } = useSession();
  const [dialog, setDialog] = useState<'rename' | 'merge'>();
  const navigate = useNavigate();
  if (!atLeast('member')) return null;
  return (
    <>
      <Menu trigger={<IconButton icon="more" label={`Actions for ${theme.label}`} />}>
        <MenuItem
          icon="compass"
          onSelect={() => void navigate({ to: '/decisions/new', search: { link: `theme:${theme.id}` } })}
        >
          Decision about this theme
        </MenuItem>
        <MenuItem icon="edit" onSelect={() => setDialog('rename')}>
          Rename…
        </MenuItem>
        <MenuItem icon="link" onSelect={() => setDialog('merge')}>
          Merge into another…
        </MenuItem>
      </Menu>
      {dialog === 'rename' && <RenameTheme theme={theme} onClose={() => setDialog(undefined)} />}
      {dialog === 'merge' && <MergeTheme theme={theme} onClose={() => setDialog(undefined)} />}
    </>
  );
}

function RenameTheme({ theme, onClose }: { theme: Theme; onClose: () => void }) {
  const { path, apply } = useChanges();
  const initial = { label: theme.label };
  const route = path(`themes/${encodeURIComponent(theme.id)}`);
  const form = useForm({ rules: patchThemes, initial }, ({ label }: { label?: string }) =>
    apply(send('PATCH', route, { label }), {
      to: 'signals',
      done: onClose,
      says: `The theme is now “${label}”`,
      undo: () => send('PATCH', route, { label: theme.label, pinned: theme.labelled }),
    }),
  );
  return (
    <FormDialog
      title="Rename theme"
      lead="It keeps this name, whatever signals are added."
      action="Rename"
      form={form}
      onClose={onClose}
    >
      <Field of={form} name="label" label="Name" required />
    </FormDialog>
  );
}

function MergeTheme({ theme, onClose }: { theme: Theme; onClose: () => void }) {
  const { product, path, apply } = useChanges();
  const { data } = useQuery(themesQuery(product.id, { least: 1 }));
  const form = useForm({ rules: postThemesMerge }, ({ into }: { into: string }) =>
    apply(post<{ merge: string }>(path(`themes/${encodeURIComponent(theme.id)}/merge`), { into }), {
      to: 'signals',
      done: onClose,
      says: `Merged “${theme.label}”`,
      undo: ({ merge }) => remove(path(`theme-merges/${merge}`)),
    }),
  );
  const others = (data?.themes ?? []).filter(({ id }) => id !== theme.id);
  return (
    <FormDialog
      title={`Merge “${theme.label}”`}
      lead="All its signals move to the other theme, and so do similar ones later. The page of that theme can undo it."
      action="Merge"
      form={form}
      onClose={onClose}
    >
      <Field of={form} name="into" label="Into" none="Choose a theme" choices={others.map(themeChoice)} />
    </FormDialog>
  );
}
