import { FormDialog } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { useToast } from '../components/toast.tsx';
import { patchWorkItems } from '../form-rules.json';
import type { WorkItem, WorkItemChange } from '../knowledge/queries.ts';
import { useSendItemChange } from './item-change.ts';

/** Every field of a work item. Only what was changed is sent. */
export function EditWorkItem({ item, onClose }: { item: WorkItem; onClose: () => void }) {
  const say = useToast();
  const sendChange = useSendItemChange(item);
  const form = useForm({ rules: patchWorkItems, edited: item }, async (change: WorkItemChange) => {
    await sendChange(change);
    onClose();
    say(`Changed ${item.key}`);
  });
  return (
    <FormDialog title={`Edit ${item.key}`} onClose={onClose} action="Save" form={form}>
      <Field of={form} name="title" label="Title" required />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field of={form} name="estimate" label="Estimate" placeholder="2d" />
        <Field of={form} name="depends" label="Depends on" placeholder="T1, T2" />
        <Field of={form} name="assignee" label="Assignee" placeholder="A person or an agent" />
        <Field of={form} name="priority" label="Priority" none="None" />
      </div>
      <Field of={form} name="files" label="Files" rows={2} hint="One path per line." />
      <Field of={form} name="symbols" label="Symbols" rows={2} hint="One per line, such as Mailer/send." />
      <Field of={form} name="acceptance" label="Done when" rows={3} hint="One sentence per line." />
      <Field of={form} name="test" label="Test" placeholder="npm test -- search" />
      <Field of={form} name="notes" label="Notes" rows={2} />
    </FormDialog>
  );
}
