import { expect, test } from 'vitest';
import { scopeWordsOf } from './scope-words.ts';

const isCertain = (question: string): boolean[] => scopeWordsOf(question).map((found) => found.isCertain);
const wordsOf = (question: string): string[][] => scopeWordsOf(question).map(({ words }) => [...words]);

test.each([
  ['Which files in the core change the most?', [['core']]],
  ['Are there cycles in lib/weather?', [['lib/weather']]],
  ['Who maintains mobx-react-lite?', [['mobx-react-lite']]],
  [
    'Which files usually change together with the syntaxes and themes in assets?',
    [['assets'], ['syntaxes'], ['themes']],
  ],
  ['What are the hotspots of the payment scheduler?', [['scheduler', 'payment']]],
  ['Who should I ask about the weather package?', [['weather']]],
  ['What changes most in the folder called weather?', [['weather']]],
])('"%s" may be about %j', (question, expected) => {
  expect(wordsOf(question)).toEqual(expected);
});

test.each([
  'Which files change most often in the last year?',
  'What are the hotspots of the repository?',
  'How is the project divided into packages?',
  'Which package depends on which other packages?',
  'Are there cycles in the code?',
  'Which files changed in 2024?',
])('"%s" is about no part of the repository', (question) => {
  expect(wordsOf(question)).toEqual([]);
});

test('what stands inside of something, or is called a package, is surely meant as a part', () => {
  expect(isCertain('Are there cycles in the scheduler?')).toEqual([true]);
  expect(isCertain('What are the hotspots of the scheduler?')).toEqual([false]);
  expect(isCertain('What are the hotspots of the scheduler package?')).toEqual([true]);
});
