import { useChanges } from '../action.ts';
import { post, send } from '../api.ts';
import { FormDialog } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { postThemesMerge } from '../form-rules.json';
import { formatCount } from '../format.ts';
import type { Theme } from '../knowledge/queries.ts';

/** A theme as the choice of a field. */
export function themeChoice({ id, label, signals }: Theme): { value: string; label: string } {
  return { value: id, label: `${label} (${signals})` };
}

interface MergeThemesProps {
  /** At least two. */
  themes: readonly Theme[];
  onClose: () => void;
  onDone: () => void;
}

/** Merges themes into one of them; the message that tells of it takes all of that back. */
export function MergeThemes({ themes, onClose, onDone }: MergeThemesProps) {
  const { path, apply } = useChanges();
  const initial = { into: largest(themes).id };
  const merge = async (into: string): Promise<string[]> => {
    const merges: string[] = [];
    for (const { id } of themes) {
      if (id === into) continue;
      const answer = await post<{ merge: string }>(path(`themes/${encodeURIComponent(id)}/merge`), { into });
      merges.push(answer.merge);
    }
    return merges;
  };
  const form = useForm({ rules: postThemesMerge, initial }, ({ into }: { into: string }) =>
    apply(merge(into), {
      to: 'signals',
      done: () => {
        onDone();
        onClose();
      },
      says: `Merged ${formatCount(themes.length, 'theme')}`,
      undo: async (merges) => {
        // The last one first: a merge can be undone while no later one stands on it.
        for (const id of merges.toReversed()) await send('DELETE', path(`theme-merges/${id}`));
      },
    }),
  );
  return (
    <FormDialog
      title={`Merge ${formatCount(themes.length, 'theme')}`}
      lead="All their signals move to one theme, and so do similar ones later. The page of that theme can undo each merge."
      onClose={onClose}
      action="Merge"
      form={form}
    >
      <Field of={form} name="into" label="Into" choices={themes.map(themeChoice)} />
    </FormDialog>
  );
}

function largest(themes: readonly Theme[]): Theme {
  return themes.reduce((best, theme) => (theme.signals > best.signals ? theme : best));
}
