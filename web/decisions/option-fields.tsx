import { Button, IconButton } from '../components/button.tsx';
import { TextArea, TextField } from '../components/field.tsx';
import type { OptionForm } from './decision-form.ts';

interface OptionFieldsProps {
  options: readonly OptionForm[];
  onChange: (options: readonly OptionForm[]) => void;
}

/** Fields of the alternatives that were considered, any number of them. */
export function OptionFields({ options, onChange }: OptionFieldsProps) {
  const replace = (key: number, fields: Partial<OptionForm>): void =>
    onChange(options.map((option) => (option.key === key ? { ...option, ...fields } : option)));
  const add = (): void => {
    const key = Math.max(0, ...options.map((option) => option.key)) + 1;
    onChange([...options, { key, name: '', pros: '', cons: '' }]);
  };
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">Considered options (optional)</legend>
      <div className="flex flex-col gap-3">
        {options.map(({ key, name, pros, cons }, index) => (
          <div key={key} className="rounded-lg border border-line bg-panel p-3">
            <div className="flex items-end gap-2">
              <TextField
                label={`Option ${index + 1}`}
                className="flex-1"
                autoFocus
                value={name}
                onEnter={(text) => replace(key, { name: text })}
              />
              <IconButton
                icon="trash"
                label={`Remove option ${index + 1}`}
                onClick={() => onChange(options.filter((option) => option.key !== key))}
              />
            </div>
            <div className="mt-3 grid gap-3 sm:grid-cols-2">
              <TextArea label="For" rows={2} value={pros} onEnter={(text) => replace(key, { pros: text })} />
              <TextArea label="Against" rows={2} value={cons} onEnter={(text) => replace(key, { cons: text })} />
            </div>
          </div>
        ))}
        <Button icon="plus" className="self-start" onClick={add}>
          Add an option
        </Button>
      </div>
    </fieldset>
  );
}
