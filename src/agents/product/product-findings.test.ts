import { expect, test } from 'vitest';
import type { SignalRow } from '../gather/signals.ts';
import { isSought } from './product-findings.ts';

const SIGNAL = {
  id: 's:1',
  type: 'signal',
  date: '',
  customer: '',
  segment: '',
  snippet: '',
  score: 1,
  intent: 'other',
};

test.each([
  [{ polarity: -0.1 }, ['negative']],
  [{ polarity: 0.1 }, ['positive']],
  [{ polarity: 0 }, []],
  // What sounds like neither is no praise and no complaint, unless it reports a fault.
  [{ polarity: null }, []],
  [{ polarity: null, intent: 'bug' }, ['negative']],
  [{ polarity: 0.5, intent: 'request' }, ['positive', 'request']],
])('a signal that is %j is sought by who asks for %j', (said: Partial<SignalRow>, sought) => {
  const all = ['negative', 'positive', 'request'] as const;

  expect(all.filter((one) => isSought({ ...SIGNAL, ...said }, one))).toEqual(sought);
  expect(isSought({ ...SIGNAL, ...said }, undefined)).toBe(true);
});
