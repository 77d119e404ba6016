import type { ComponentProps } from 'react';
import { TextField } from './field.tsx';

type Given = Omit<ComponentProps<typeof TextField>, 'label' | 'onChange'> & {
  label?: string;
  onEnter: (text: string) => void;
};

/** Field for the name of a person, which browsers fill in. */
export function NameField({ label = 'Name', onEnter, ...input }: Given) {
  return (
    <TextField
      label={label}
      autoComplete="name"
      required
      maxLength={80}
      {...input}
      onChange={(event) => onEnter(event.target.value)}
    />
  );
}

/** The address that a person signs in with. */
export function EmailField({ label = 'E-mail address', onEnter, ...input }: Given) {
  return (
    <TextField
      label={label}
      type="email"
      autoComplete="username"
      {...input}
      onChange={(event) => onEnter(event.target.value)}
    />
  );
}
