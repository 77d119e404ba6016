import { useState } from 'react';
import { useAction } from '../action.ts';
import { post, send } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { SelectField } from '../components/field.tsx';
import { FormActions } from '../components/form-actions.tsx';
import { tellProblem, useToast } from '../components/toast.tsx';
import { formatCount } from '../format.ts';
import type { Theme } from '../knowledge/bodies.ts';
import { useProductPath } from '../knowledge/product-path.ts';
import { useForgetSignals } from './forget-signals.ts';

interface MergeThemesProps {
  /** At least two. */
  themes: readonly Theme[];
  onClose: () => void;
  onDone: () => void;
}

/** Merges themes into one of them; the message that tells of it takes all of that back. */
export function MergeThemes({ themes, onClose, onDone }: MergeThemesProps) {
  const path = useProductPath();
  const forget = useForgetSignals();
  const say = useToast();
  const [into, setInto] = useState(largest(themes).id);
  const merge = useAction(async () => {
    const merges: string[] = [];
    const undo = async (): Promise<void> => {
      // The last one first: a merge can be undone while no later one stands on it.
      for (const id of merges.toReversed()) await send('DELETE', path(`theme-merges/${id}`));
    };
    for (const { id } of themes) {
      if (id === into) continue;
      const answer = await post<{ merge: string }>(path(`themes/${encodeURIComponent(id)}/merge`), { into });
      merges.push(answer.merge);
    }
    onDone();
    onClose();
    say(`Merged ${formatCount(themes.length, 'theme')}`, 'good', () => void undo().then(forget, tellProblem(say)));
    await forget();
  });
  return (
    <Dialog
      title={`Merge ${formatCount(themes.length, 'theme')}`}
      lead="All their signals move to one theme, and so do similar ones later. The page of that theme can undo each merge."
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          merge.run();
        }}
      >
        <SelectField
          label="Into"
          value={into}
          choices={themes.map(({ id, label, signals }) => ({ value: id, label: `${label} (${signals})` }))}
          onChoose={setInto}
        />
        <FormActions action="Merge" busy={merge.busy} problem={merge.problem} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

function largest(themes: readonly Theme[]): Theme {
  return themes.reduce((best, theme) => (theme.signals > best.signals ? theme : best));
}
