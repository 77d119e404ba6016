import { join } from 'node:path';
import { expect, test } from 'vitest';
import { once } from '../../kernel/once.ts';
import { encodeTexts } from '../../knowledge/vectors/vectors.ts';
import { createLog } from '../../platform/log.ts';
import { testAccount } from '../../testing/account.ts';
import { testEncoder } from '../../testing/encoder.ts';
import { BUILT_IN_MODEL } from '../../text/encoder/built-in-encoder.ts';
import type { TextKind } from '../../text/encoder/encoder.ts';
import { loadEncoder } from '../../text/encoder/load-encoder.ts';
import { judgeSignals } from './tones.ts';
import { classProbabilities } from '../language/intent-head.ts';
import { ANCHORS, toneOf } from '../language/tone.ts';
import { type GivenSignal, saveSignals, selectSignals, type Signals } from '../signals.ts';

const never = new AbortController().signal;
const NOW = new Date('2026-05-01T12:00:00Z');
const [PRAISE = '', , WORKS = '', , TERRIBLE = '', BROKEN = ''] = ANCHORS;

const encode = once(() => loadEncoder(join(import.meta.dirname, '../../../models')));

async function bench(model = BUILT_IN_MODEL) {
  const account = await testAccount();
  const signals = { db: account.db, now: () => NOW } as unknown as Signals;
  const parts = {
    db: account.db,
    encoder: {
      ...testEncoder({}, model),
      encode: async (texts: readonly string[], kind: TextKind) => texts.map((text) => encode()(text, kind)),
    },
    log: createLog('silent'),
    countEncoded: () => undefined,
  };
  return {
    save: (given: readonly GivenSignal[]) => saveSignals(signals, account, given),
    encode: () => encodeTexts(parts, account, never),
    judge: () => judgeSignals(parts, account, never),
    tones: async () => {
      const { rows } = await selectSignals(account.db, account, { limit: 9, offset: 0 });
      return Object.fromEntries(
        rows.map(({ text, polarity, intent }) => [text, `${Math.sign(polarity ?? 0)} ${intent}`]),
      );
    },
  };
}

test('signals sound like what they mean, whatever the language, and nothing is shown in doubt', async () => {
  const { save, encode: encodeAll, judge, tones } = await bench();
  await save([
    { text: PRAISE },
    { text: 'Die App stürzt beim Speichern ab' },
    { text: 'Il faudrait pouvoir trier la liste par date' },
    { text: 'Invoice 12' },
    { text: TERRIBLE, rating: 5 },
    { text: BROKEN, tags: ['question'] },
  ]);
  await judge();
  expect(await tones()).toMatchObject({ [PRAISE]: '0 other', [BROKEN]: '0 question' });

  await encodeAll();
  await judge();

  expect(await tones()).toMatchObject({
    [PRAISE]: '1 praise',
    'Die App stürzt beim Speichern ab': '-1 bug',
    'Il faudrait pouvoir trier la liste par date': expect.stringMatching(/ request$/),
    'Invoice 12': '0 other',
    [TERRIBLE]: '1 praise',
    [BROKEN]: '-1 question',
  });
});

test('a signal that comes again keeps its tone and intent, one that says something else is judged again', async () => {
  const { save, encode: encodeAll, judge, tones } = await bench();
  const given = { externalId: 'a', text: WORKS };
  await save([given]);
  await encodeAll();
  await judge();

  expect(await save([given])).toMatchObject({ unchanged: 1 });
  expect(await tones()).toMatchObject({ [WORKS]: '1 praise' });
  expect(await save([{ ...given, text: TERRIBLE }])).toMatchObject({ updated: 1 });
  expect(await tones()).toMatchObject({ [TERRIBLE]: expect.stringMatching(/^0 /) });
  await encodeAll();
  await judge();
  expect(await tones()).toMatchObject({ [TERRIBLE]: expect.stringMatching(/^-1 /) });
});

test('vectors of an encoder of which nothing is known give no tone and no intent', async () => {
  const { save, encode: encodeAll, judge, tones } = await bench('another');
  await save([{ text: PRAISE }]);
  await encodeAll();
  await judge();

  expect(await tones()).toEqual({ [PRAISE]: '0 other' });
});

test('a tone is shown from the threshold on, and stronger beyond it', () => {
  // The first component is nearness to praise, the second to complaint.
  const anchors = ANCHORS.map((_, at) => Int8Array.of(at < 3 ? 127 : 0, at < 3 ? 0 : 127, 0));
  const toneAt = (praise: number, complaint: number): number | undefined =>
    toneOf(Int8Array.of(praise, complaint, 100), anchors, BUILT_IN_MODEL);

  expect(toneAt(52, 50)).toBeUndefined();
  expect(toneAt(54, 50)).toBeCloseTo(0.33, 1);
  expect(toneAt(50, 54)).toBeCloseTo(-0.33, 1);
  expect(toneAt(90, 10)).toBe(1);
});

test('an intent is the class that the weights of a head favour', () => {
  const head = { unit: 0.1, bias: [0, 0.5] };
  const probabilities = classProbabilities(Int8Array.of(127, 0), head, Int8Array.of(30, 0, -10, 0));

  // Scores 3 and -.5.
  expect(probabilities).toEqual([expect.closeTo(0.9707, 3), expect.closeTo(0.0293, 3)]);
});
