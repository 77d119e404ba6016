import { useChanges } from '../action.ts';
import { post } from '../api.ts';
import { FormDialog } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { postSignals } from '../form-rules.json';
import type { NewSignal, SavedSignals } from '../knowledge/queries.ts';

/** Writes down what one customer said. */
export function AddSignal({ onClose }: { onClose: () => void }) {
  const { path, apply } = useChanges();
  const form = useForm({ rules: postSignals }, (signal: NewSignal) =>
    apply(post<SavedSignals>(path('signals'), signal), { to: 'signals', done: onClose, says: 'Saved the signal' }),
  );
  return (
    <FormDialog
      title="Add a signal"
      lead="What the customer said, verbatim."
      onClose={onClose}
      action="Add signal"
      form={form}
    >
      <Field of={form} name="text" label="Text" rows={4} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field of={form} name="customer" label="Customer" />
        <Field of={form} name="segment" label="Segment" placeholder="enterprise" />
        <Field of={form} name="source" label="Source" placeholder="support" />
        <Field of={form} name="value" label="Value" />
        <Field of={form} name="date" label="Date" />
        <Field of={form} name="tags" label="Tags" placeholder="export, billing" />
      </div>
      <Field of={form} name="link" label="Link" type="url" placeholder="https://" />
    </FormDialog>
  );
}
