import { Badge, type Tone } from '../components/inline.tsx';
import { formatNumber } from '../format.ts';
import type { Run, RunDetail } from './queries.ts';

type RunStep = RunDetail['steps'][number];

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

/**
 * Returns the state of a step that has not ended; undefined for one that has. In a failed run, the step at which it failed is
 * failed.
 */
export function stepState(
  { state, stage }: Pick<Run, 'state' | 'stage'>,
  step: RunStep,
): 'not run' | Run['state'] | undefined {
  if (step.ended_at !== null) return undefined;
  return stage === step.name && state !== 'done' ? state : 'not run';
}

export function StepBadge({ state }: { state: 'not run' | Run['state'] }) {
  return <Badge tone={state === 'not run' ? 'neutral' : TONES[state]}>{state}</Badge>;
}

/** `4.2 s`, `3 min`, `<0.1 s`; undefined while it runs. */
export function tookOf(startedAt: string, endedAt: string | null): string | undefined {
  if (endedAt === null) return undefined;
  const seconds = Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  if (seconds < 0.05) return '<0.1 s';
  if (seconds < 60) return `${formatNumber(Number(seconds.toFixed(1)))} s`;
  return `${formatNumber(Math.round(seconds / 60))} min`;
}
