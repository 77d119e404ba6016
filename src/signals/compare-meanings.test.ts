import { expect, test } from 'vitest';
import { compareMeanings } from './signals.ts';

test('a text that says the like in other words is nearer than one about something else', async () => {
  const plans = ['A lower-priced tier with advertisements', 'Fewer interruptions of the player', 'xyzzy'];
  const [priced = 0, player = 0, unknown] = await compareMeanings('cheaper subscription', plans);

  expect(priced).toBeGreaterThan(player);
  expect(priced).toBeLessThanOrEqual(1);
  expect(unknown).toBe(0);
});
