import type { ComponentProps } from 'react';
import { TextField } from './field.tsx';

type Given = Omit<ComponentProps<typeof TextField>, 'label'> & { label?: string };

/** Field for the name of a person, which browsers fill in. */
export function NameField({ label = 'Name', ...input }: Given) {
  return <TextField label={label} autoComplete="name" required maxLength={80} {...input} />;
}

/** The address that a person signs in with. */
export function EmailField({ label = 'E-mail address', ...input }: Given) {
  return <TextField label={label} type="email" autoComplete="username" {...input} />;
}
