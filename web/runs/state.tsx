import { Badge, type Tone } from '../components/badge.tsx';
import { formatNumber } from '../format.ts';
import type { Run } from './queries.ts';

export const RUN_STATES = ['running', 'done', 'failed', 'cancelled'] as const satisfies Run['state'][];

const TONES: Readonly<Record<Run['state'], Tone>> = {
  running: 'accent',
  done: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

export function RunBadge({ run: { state, pct } }: { run: Pick<Run, 'state' | 'pct'> }) {
  return <Badge tone={TONES[state]}>{state === 'running' ? `running, ${pct} %` : state}</Badge>;
}

/** `4.2 s`, `3 min`; undefined while it runs. */
export function tookOf(startedAt: string, endedAt: string | null): string | undefined {
  if (endedAt === null) return undefined;
  const seconds = Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  if (seconds < 60) return `${formatNumber(Number(seconds.toFixed(1)))} s`;
  return `${formatNumber(Math.round(seconds / 60))} min`;
}
