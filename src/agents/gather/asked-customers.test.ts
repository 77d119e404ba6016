import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { findAskedCustomers, shownSubject } from './asked-customers.ts';
import type { Tools } from './tools.ts';

/** Tools over a hundred signals of large customers, of which so many name the product. */
function toolsOver(naming: number): Tools {
  return scriptedTools((_, { query, customer }) => {
    const isKnown = ['enterprise', 'business', 'small business', 'Acme Corp'].includes(String(customer));
    const found = isKnown ? 4 : query === 'Echo' ? naming : 0;
    return { rows: [], total: found, searched: { signals: 100 } };
  }).tools;
}

test.each([
  ['What do enterprise customers say about exports?', 10, 'What do customers say about exports?', 'enterprise'],
  ['What do angry customers say about exports?', 10, 'What do angry customers say about exports?', undefined],
  // Of two words the longest that there is.
  ['What do small business customers say about exports?', 10, 'What do customers say about exports?', 'small business'],
  ['What do our business customers say about exports?', 10, 'What do our customers say about exports?', 'business'],
  ['What does Acme Corp say about exports?', 10, 'What does say about exports?', 'Acme Corp'],
  ['What are Acme Corp’s complaints about exports?', 10, 'What are complaints about exports?', 'Acme Corp'],
  // What a tenth of all signals name is what all of them are about.
  ['What do people like about the Echo?', 10, 'What do people like ?', undefined],
  ['What do people like about the Echo?', 9, 'What do people like about the Echo?', undefined],
  ['How loud is the sound of the Echo?', 10, 'How loud is the sound ?', undefined],
])('%s, where %i of 100 signals name the product: %s of %s', async (question, naming, words, customer) => {
  expect(await findAskedCustomers(toolsOver(naming), question)).toEqual({ words, customer });
});

test.each([
  ['Do users report problems with remote SSH?', 'remote SSH'],
  ['What do customers say about using it for their children?', 'children'],
  ['Who asks for git support?', 'git'],
  ['What do customers say about support?', 'support'],
  ['Do people complain that the music keeps stopping by itself?', 'music stopping'],
  ['How often are overdrafts mentioned?', 'overdrafts'],
  ['Are people asking for downloads, and is anything planned for it?', 'downloads'],
  ['Are we planning anything for people who cannot sign in?', 'sign in'],
  ['How many people mention using it as an alarm clock?', 'alarm clock'],
  // Light words are a subject where there is no other.
  ['What do customers say about changes?', 'changes'],
])('the subject of %s is shown as %s', (words, subject) => {
  expect(shownSubject(words)).toBe(subject);
});
