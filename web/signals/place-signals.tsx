import { useQuery } from '@tanstack/react-query';
import { FormDialog } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { putSignalsTheme } from '../form-rules.json';
import { formatCount } from '../format.ts';
import { type Signal, themesQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { useSignalChanges } from './change-signals.ts';
import { themeChoice } from './merge-themes.tsx';

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
  const form = useForm(
    { rules: putSignalsTheme, initial: { theme: sharedTheme(signals) } },
    async ({ theme, label }: { theme?: string; label?: string }) => {
      const target = theme === undefined ? { label } : { theme };
      await change(
        signals.map(({ id }) => ({ id, ...target })),
        'Pinned',
      );
      onDone?.();
      onClose();
    },
  );
  const themes = data?.themes ?? [];
  const isOne = signals.length === 1;
  return (
    <FormDialog
      title={isOne ? 'Pin to a theme' : `Pin ${formatCount(signals.length, 'signal')} to a theme`}
      lead={`${isOne ? 'It stays' : 'They stay'} there, even when themes are grouped again.`}
      onClose={onClose}
      action="Pin"
      form={form}
    >
      <Field of={form} name="theme" label="Theme" none="A new theme" choices={themes.map(themeChoice)} />
      {form.entries.theme === '' && <Field of={form} name="label" label="Name of the new theme" required />}
    </FormDialog>
  );
}

/** The theme that all of them have; none when they differ. */
function sharedTheme([first, ...rest]: readonly Signal[]): string {
  const theme = first?.theme ?? '';
  return rest.every((signal) => signal.theme === theme) ? theme : '';
}
