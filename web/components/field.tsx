import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from './button.tsx';

/** One size for all that is typed into; 16 px on phones, because smaller text makes them zoom. */
export const INPUT_CLASS =
  'block h-9 w-full min-w-0 rounded-md border border-edge bg-panel px-2.5 text-ink placeholder:text-quiet disabled:opacity-60 max-md:text-[16px]';

interface FormProps {
  /** What sends it, and how often that was tried. */
  form: { submit: () => void; attempts?: number };
  className?: string;
  children: ReactNode;
}

/** Fields that are sent together, one below the other. After an attempt that failed, the first faulty one has the focus. */
export function Form({ form: { submit, attempts = 0 }, className = 'flex flex-col gap-4', children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);
  return (
    <form
      ref={form}
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {children}
    </form>
  );
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** Reason why the entered value is not valid. */
  fault?: string | undefined;
  className?: string | undefined;
}

function FieldFrame({
  label,
  hint,
  fault,
  className,
  children,
}: FieldProps & { children: (ids: { id: string; describedBy: string | undefined }) => ReactNode }) {
  const id = useId();
  const describedBy = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      {children({ id, describedBy: describedBy === '' ? undefined : describedBy })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1 text-xs leading-4.5 text-quiet">
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p id={`${id}-fault`} role="alert" className="mt-1 flex items-start gap-1.5 text-sm text-bad">
          <Icon name="alert" className="mt-0.5" />
          {fault}
        </p>
      )}
    </div>
  );
}

type TypedProps<Tag extends 'input' | 'textarea'> = FieldProps &
  Omit<ComponentProps<Tag>, 'id' | 'onChange'> & { onEnter: (text: string) => void };

export function TextField({ label, hint, fault, className, onEnter, ...input }: TypedProps<'input'>) {
  return (
    <FieldFrame {...{ label, hint, fault, className }}>
      {({ id, describedBy }) => (
        <input
          autoComplete="off"
          {...input}
          id={id}
          onChange={(event) => onEnter(event.target.value)}
          aria-describedby={describedBy}
          aria-invalid={fault !== undefined}
          className={INPUT_CLASS}
        />
      )}
    </FieldFrame>
  );
}

/** Text of several lines. */
export function TextArea({ label, hint, fault, className, onEnter, ...area }: TypedProps<'textarea'>) {
  return (
    <FieldFrame {...{ label, hint, fault, className }}>
      {({ id, describedBy }) => (
        <textarea
          {...area}
          id={id}
          onChange={(event) => onEnter(event.target.value)}
          aria-describedby={describedBy}
          aria-invalid={fault !== undefined}
          className={classNames(INPUT_CLASS, 'h-auto resize-y py-1.5')}
        />
      )}
    </FieldFrame>
  );
}

export interface Choice<Value extends string> {
  value: Value;
  label: string;
}

/** Choices that are called what they are, below one that chooses none. */
export function choicesOf(none: string, values: readonly string[]): Choice<string>[] {
  return [{ value: '', label: none }, ...values.map((value) => ({ value, label: value }))];
}

interface SelectFieldProps<Value extends string> extends FieldProps {
  value: Value;
  choices: readonly Choice<Value>[];
  onChoose: (value: Value) => void;
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { value, choices, onChoose, ...frame } = props;
  return (
    <FieldFrame {...frame}>
      {({ id, describedBy }) => (
        <Select
          id={id}
          aria-describedby={describedBy}
          aria-invalid={frame.fault !== undefined}
          value={value}
          choices={choices}
          onChoose={onChoose}
        />
      )}
    </FieldFrame>
  );
}

interface SelectProps<Value extends string> extends Omit<ComponentProps<'select'>, 'value'> {
  value: Value;
  choices: readonly Choice<Value>[];
  onChoose: (value: Value) => void;
}

/** The system's own list: right on phones and for the keyboard. Needs a label of its own. */
export function Select<Value extends string>({ value, choices, onChoose, className, ...rest }: SelectProps<Value>) {
  return (
    <span className="relative block">
      <select
        {...rest}
        value={value}
        onChange={(event) => {
          const chosen = choices.find((choice) => choice.value === event.target.value);
          if (chosen !== undefined) onChoose(chosen.value);
        }}
        className={classNames(INPUT_CLASS, 'appearance-none pr-8', className)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <Icon name="chevron" className="pointer-events-none absolute top-2.5 right-2.5 text-quiet" />
    </span>
  );
}

interface ChoiceGroupProps<Value extends string> {
  legend: string;
  name: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChoose: (value: Value) => void;
  children?: ReactNode;
  /** Leaves the legend to screen readers. */
  quiet?: boolean;
}

/** Few choices that exclude each other, all visible. */
export function ChoiceGroup<Value extends string>(props: ChoiceGroupProps<Value>) {
  return (
    <fieldset className="min-w-0">
      <legend className={props.quiet === true ? 'sr-only' : 'mb-1 font-medium'}>{props.legend}</legend>
      <div className="flex flex-wrap gap-1.5">
        {props.choices.map(({ value, label }) => (
          <label key={value} className="relative">
            <input
              type="radio"
              name={props.name}
              value={value}
              checked={props.value === value}
              onChange={() => props.onChoose(value)}
              className="peer sr-only"
            />
            <span className="inline-flex h-9 cursor-pointer items-center rounded-md border border-edge/50 bg-panel px-3 peer-checked:border-accent peer-checked:bg-accent-soft peer-checked:font-medium peer-checked:text-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent hover:bg-hover">
              {label}
            </span>
          </label>
        ))}
      </div>
      {props.children}
    </fieldset>
  );
}

interface CheckboxProps {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Checkbox({ label, hint, checked, onChange }: CheckboxProps) {
  return (
    <label className="flex items-start gap-2.5">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <span>
        {label}
        {hint !== undefined && <span className="block text-xs leading-4.5 text-quiet">{hint}</span>}
      </span>
    </label>
  );
}

const TYPING_PAUSE_MS = 300;

interface FilterFieldProps {
  label: string;
  value: string;
  placeholder?: string;
  onChange: (value: string) => void;
}

/** A text that narrows a list down: taken when the typing pauses, and at once on Enter. */
export function FilterField({ label, value, placeholder, onChange }: FilterFieldProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // Back and Forward change it from outside.
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function take(entered: string): void {
    clearTimeout(timer.current);
    if (entered.trim() === sent.current) return;
    sent.current = entered.trim();
    onChange(sent.current);
  }

  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <input
        id={id}
        type="search"
        value={text}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          const entered = event.target.value;
          setText(entered);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => take(entered), TYPING_PAUSE_MS);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take(text);
        }}
        className={INPUT_CLASS}
      />
    </div>
  );
}
