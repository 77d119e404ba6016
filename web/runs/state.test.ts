import { expect, test } from 'vitest';
import { stepState, tookOf } from './state.tsx';

const STEPS = [
  { name: 'code', ended_at: '2026-11-24T10:00:01Z', calls: [] },
  { name: 'commits', ended_at: null, calls: [] },
  { name: 'plans', ended_at: null, calls: [] },
];

test.each(['running', 'failed', 'cancelled'] as const)('a %s run says at which of its steps it is or was', (state) => {
  expect(STEPS.map((step) => stepState({ state, stage: 'commits' }, step))).toEqual([undefined, state, 'not run']);
});

test('a step that a finished run did without was not run', () => {
  expect(STEPS.map((step) => stepState({ state: 'done', stage: 'commits' }, step))).toEqual([
    undefined,
    'not run',
    'not run',
  ]);
});

const took = (ms: number): string | undefined =>
  tookOf('2026-11-24T10:00:00.000Z', new Date(Date.parse('2026-11-24T10:00:00Z') + ms).toISOString());

test('what took no time that can be told took less than a tenth of a second', () => {
  expect([49, 50, 4_249, 180_000].map(took)).toEqual(['<0.1 s', '0.1 s', '4.2 s', '3 min']);
});
