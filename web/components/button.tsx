import { type ComponentProps, type MouseEvent, useId } from 'react';
import { classNames } from '../class-names.ts';

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

/** Strokes on a 16 x 16 grid: 1.3 kB of the first load (Brotli), where those of lucide-react are 4.2 kB and as many lines. */
const PATHS = {
  alert: 'M8 2.5l6 10.5H2zM8 6.5v3M8 11.3h.01',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  box: 'M8 2l5.5 3v6L8 14l-5.5-3V5zM2.5 5L8 8l5.5-3M8 8v6',
  branch: 'M5 3.5v9M5 3.5a1 1 0 1 0 0-.01M5 12.5a1 1 0 1 0 0 .01M11 5a1 1 0 1 0 0-.01M11 6c0 3-6 2-6 4.5',
  chart: 'M3 13V8M6.5 13V4M10 13V9M13.5 13V6',
  check: 'M3.5 8.5l3 3 6-7',
  chevron: 'M4 6l4 4 4-4',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M6 6h7v7H6zM10 3.5V3H3v7h.5',
  compass: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2zM10.4 5.6L9 9 5.6 10.4 7 7z',
  download: 'M8 2.5v7.5M5 7l3 3 3-3M3 13.5h10',
  file: 'M4 2.5h5l3.5 3.5v7.5H4zM9 2.5V6h3.5M6 8.5h4M6 11h4',
  folder: 'M2.5 4.5V12a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1H8L6.5 3.5h-3a1 1 0 0 0-1 1z',
  flame:
    'M8 2.2c.6 2.4 3.8 3.7 3.8 7.2a3.8 3.8 0 0 1-7.6 0c0-1.7.9-2.7 1.7-3.4.1 1.1.6 1.7 1.3 1.9C6.6 6 6.9 3.8 8 2.2z',
  history: 'M3.2 6.2A5.3 5.3 0 1 1 2.7 9M2.7 3.2v3.2h3.2M8 5.2V8l2 1.4',
  home: 'M2.5 7.5L8 3l5.5 4.5V13h-4V9.5h-3V13h-4z',
  edit: 'M3 13l.6-2.8L10.8 3 13 5.2 5.8 12.4zM9.4 4.4l2.2 2.2',
  key: 'M10.5 2.5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8.4 7.6L3 13M5 11l1.8 1.8',
  leave: 'M6 3H3v10h3M10 5l3 3-3 3M13 8H6.5',
  link: 'M7 9a2.5 2.5 0 0 0 3.6 0l2-2A2.5 2.5 0 0 0 9 3.4l-.8.8M9 7a2.5 2.5 0 0 0-3.6 0l-2 2A2.5 2.5 0 0 0 7 12.6l.8-.8',
  list: 'M3 4h10M3 8h10M3 12h6',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  monitor: 'M2.5 3.5h11v7.5h-11zM6 13.5h4M8 11v2.5',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  person: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c.4-2.5 2.4-4 5-4s4.6 1.5 5 4',
  people:
    'M6 8a2.3 2.3 0 1 0 0-4.6A2.3 2.3 0 0 0 6 8zM2 13c.3-2.2 1.9-3.5 4-3.5s3.7 1.3 4 3.5M10.5 4a2 2 0 0 1 0 3.8M12 9.8c1.2.5 1.9 1.6 2 3.2',
  plug: 'M6 2.5v3M10 2.5v3M4 5.5h8v2a4 4 0 0 1-8 0zM8 11.5v2',
  plus: 'M8 3v10M3 8h10',
  refresh: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5V5h-2.5',
  repository: 'M4 2.5h8.5v11H4.8A1.3 1.3 0 0 1 3.5 12.2V3.5zM3.5 12a1.3 1.3 0 0 1 1.3-1.2h7.7',
  search: 'M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM10 10l3.5 3.5',
  speech: 'M2.5 3.5h11v7.5H7.5L4.5 13.5V11h-2zM5 6.2h6M5 8.5h4',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  tag: 'M2.5 2.5h5.2l5.8 5.8-5.2 5.2-5.8-5.8zM5.3 5.3h.01',
  target: 'M3 4l1 1 1.7-2M7.5 4h5.5M3 8l1 1 1.7-2M7.5 8h5.5M3 12l1 1 1.7-2M7.5 12h5.5',
  upload: 'M8 10V2.5M5 5.5l3-3 3 3M3 13.5h10',
  trash: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 8.5h6l.5-8.5',
} as const;

export type IconName = keyof typeof PATHS;

/** Always decoration: its meaning is in words beside it or in the label of its button. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className={classNames('size-4 shrink-0', className)}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.2 : 1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
