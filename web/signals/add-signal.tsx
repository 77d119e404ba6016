import { useRef, useState } from 'react';
import { useAction } from '../action.ts';
import { post } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { TextArea, TextField } from '../components/field.tsx';
import { FormActions } from '../components/form-actions.tsx';
import { useToast } from '../components/toast.tsx';
import type { NewSignal, SavedSignals } from '../knowledge/bodies.ts';
import { useProductPath } from '../knowledge/product-path.ts';
import { useForgetSignals } from './forget-signals.ts';

const EMPTY = { text: '', customer: '', segment: '', source: '', value: '', date: '', tags: '', link: '' };

/** Writes down what one customer said. */
export function AddSignal({ onClose }: { onClose: () => void }) {
  const path = useProductPath();
  const forget = useForgetSignals();
  const say = useToast();
  const [form, setForm] = useState(EMPTY);
  const text = useRef<HTMLTextAreaElement>(null);
  const add = useAction(async () => {
    await post<SavedSignals>(path('signals'), toSignal(form));
    onClose();
    say('Saved the signal');
    await forget();
  });
  const bind = (name: keyof typeof form) => ({
    value: form[name],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  });
  return (
    <Dialog title="Add a signal" lead="What the customer said, verbatim." initialFocus={text} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          add.run();
        }}
      >
        <TextArea ref={text} label="Text" required rows={4} maxLength={20_000} {...bind('text')} />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Customer (optional)" {...bind('customer')} />
          <TextField label="Segment (optional)" placeholder="enterprise" {...bind('segment')} />
          <TextField label="Source (optional)" placeholder="support" {...bind('source')} />
          <TextField label="Value (optional)" type="number" step="any" {...bind('value')} />
          <TextField label="Date (optional)" type="date" {...bind('date')} />
          <TextField label="Tags (optional)" placeholder="export, billing" {...bind('tags')} />
        </div>
        <TextField label="Link (optional)" type="url" placeholder="https://" {...bind('link')} />
        <FormActions
          action="Add signal"
          busy={add.busy}
          blocked={form.text.trim() === '' && 'Enter the text first.'}
          problem={add.problem}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}

function toSignal(form: typeof EMPTY): NewSignal {
  const { text, value, tags, ...rest } = form;
  const names = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const given = Object.entries(rest).flatMap(([name, entry]) => (entry.trim() === '' ? [] : [[name, entry.trim()]]));
  return {
    text: text.trim(),
    ...Object.fromEntries(given),
    ...(value !== '' && { value: Number(value) }),
    ...(names.length > 0 && { tags: names }),
  };
}
