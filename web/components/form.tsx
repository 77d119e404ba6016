import { type ComponentProps, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useAction } from '../action.ts';
import type { ApiError } from '../api.ts';
import { Checkbox, type Choice, ChoiceGroup, SelectField, TextArea, TextField } from './field.tsx';
import { bodyOf, changesOf, type Entries, faultsOf, firstEntries, type Rule, type Rules } from './form-body.ts';

type Faults<Body> = { readonly [Name in keyof Body]?: string | undefined };

interface FormOptions<Body extends object> {
  /** Of the body, from `form-rules.json`. */
  rules: Rules<Body>;
  /** What the fields hold at first. */
  initial?: { readonly [Name in keyof Body]?: Body[Name] | '' | null };
  /** What is edited, instead: only what differs from it is sent. */
  edited?: { readonly [Name in keyof Body]?: Body[Name] | '' | null };
  /** Faults that no rule of a single field finds. */
  check?: (entries: Entries<Body>) => Faults<Body>;
}

/** A form without its body, as its frame sees it. */
export interface FormFrame {
  busy: boolean;
  /** Why the last attempt failed, where no field says it. */
  problem: ApiError | undefined;
  /** Counts the attempts to send it. */
  attempts?: number;
  submit: () => void;
}

/** A form that becomes a body of the service. */
export interface FormState<Body extends object> extends FormFrame {
  entries: Entries<Body>;
  set: (changed: Partial<Entries<Body>>) => void;
  /** True if something differs from how the form began. */
  isChanged: boolean;
  /** Sets fields after they were sent, or to begin anew: until the next attempt nothing is at fault. */
  restart: (changed: Partial<Entries<Body>>) => void;
  rules: Rules<Body>;
  faults: Faults<Body>;
  /** True if labels say which fields can be left out. */
  marksOptional: boolean;
  /** Checks a field from now on, until what it returns is called. `isRequired` is true where more than the rule demands it. */
  showField: (name: string, isRequired: boolean) => () => void;
}

/**
 * Holds what is entered for a body, checks it by the rules of the service, and sends it. Faults are shown from the first
 * attempt on; those that the service answers, until the field is changed.
 */
export function useForm<Body extends object>(
  { rules, initial, edited, check }: FormOptions<NoInfer<Body>>,
  send: (body: Body) => Promise<void>,
): FormState<Body> {
  const [start] = useState(() => firstEntries(rules, edited ?? initial ?? {}));
  const [held, setHeld] = useState(start);
  const [attempts, setAttempts] = useState(0);
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const shown = useRef(new Map<string, boolean>());
  const action = useAction(send, ({ fields = {} }) => {
    setRefused(fields);
    setAttempts((count) => count + 1);
  });
  // It holds the fields that the rules name.
  const entries = held as Entries<Body>;
  const changes = changesOf(rules, held, start);
  const findFaults = (): object => ({ ...faultsOf(rules, held, shown.current), ...check?.(entries) });
  const refusedNames = Object.keys(action.problem?.fields ?? {});
  return {
    busy: action.busy,
    problem:
      refusedNames.length > 0 && refusedNames.every((name) => shown.current.has(name)) ? undefined : action.problem,
    attempts,
    submit: () => {
      setAttempts(attempts + 1);
      setRefused({});
      // What is sent has the fields of the body.
      if (Object.values(findFaults()).every((fault) => fault === undefined))
        action.run((edited === undefined ? bodyOf(rules, held) : changes) as Body);
    },
    entries,
    set: useCallback((changed) => {
      setHeld((all) => ({ ...all, ...changed }));
      setRefused((all) => Object.fromEntries(Object.entries(all).filter(([name]) => !(name in changed))));
    }, []),
    isChanged: Object.keys(changes).length > 0,
    restart: (changed) => {
      setHeld((all) => ({ ...all, ...changed }));
      setAttempts(0);
      action.forget();
    },
    rules,
    faults: { ...(attempts > 0 && findFaults()), ...refused } as Faults<Body>,
    marksOptional: edited === undefined && Object.values<Rule | undefined>(rules).some((rule) => rule?.required),
    showField: useCallback((name, isRequired) => {
      shown.current.set(name, isRequired);
      return () => void shown.current.delete(name);
    }, []),
  };
}

