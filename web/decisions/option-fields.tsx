import { Button, IconButton } from '../components/button.tsx';
import { TextArea, TextField } from '../components/field.tsx';
import type { NewDecision } from '../knowledge/queries.ts';

type Option = NonNullable<NewDecision['options']>[number];

/** Options that have a name, without empty arguments. */
export function namedOptions(options: readonly Option[]): Option[] {
  const named = options.filter(({ name }) => name.trim() !== '');
  return named.map(({ name, pros, cons }) => ({ name: name.trim(), pros: argumentsOf(pros), cons: argumentsOf(cons) }));
}

function argumentsOf(lines: readonly string[] = []): string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

interface OptionFieldsProps {
  options: readonly Option[];
  onChange: (options: Option[]) => void;
}

/** Fields of the alternatives that were considered, any number of them; arguments are one a line. */
export function OptionFields({ options, onChange }: OptionFieldsProps) {
  const replace = (at: number, changed: Partial<Option>): void =>
    onChange(options.map((option, index) => (index === at ? { ...option, ...changed } : option)));
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">Considered options (optional)</legend>
      <div className="flex flex-col gap-3">
        {options.map(({ name, pros = [], cons = [] }, index) => (
          <div key={index} className="rounded-lg border border-line bg-panel p-3">
            <div className="flex items-end gap-2">
              <TextField
                label={`Option ${index + 1}`}
                className="flex-1"
                autoFocus
                value={name}
                onEnter={(text) => replace(index, { name: text })}
              />
              <IconButton
                icon="trash"
                label={`Remove option ${index + 1}`}
                onClick={() => onChange(options.filter((_, at) => at !== index))}
              />
            </div>
            <div className="mt-3 grid gap-3 sm:grid-cols-2">
              <TextArea
                label="For"
                rows={2}
                value={pros.join('\n')}
                onEnter={(text) => replace(index, { pros: text.split('\n') })}
              />
              <TextArea
                label="Against"
                rows={2}
                value={cons.join('\n')}
                onEnter={(text) => replace(index, { cons: text.split('\n') })}
              />
            </div>
          </div>
        ))}
        <Button icon="plus" className="self-start" onClick={() => onChange([...options, { name: '' }])}>
          Add an option
        </Button>
      </div>
    </fieldset>
  );
}
