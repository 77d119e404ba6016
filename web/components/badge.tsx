import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

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
