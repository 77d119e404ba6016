import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../action.ts';
import { send } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { FormActions } from '../components/form-actions.tsx';
import { useToast } from '../components/toast.tsx';
import type { Signal } from '../knowledge/bodies.ts';
import { useProductPath } from '../knowledge/product-path.ts';
import { themesQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { useForgetSignals } from './forget-signals.ts';

/** Puts a signal to a theme, where it then stays: one that is there, or a new one. */
export function PlaceSignal({ signal, onClose }: { signal: Signal; onClose: () => void }) {
  const { product } = useSession();
  const path = useProductPath();
  const forget = useForgetSignals();
  const say = useToast();
  const { data } = useQuery(themesQuery(product.id, { least: 1 }));
  const [theme, setTheme] = useState(signal.theme ?? '');
  const [label, setLabel] = useState('');
  const place = useAction(async () => {
    const where = theme === '' ? { label: label.trim() } : { theme };
    await send('PUT', path(`signals/${encodeURIComponent(signal.id)}/theme`), where);
    onClose();
    say('Pinned the signal');
    await forget();
  });
  const themes = data?.themes ?? [];
  return (
    <Dialog title="Pin to a theme" lead="It stays there, even when themes are grouped again." onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          place.run();
        }}
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
          <TextField
            label="Name of the new theme"
            required
            maxLength={100}
            value={label}
            onChange={(event) => setLabel(event.target.value)}
          />
        )}
        <FormActions
          action="Pin"
          busy={place.busy}
          disabled={theme === '' && label.trim() === ''}
          problem={place.problem}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
