import type { ComponentProps } from 'react';
import { IconButton } from '../components/button.tsx';
import type { Signal } from '../knowledge/queries.ts';

interface SignalButtonProps extends ComponentProps<'button'> {
  signal: Signal;
}

/** Opens the menu of a signal; what it does comes with the properties. */
export function SignalButton({ signal, ...rest }: SignalButtonProps) {
  return <IconButton {...rest} icon="more" label={`Actions for “${signal.text.slice(0, 40)}”`} />;
}
