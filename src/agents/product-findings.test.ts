import { expect, test } from 'vitest';
import type { WrittenText } from './gather/written.ts';
import { sampleWithTone } from './product-findings.ts';

/** A signal that sounds so much like praise, from -1 to 1. */
function signal(polarity: number | undefined): WrittenText {
  const about = { title: '', status: '', date: '', customer: '', segment: '', source: '', intent: '', polarity };
  const text = { heading: '', section: undefined, path: undefined, repo: '', date: '', text: '', parts: [], score: 1 };
  return { kind: 'signal', id: `sig:${polarity}`, title: '', ...text, about };
}

test.each([
  [[0.5, -0.5, -0.2], 'negative', 'sig:-0.5'],
  [[0.5, -0.5], 'negative', undefined],
  [[0.5, 0.9, -0.2], 'negative', undefined],
  [[-0.2, 0.5, 0.9], 'positive', 'sig:0.5'],
  // What sounds like neither is no praise.
  [[undefined, 0, 0.9], 'positive', undefined],
  [[undefined, 0, 0.9], 'negative', 'sig:undefined'],
  [[-0.2, 0.5], undefined, 'sig:-0.2'],
] as const)('a theme whose signals sound like %j asked for what is %s is shown by %s', (polarities, tone, id) => {
  expect(sampleWithTone(polarities.map(signal), tone)?.id).toBe(id);
});
