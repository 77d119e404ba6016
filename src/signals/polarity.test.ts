import { expect, test } from 'vitest';
import { statedIntent } from './language/intent.ts';
import { MessageModel } from './language/message-model.ts';
import { messageFeatures } from './language/message-features.ts';
import { toneWordsOf } from './language/tone-words.ts';
import { polarityOf } from './polarity.ts';

test('without stars no tone is told before a text is encoded', () => {
  expect(polarityOf('I love how fast it is, thank you')).toMatchObject({ polarity: undefined, words: [] });
});

test.each([
  [1, -1],
  [3, 0],
  [4, 0.5],
  [5, 1],
])('%s stars decide, whatever the words are', (stars, polarity) => {
  expect(polarityOf('great and terrible', stars)).toMatchObject({ polarity, words: [`${stars} of 5 stars`] });
});

test.each([
  ['The export crashes with an error every time', 'bug'],
  ['Please add support for PDF export', 'request'],
  ['We will cancel our plan', 'churn'],
  ['Wir haben gekündigt', 'churn'],
  ['Invoice 12', 'other'],
])('"%s" is a %s', (text, intent) => {
  expect(polarityOf(text).intent).toBe(intent);
});

test.each([
  ['[Feature request] Dark mode', 'request'],
  ['Bug: wrong colours', 'bug'],
  ['Frage: Export', 'question'],
  ['How can I export?\nI look for a button', 'question'],
  ['Why does it crash?\nSince yesterday', 'question'],
  ['Support for PDF\nWe print a lot', 'request'],
  ['Editor freezes\nSince yesterday', 'bug'],
  ['Editor and fonts\nSteps to reproduce: open it', 'bug'],
  ['Editor and fonts\nWould be nice to choose one', 'request'],
  ['Editor and fonts\nWhich one is it?', 'question'],
  ['Editor and fonts\nThere are some', undefined],
  ['The editor freezes', undefined],
  ['It stopped working after the update', 'bug'],
  ['Die App stürzt ständig ab', 'bug'],
])('what "%s" says it is counts', (text, intent) => {
  expect(statedIntent(text)).toBe(intent);
});

test('words of tone are counted with negations and emphasis', () => {
  expect(toneWordsOf('very slow but nice, and now not good')).toEqual([
    { written: 'slow', sign: -1, strength: 1.5 },
    { written: 'nice', sign: 1, strength: 1 },
    { written: 'not good', sign: -1, strength: 1 },
  ]);
  expect(toneWordsOf('not once was it good').map(({ sign }) => sign)).toEqual([1]);
  expect(toneWordsOf('please make it faster')).toEqual([]);
});

test('features are words, pairs, marks, and the words of a first line', () => {
  const features = messageFeatures('Dark Mode!\nIt’s nice :)');

  expect(Object.fromEntries(features)).toMatchObject({
    dark: 1,
    'dark mode': 1,
    '!': 1,
    "it's nice": 1,
    ':)': 1,
    'title:dark': 1,
    praise: 1,
    complaint: 0,
  });
  expect(features.has('title:nice')).toBe(false);
  expect(messageFeatures('dark').has('title:dark')).toBe(false);
});

test('a verdict is the class with the most weight, said only when it is sure', () => {
  const trained = {
    classes: ['down', 'up'],
    features: 'good\nbad',
    // One weight a class of each feature, and of the bias.
    weights: Buffer.from(Int8Array.of(-50, 50, 50, -50, 0, 0).buffer).toString('base64'),
    unit: 0.02,
    sharpness: 1,
  };
  const model = new MessageModel({ ...trained, least: 0.8 });

  expect(model.verdict(new Map([['good', 1]]))).toEqual({
    said: 'up',
    probability: expect.closeTo(0.881, 3) as number,
  });
  expect(model.verdict(new Map([['bad', 1]])).said).toBe('down');
  expect(
    model.verdict(
      new Map([
        ['good', 1],
        ['bad', 1],
      ]),
    ),
  ).toMatchObject({ said: undefined, probability: 0.5 });
});
