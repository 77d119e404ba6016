import { expect, test } from 'vitest';
import { mentionsOf } from './mentions.ts';
import { dependedOn, sidesOf } from './sides.ts';

test.each([
  ['Does the shop depend on the bank?', 'the shop', 'the bank', false],
  ['Is the core free of the web code?', 'the core', 'the web code', true],
  ['Can the parser be used without the printer?', 'the parser', 'the printer', true],
  ['Is the client kept apart from the server?', 'the client', 'the server', true],
  ["Doesn't the shop know the bank?", 'the shop', 'the bank', true],
  ['Does the shop not use the bank?', 'the shop', 'the bank', true],
  ['Do mails ever reach into orders, and where?', 'mails', 'orders', false],
])('"%s" asks whether %s depends on %s', (question, from, to, isApart) => {
  expect(sidesOf(question)).toEqual([{ from, to, isApart, avoided: '' }]);
});

test('a second question is of the first side too where it says no other', () => {
  expect(sidesOf('Is the library kept apart from the program, or does it reach into the clap code somewhere?')).toEqual(
    [
      { from: 'the library', to: 'the program', isApart: true, avoided: '' },
      { from: 'the library', to: 'the clap code', isApart: false, avoided: '' },
    ],
  );
});

test('what the first side may depend on instead is asked, too', () => {
  expect(sidesOf('Does the shop depend on the bank, or on the post?').map(({ from, to }) => [from, to])).toEqual([
    ['the shop', 'the bank'],
    ['the shop', 'the post'],
  ]);
});

test.each(['How does the shop depend on the bank?', 'What does the shop use?', 'Are there import cycles?'])(
  '"%s" is no question of yes or no about two things',
  (question) => {
    expect(sidesOf(question)).toEqual([]);
  },
);

test('what something depends on is told by the words behind the verb', () => {
  expect(dependedOn('Which parts of the code depend on the thing that makes venvs?')).toBe(
    'the thing that makes venvs',
  );
  expect(dependedOn('Which packages would be affected if the configuration package changed?')).toBe(
    'the configuration package',
  );
  expect(dependedOn('Which packages are built on top of the core library, and which are not?')).toBe(
    'the core library',
  );
  expect(dependedOn('What breaks when I remove the mailer?')).toBe('the mailer');
  expect(dependedOn('Who knows?')).toBeUndefined();
});

test('names are words with a capital inside of a sentence, and those that are called a class or a function', () => {
  expect(mentionsOf('What happens if I change how Reaction works?')).toEqual([{ name: 'Reaction', kind: undefined }]);
  expect(mentionsOf('Who uses the Config struct?')).toEqual([{ name: 'Config', kind: 'struct' }]);
  expect(mentionsOf('Which files call the function signal?')).toEqual([{ name: 'signal', kind: 'function' }]);
  expect(mentionsOf('Where are mails sent?')).toEqual([]);
});

test('a way may be asked for from one thing to another, and past a third one', () => {
  expect(sidesOf('Is there a way from the storage to the views that avoids the model?')).toEqual([
    { from: 'the storage', to: 'the views', isApart: false, avoided: 'the model' },
  ]);
  expect(sidesOf('Can the parser reach the printer without going through the core?')).toEqual([
    { from: 'the parser', to: 'the printer', isApart: false, avoided: 'the core' },
  ]);
  expect(sidesOf('Does the reader know about the templates or the writer?').map(({ to }) => to)).toEqual([
    'the templates',
    'the writer',
  ]);
});
