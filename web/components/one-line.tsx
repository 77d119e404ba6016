import { classNames } from '../class-names.ts';

/** A text on one line: cut off where there is no room for it, and whole when the pointer rests on it or it is copied. */
export function OneLine({ text, className }: { text: string; className?: string }) {
  return (
    <span className={classNames('inline-block max-w-full truncate align-bottom', className)} title={text}>
      {text}
    </span>
  );
}
