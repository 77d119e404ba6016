import { useFields } from '../action.ts';
import { FormDialog } from '../components/dialog.tsx';
import { SelectField, TextArea, TextField } from '../components/field.tsx';
import { useToast } from '../components/toast.tsx';
import type { WorkItem } from '../knowledge/queries.ts';
import { useItemChange } from './item-change.ts';
import { PRIORITIES } from './status.tsx';

const PRIORITY_CHOICES = [{ value: '', label: 'None' }, ...PRIORITIES.map((value) => ({ value, label: value }))];

/** Every field of a work item; lists are one entry a line. Only what was changed is sent. */
export function EditWorkItem({ item, onClose }: { item: WorkItem; onClose: () => void }) {
  const say = useToast();
  const before = fieldsOf(item);
  const { fields: form, bind, set } = useFields(before);
  const change = useItemChange(item, {
    onDone: () => {
      onClose();
      say(`Changed ${item.key}`);
    },
  });

  function submit(): void {
    const changed = Object.entries(form).filter(([name, value]) => value !== before[name as keyof typeof before]);
    const fields = changed.map(([name, value]) => [name, LISTS.includes(name) ? entriesOf(name, value) : value.trim()]);
    change.run(Object.fromEntries(fields) as Record<string, string | string[]>);
  }

  return (
    <FormDialog title={`Edit ${item.key}`} onClose={onClose} action="Save" change={change} onSubmit={submit}>
      <TextField label="Title" required maxLength={400} {...bind('title')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Estimate" maxLength={40} placeholder="2d" {...bind('estimate')} />
        <TextField label="Depends on" placeholder="T1, T2" {...bind('depends')} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Assignee" maxLength={80} placeholder="A person or an agent" {...bind('assignee')} />
        <SelectField
          label="Priority"
          value={form.priority}
          choices={PRIORITY_CHOICES}
          onChoose={(priority) => set({ priority })}
        />
      </div>
      <TextArea label="Files" rows={2} hint="One path per line." {...bind('files')} />
      <TextArea label="Symbols" rows={2} hint="One per line, such as Mailer/send." {...bind('symbols')} />
      <TextArea label="Done when" rows={3} hint="One sentence per line." {...bind('acceptance')} />
      <TextField label="Test" maxLength={400} placeholder="npm test -- search" {...bind('test')} />
      <TextArea label="Notes" rows={2} maxLength={10_000} {...bind('notes')} />
    </FormDialog>
  );
}

const LISTS: readonly string[] = ['depends', 'files', 'symbols', 'acceptance'];

function fieldsOf({ title, estimate, test, assignee, priority, notes, ...lists }: WorkItem) {
  const { depends, files, symbols, acceptance } = lists;
  return {
    title,
    estimate,
    test,
    assignee,
    priority: priority as string,
    notes,
    depends: depends.join(', '),
    files: files.join('\n'),
    symbols: symbols.join('\n'),
    acceptance: acceptance.join('\n'),
  };
}

function entriesOf(name: string, value: string): string[] {
  return value
    .split(name === 'depends' ? /[,\s]+/ : '\n')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
