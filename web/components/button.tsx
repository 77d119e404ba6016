import { useId, type ComponentProps, type MouseEvent } from 'react';
import { classNames } from '../class-names.ts';
import { Icon, type IconName } from './icon.tsx';

const SHAPE =
  'inline-flex h-8 items-center justify-center gap-1.5 rounded-md px-3 font-medium whitespace-nowrap no-underline disabled:opacity-50 aria-disabled:opacity-50 max-md:h-9';

const LOOKS = {
  primary: 'bg-accent text-on-accent hover:opacity-90',
  plain: 'border border-edge/50 bg-panel hover:bg-hover',
  ghost: 'text-quiet hover:bg-hover hover:text-ink',
  danger: 'bg-bad-fill text-white hover:opacity-90',
} as const;

type Look = keyof typeof LOOKS;

/** The classes of a button, for links that look like one. */
export function buttonClass(look: Look = 'plain', className?: string): string {
  return classNames(SHAPE, LOOKS[look], className);
}

interface ButtonProps extends ComponentProps<'button'> {
  look?: Look;
  icon?: IconName;
  /** Reason why it cannot be pressed now. It can still be reached with Tab, and says this. `disabled` is for while it is busy. */
  blocked?: string | false | undefined;
}

export function Button({ look = 'plain', icon, className, children, blocked = false, ...rest }: ButtonProps) {
  const why = useId();
  const refusal = blocked !== false && {
    'aria-disabled': true,
    'aria-describedby': why,
    title: blocked,
    onClick: (event: MouseEvent) => event.preventDefault(),
  };
  return (
    <>
      <button type="button" {...rest} {...refusal} className={buttonClass(look, className)}>
        {icon !== undefined && <Icon name={icon} />}
        {children}
      </button>
      {blocked !== false && (
        <span id={why} hidden>
          {blocked}
        </span>
      )}
    </>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: IconName;
  label: string;
}

/** A button that shows only an icon; `label` is its name, also for the pointer. */
export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={classNames(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-quiet hover:bg-hover hover:text-ink max-md:size-9',
        className,
      )}
    >
      <Icon name={icon} />
    </button>
  );
}