type InputProps = Pick<
  ComponentProps<'input'>,
  | 'type'
  | 'placeholder'
  | 'autoComplete'
  | 'autoFocus'
  | 'autoCapitalize'
  | 'spellCheck'
  | 'inputMode'
  | 'readOnly'
  | 'min'
>;

interface FieldProps<Body extends object> extends InputProps {
  of: FormState<Body>;
  name: keyof Body & string;
  label: string;
  hint?: ReactNode;
  className?: string;
  /** Demanded here, though the body can be sent without it. */
  required?: boolean;
  /** Makes it a text of several lines; of a list, one entry a line. Without it the entries of a list have commas between. */
  rows?: number;
  /** Instead of those of the rule. */
  choices?: readonly Choice<string>[];
  /** Words for the choices of the rule. */
  labels?: Readonly<Record<string, string>>;
  /** What no choice is called, where there may be none. */
  none?: string;
  /** Shows the choices beside each other. */
  isGroup?: boolean;
}

/** A field of a form: its control, limits, faults and "(optional)" follow from the rule of the service. */
export function Field<Body extends object>(props: FieldProps<Body>) {
  const { of: form, name, required = false, rows, choices, labels, none, isGroup = false, ...rest } = props;
  const rule: Rule = { ...form.rules[name], ...(required && { required }) };
  const { showField } = form;
  useEffect(() => {
    const hideField = showField(name, required);
    return hideField;
  }, [showField, name, required]);
  const value = form.entries[name];
  // Each control enters what its rule says.
  const enter = (entry: unknown): void => form.set({ [name]: entry } as Partial<Entries<Body>>);
  const fault = form.faults[name];
  if (typeof value === 'boolean') {
    const { label, hint } = rest;
    return <Checkbox label={label} checked={value} onChange={enter} {...(typeof hint === 'string' && { hint })} />;
  }
  const offered = choices ?? rule.choices?.map((choice) => ({ value: choice, label: labels?.[choice] ?? choice }));
  if (offered !== undefined) {
    const all = none === undefined ? offered : [{ value: '', label: none }, ...offered];
    const chosen = { value: typeof value === 'string' ? value : '', choices: all, onChoose: enter };
    if (isGroup) return <ChoiceGroup legend={rest.label} name={name} {...chosen} />;
    const { label, hint, className } = rest;
    return <SelectField {...{ label, hint, className, fault }} {...chosen} />;
  }
  return <TypedField {...rest} {...{ rule, rows, value, fault, enter }} marksOptional={form.marksOptional} />;
}

interface TypedFieldProps extends InputProps {
  label: string;
  hint?: ReactNode;
  className?: string | undefined;
  rule: Rule;
  rows: number | undefined;
  value: unknown;
  fault: string | undefined;
  marksOptional: boolean;
  enter: (entry: unknown) => void;
}

function TypedField({ rule, rows, value, enter, marksOptional, label, ...field }: TypedFieldProps) {
  const { kind = 'text', required = false, maxLength, min, max } = rule;
  const separator = rows === undefined ? ',' : '\n';
  const isNumber = kind === 'number' || kind === 'integer';
  const control = {
    required,
    label: required || !marksOptional ? label : `${label} (optional)`,
    value: Array.isArray(value) ? value.join(separator) : String(value),
    onEnter: (text: string) => enter(Array.isArray(value) ? text.split(separator) : text),
    ...(kind !== 'list' && { maxLength }),
  };
  const { type = isNumber ? 'number' : kind === 'list' ? 'text' : kind, ...input } = field;
  if (rows !== undefined) {
    const { hint, fault, className, placeholder, autoFocus } = field;
    return <TextArea {...control} {...{ hint, fault, className, placeholder, autoFocus, rows }} />;
  }
  return (
    <TextField
      {...(isNumber && { min, max, step: kind === 'integer' ? 1 : 'any' })}
      {...input}
      {...control}
      type={type}
    />
  );
}
