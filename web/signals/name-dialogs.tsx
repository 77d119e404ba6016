import { useState } from 'react';
import type { Action } from '../action.ts';
import { Dialog } from '../components/dialog.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { FormActions } from '../components/form-actions.tsx';

interface ChangeDialogProps {
  title: string;
  lead: string;
  /** The action of the button, with the name or the choice. */
  change: Omit<Action<string>, 'forget'>;
  onClose: () => void;
}

/** Gives something another name. */
export function RenameDialog({
  name,
  maxLength,
  change,
  ...dialog
}: ChangeDialogProps & { name: string; maxLength: number }) {
  const [given, setGiven] = useState(name);
  return (
    <Dialog {...dialog}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.run(given.trim());
        }}
      >
        <TextField
          label="Name"
          required
          maxLength={maxLength}
          value={given}
          onChange={(event) => setGiven(event.target.value)}
        />
        <FormActions
          action="Rename"
          busy={change.busy}
          blocked={given.trim() === '' && 'Enter a name first.'}
          problem={change.problem}
          onCancel={dialog.onClose}
        />
      </form>
    </Dialog>
  );
}

/** Merges something into one of `others`. `invite` stands where none is chosen yet. */
export function MergeDialog({
  invite,
  others,
  change,
  ...dialog
}: ChangeDialogProps & { invite: string; others: readonly { value: string; label: string }[] }) {
  const [into, setInto] = useState('');
  return (
    <Dialog {...dialog}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.run(into);
        }}
      >
        <SelectField label="Into" value={into} choices={[{ value: '', label: invite }, ...others]} onChoose={setInto} />
        <FormActions
          action="Merge"
          busy={change.busy}
          blocked={into === '' && 'Choose what to merge into first.'}
          problem={change.problem}
          onCancel={dialog.onClose}
        />
      </form>
    </Dialog>
  );
}
