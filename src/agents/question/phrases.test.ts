import { expect, test } from 'vitest';
import { describedBy, phrasesOf } from './phrases.ts';

const wordsOf = (question: string): string[][] => phrasesOf(question).map(({ words }) => [...words]);

test.each([
  ['Which files in the core change the most?', [['core']]],
  ['Are there cycles in lib/weather?', [['lib/weather']]],
  ['Who maintains mobx-react-lite?', [['mobx-react-lite']]],
  [
    'Which files usually change together with the syntaxes and themes in assets?',
    [['syntaxes'], ['themes'], ['assets']],
  ],
  ['What are the hotspots of the payment scheduler?', [['payment', 'scheduler']]],
  ['Who should I ask about the weather package?', [['weather']]],
  ['What changes most in the folder called weather?', [['weather']]],
  ["Which files get changed along with the normalised cache's store?", [['normalised', 'cache', 'store']]],
  ['Which files change with the store of the cache?', [['store', 'cache']]],
  ['Can the storage code reach the web pages?', [['storage'], ['web', 'pages']]],
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
  'Which areas are risky because they change a lot and are hard to read?',
  'What is the biggest and most complicated file here?',
])('"%s" is about no part of the repository', (question) => {
  expect(wordsOf(question)).toEqual([]);
});

test('what kind of a thing a part is called is known, in one form', () => {
  expect(phrasesOf('Who owns the weather packages?')[0]).toMatchObject({ text: 'weather packages', kind: 'package' });
  expect(phrasesOf('Who owns the weather library?')[0]?.kind).toBe('library');
});

test('a description has the words that tell one part from another', () => {
  expect(describedBy('how entrypoints are discovered')?.words).toEqual(['entrypoints', 'discovered']);
  expect(describedBy('what the code does')).toBeUndefined();
});
