import { expect, test } from 'vitest';
import { encodeTexts } from '../../knowledge/vectors/vectors.ts';
import { createLog } from '../../platform/log.ts';
import { testAccount } from '../../testing/account.ts';
import { testEncoder } from '../../testing/encoder.ts';
import { BUILT_IN_MODEL } from '../../text/encoder/built-in-encoder.ts';
import { hearTones } from './tones.ts';
import { ANCHORS, toneOf } from '../language/tone.ts';
import { type GivenSignal, saveSignals, selectSignals, type Signals } from '../signals.ts';

const never = new AbortController().signal;
const NOW = new Date('2026-05-01T12:00:00Z');
const [PRAISE = '', , WORKS = '', , TERRIBLE = '', BROKEN = ''] = ANCHORS;

/** The sentences of praise are in one direction, those of complaint in another, all else in a third. */
function vectorOf(text: string): Int8Array {
  const at = ANCHORS.indexOf(text);
  return at === -1 ? Int8Array.of(0, 0, 127) : at < 3 ? Int8Array.of(127, 0, 0) : Int8Array.of(0, 127, 0);
}

const vectorsOfTexts = async (texts: readonly string[]): Promise<Int8Array[]> => texts.map(vectorOf);

async function bench(model = BUILT_IN_MODEL) {
  const account = await testAccount();
  const signals = { db: account.db, now: () => NOW } as unknown as Signals;
  const parts = {
    db: account.db,
    encoder: { ...testEncoder({}, model), encode: vectorsOfTexts },
    log: createLog('silent'),
    countEncoded: () => undefined,
  };
  return {
    save: (given: readonly GivenSignal[]) => saveSignals(signals, account, given),
    encode: () => encodeTexts(parts, account, never),
    hear: () => hearTones(parts, account, never),
    tones: async () => {
      const { rows } = await selectSignals(account.db, account, { limit: 9, offset: 0 });
      return Object.fromEntries(
        rows.map(({ text, polarity, intent }) => [text, `${Math.sign(polarity ?? 0)} ${intent}`]),
      );
    },
  };
}

test('signals sound like the sentences that they are near to, and nothing is told in doubt', async () => {
  const { save, encode, hear, tones } = await bench();
  await save([{ text: PRAISE }, { text: BROKEN }, { text: 'Invoice 12' }, { text: TERRIBLE, rating: 5 }]);
  await hear();
  expect(await tones()).toMatchObject({ [PRAISE]: '0 other' });

  await encode();
  await hear();

  expect(await tones()).toMatchObject({
    [PRAISE]: '1 praise',
    [BROKEN]: '-1 bug',
    'Invoice 12': '0 other',
    [TERRIBLE]: expect.stringMatching(/^1 /),
  });
});

test('a signal that comes again keeps its tone, one that says something else is heard again', async () => {
  const { save, encode, hear, tones } = await bench();
  const given = { externalId: 'a', text: WORKS };
  await save([given]);
  await encode();
  await hear();

  expect(await save([given])).toMatchObject({ unchanged: 1 });
  expect(await tones()).toMatchObject({ [WORKS]: '1 praise' });
  expect(await save([{ ...given, text: TERRIBLE }])).toMatchObject({ updated: 1 });
  expect(await tones()).toMatchObject({ [TERRIBLE]: expect.stringMatching(/^0 /) });
  await encode();
  await hear();
  expect(await tones()).toMatchObject({ [TERRIBLE]: expect.stringMatching(/^-1 /) });
});

test('vectors of an encoder of which nothing is known tell no tone', async () => {
  const { save, encode, hear, tones } = await bench('another');
  await save([{ text: PRAISE }]);
  await encode();
  await hear();

  expect(await tones()).toEqual({ [PRAISE]: '0 other' });
});

test('a tone is told from the threshold on, and stronger beyond it', () => {
  // The first component is nearness to praise, the second to complaint.
  const anchors = ANCHORS.map((_, at) => Int8Array.of(at < 3 ? 127 : 0, at < 3 ? 0 : 127, 0));
  const told = (praise: number, complaint: number): number | undefined =>
    toneOf(Int8Array.of(praise, complaint, 100), anchors, BUILT_IN_MODEL);

  expect(told(52, 50)).toBeUndefined();
  expect(told(54, 50)).toBeCloseTo(0.33, 1);
  expect(told(50, 54)).toBeCloseTo(-0.33, 1);
  expect(told(90, 10)).toBe(1);
});
