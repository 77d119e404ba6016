import { expect, test } from 'vitest';
import { gradeCandidates, gradeWritten, isAboutCode, type LinkCandidate, surestLinks } from './grade-links.ts';

const candidate = (symbol: string, more: Partial<LinkCandidate> = {}): LinkCandidate => {
  return {
    repositoryId: '1',
    repository: 'shop',
    path: 'src/mail.ts',
    symbol,
    share: 0.5,
    fileScore: 1,
    words: [],
    ...more,
  };
};
const namesOf = (candidates: readonly LinkCandidate[]): string[] => candidates.map(({ symbol }) => symbol);

test('a function is linked when it has enough of the subject and its file is likely', () => {
  const sure = [candidate('send'), candidate('queue')];

  expect(namesOf(gradeCandidates(sure))).toEqual(['send', 'queue']);
  expect(namesOf(gradeCandidates([candidate('send', { share: 0.39 }), candidate('queue', { share: 0.4 })]))).toEqual([
    'queue',
  ]);
  expect(gradeCandidates(sure.map((one) => ({ ...one, fileScore: 0.49 })))).toEqual([]);
  expect(namesOf(gradeCandidates([candidate('send'), candidate('parse', { path: 'src/parse.ts' })]))).toEqual([
    'send',
    'parse',
  ]);
});

test('of a ranking the first three are linked', () => {
  expect(namesOf(gradeCandidates(['a', 'b', 'c', 'd'].map((name) => candidate(name))))).toEqual(['a', 'b', 'c']);
});

test('of several repositories those are chosen that know about as much of the subject as the best', () => {
  const links = [0.5, 0.9, 0.6, 0.8].map((share) => candidate(String(share), { share, repositoryId: String(share) }));

  expect(namesOf(surestLinks(links))).toEqual(['0.9', '0.8']);
});

test('messages are about the code when a quarter of their themes leads there', () => {
  expect(isAboutCode({ linked: 5, themes: 20 })).toBe(true);
  expect(isAboutCode({ linked: 4, themes: 20 })).toBe(false);
});

const hit = (id: string, ...headTerms: string[]) => ({ id, title: id, section: '', terms: [], headTerms });

test('plans are linked by two terms of the subject in their titles, each once by its best section, the best first', () => {
  const subject = ['weekli', 'report', 'mail', 'send'].map((term) => ({ term, word: term, weight: 1 }));
  const graded = gradeWritten(
    [
      hit('plan:a', 'weekli', 'report'),
      hit('plan:b', 'weekli', 'report', 'mail'),
      hit('plan:a', 'weekli', 'report', 'mail', 'send'),
      hit('plan:c', 'weekli'),
      hit('page:1', 'weekli', 'report'),
    ],
    subject,
  );

  expect(graded.map(({ target, score }) => [target, score])).toEqual([
    ['plan:a', 1],
    ['plan:b', 0.75],
  ]);
});
