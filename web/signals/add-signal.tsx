import { useRef } from 'react';
import { useAction, useChanges, useFields } from '../action.ts';
import { post } from '../api.ts';
import { FormDialog } from '../components/dialog.tsx';
import { TextArea, TextField } from '../components/field.tsx';
import type { NewSignal, SavedSignals } from '../knowledge/queries.ts';

const EMPTY = { text: '', customer: '', segment: '', source: '', value: '', date: '', tags: '', link: '' };

/** Writes down what one customer said. */
export function AddSignal({ onClose }: { onClose: () => void }) {
  const { path, say, refreshSignals } = useChanges();
  const { fields: form, bind } = useFields(EMPTY);
  const text = useRef<HTMLTextAreaElement>(null);
  const add = useAction(async () => {
    await post<SavedSignals>(path('signals'), toSignal(form));
    onClose();
    say('Saved the signal');
    await refreshSignals();
  });
  return (
    <FormDialog
      title="Add a signal"
      lead="What the customer said, verbatim."
      initialFocus={text}
      onClose={onClose}
      action="Add signal"
      blocked={form.text.trim() === '' && 'Enter the text first.'}
      change={add}
      onSubmit={add.run}
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
    </FormDialog>
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
