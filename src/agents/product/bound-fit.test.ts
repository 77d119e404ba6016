import { expect, test } from 'vitest';
import { writtenText } from '../../testing/prose.ts';
import { levelOf } from '../confidence.ts';
import type { HeardThing, Voices } from '../gather/signals.ts';
import { askedBlocks } from './asked-blocks.ts';
import { boundFit } from './bound-fit.ts';

const SIGNAL = { id: '', type: '', date: '', customer: '', segment: '', snippet: '', score: 1, intent: '' };
const VOICES: Voices = {
  signals: [],
  isNamed: true,
  things: [],
  silent: [],
  isCut: false,
  since: '',
  latest: '',
  themes: [],
  searched: 9,
};
const NOTHING = { intended: [], nearest: undefined };

/** The level of an answer about customers whose texts fit well. */
function levelOfVoices(
  way: HeardThing['way'],
  words: number,
  fitting: number,
  question = 'Do customers want late mails?',
) {
  const things = [{ thing: '', way, words: Array.from({ length: words }, () => ['']) }];
  const voices = { ...VOICES, isNamed: way !== 'none', things };
  const signals = Array.from({ length: fitting }, () => SIGNAL);
  return levelOf(boundFit(0.9, { asked: askedBlocks(question), voices, fitting: signals, ...NOTHING }));
}

test('an answer about customers is high with two words of the question in five signals', () => {
  expect(levelOfVoices('words', 2, 5)).toBe('high');
  expect(levelOfVoices('words', 2, 4)).toBe('medium');
  expect(levelOfVoices('words', 1, 5)).toBe('medium');
  expect(levelOfVoices('near', 2, 5)).toBe('medium');
  expect(levelOfVoices('rarest', 1, 5)).toBe('low');
  expect(levelOfVoices('none', 0, 5)).toBe('low');
  // A plan is asked for, too, and there is none.
  expect(levelOfVoices('words', 2, 5, 'Do customers want late mails, and what is planned?')).toBe('medium');
});

test.each([
  // How well the texts fit, the share of the words in a title, how the nearest was found, and how sure that is.
  [0.9, 0.51, undefined, 'high'],
  [0.9, 0.5, undefined, 'medium'],
  [0.1, 0.51, undefined, 'medium'],
  [0.9, 0.51, 'meaning', 'low'],
  [0.9, 0.51, 'words', 'low'],
] as const)('with a fit of %f, %f of the words in a title and the nearest by %s: %s', (fit, titled, nearest, level) => {
  const intended = [{ text: writtenText('', { kind: 'plan' }), share: 1, titled, meaning: 0 }];
  const asked = askedBlocks('What is planned for mails?');

  expect(levelOf(boundFit(fit, { asked, voices: VOICES, fitting: [], intended, nearest }))).toBe(level);
  expect(levelOf(boundFit(fit, { asked, voices: VOICES, fitting: [], ...NOTHING }))).toBe('low');
});
