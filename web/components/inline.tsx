import { Fragment, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { breakableParts } from '../code-words.ts';

const TONES = {
  neutral: 'bg-hover text-quiet',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
} as const;

export type Tone = keyof typeof TONES;

/** A short state in words; the colour only repeats it. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex shrink-0 items-center rounded-full px-2 py-px text-xs leading-4.5 font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

/** Tags and the like, beside each other. */
export function Badges({ names }: { names: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {names.map((name) => (
        <Badge key={name}>{name}</Badge>
      ))}
    </span>
  );
}

/** A text on one line: cut off where there is no room for it, and whole when the pointer rests on it or it is copied. */
export function OneLine({ text, className }: { text: string; className?: string }) {
  return (
    <span className={classNames('inline-block max-w-full truncate align-bottom', className)} title={text}>
      {text}
    </span>
  );
}

/** A name or path that breaks between its words, and inside of one only where not even that has room. */
export function Breakable({ text }: { text: string }) {
  return breakableParts(text).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** A command of `svc`, as it is typed where it is installed and in a checkout: the page cannot know which it is. */
export function OwnCommand({ words }: { words: string }) {
  return (
    <>
      <code className="font-mono text-ink">svc {words}</code> (in a checkout{' '}
      <code className="font-mono text-ink">npm run -s svc -- {words}</code>)
    </>
  );
}
