import { useState } from 'react';
import type { Action } from '../action.ts';
import { FormDialog } from '../components/dialog.tsx';
import { SelectField, TextField } from '../components/field.tsx';

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
    <FormDialog
      {...dialog}
      action="Rename"
      blocked={given.trim() === '' && 'Enter a name first.'}
      change={change}
      onSubmit={() => change.run(given.trim())}
    >
      <TextField label="Name" required maxLength={maxLength} value={given} onEnter={setGiven} />
    </FormDialog>
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
    <FormDialog
      {...dialog}
      action="Merge"
      blocked={into === '' && 'Choose what to merge into first.'}
      change={change}
      onSubmit={() => change.run(into)}
    >
      <SelectField label="Into" value={into} choices={[{ value: '', label: invite }, ...others]} onChoose={setInto} />
    </FormDialog>
  );
}
