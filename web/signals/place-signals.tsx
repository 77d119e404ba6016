import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../action.ts';
import { FormDialog } from '../components/dialog.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { formatCount } from '../format.ts';
import { type Signal, themesQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { useSignalChanges } from './change-signals.ts';

interface PlaceSignalsProps {
  /** At least one. */
  signals: readonly Signal[];
  onClose: () => void;
  onDone?: () => void;
}

/** Puts signals to a theme, where they then stay: one that is there, or a new one. */
export function PlaceSignals({ signals, onClose, onDone }: PlaceSignalsProps) {
  const { product } = useSession();
  const { change } = useSignalChanges();
  const { data } = useQuery(themesQuery(product.id, { least: 1 }));
  const [theme, setTheme] = useState(sharedTheme(signals));
  const [label, setLabel] = useState('');
  const place = useAction(async () => {
    const where = theme === '' ? { label: label.trim() } : { theme };
    await change(
      signals.map(({ id }) => ({ id, ...where })),
      'Pinned',
    );
    onDone?.();
    onClose();
  });
  const themes = data?.themes ?? [];
  const isOne = signals.length === 1;
  return (
    <FormDialog
      title={isOne ? 'Pin to a theme' : `Pin ${formatCount(signals.length, 'signal')} to a theme`}
      lead={`${isOne ? 'It stays' : 'They stay'} there, even when themes are grouped again.`}
      onClose={onClose}
      action="Pin"
      blocked={theme === '' && label.trim() === '' && 'Choose or name a theme first.'}
      change={place}
      onSubmit={place.run}
    >
      <SelectField
        label="Theme"
        value={theme}
        choices={[
          { value: '', label: 'A new theme' },
          ...themes.map((choice) => ({ value: choice.id, label: `${choice.label} (${choice.signals})` })),
        ]}
        onChoose={setTheme}
      />
      {theme === '' && (
        <TextField label="Name of the new theme" required maxLength={100} value={label} onEnter={setLabel} />
      )}
    </FormDialog>
  );
}

/** The theme that all of them have; none when they differ. */
function sharedTheme([first, ...rest]: readonly Signal[]): string {
  const theme = first?.theme ?? '';
  return rest.every((signal) => signal.theme === theme) ? theme : '';
}
