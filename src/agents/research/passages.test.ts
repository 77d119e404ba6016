import { expect, test } from 'vitest';
import { passagesOf, type Section } from './passages.ts';
import type { Wish } from './wish.ts';

const MAILS: Wish = {
  about: 'How are night mails sent?',
  own: new Map([
    ['night', 3],
    ['mail', 1],
  ]),
  beside: new Map(),
  literals: [],
};

const section = (text: string, more: Partial<Section> = {}): Section => ({
  heading: '',
  title: '',
  path: '',
  isOld: false,
  text,
  ...more,
});

const worth = (of: Section, wish: Wish = MAILS): number => passagesOf(of, wish)[0]?.worth ?? 0;

test('a passage is a sentence with those behind it in its paragraph, and a list with its lead', () => {
  const text = [
    'Mails are sent by a queue. It is emptied at night.',
    'Each night mail is sent by one of these:\n\n- the desk of the shop, by hand\n- the printer that nobody sees',
    'A night mail looks like this:\n\n```\nmail\n```\n\nNothing else is sent.',
  ].join('\n\n');

  expect(passagesOf(section(text), MAILS).map((passage) => passage.text)).toEqual([
    'Each night mail is sent by one of these:\n\n- the desk of the shop, by hand\n- the printer that nobody sees',
    'Mails are sent by a queue. It is emptied at night.',
    'It is emptied at night.',
    'A night mail looks like this:',
    '- the desk of the shop, by hand\n- the printer that nobody sees',
    '- the printer that nobody sees',
    'Nothing else is sent.',
  ]);
});

test('a word counts most in the passage, then in its heading, in those above, and in the rest of the section', () => {
  const said = 'The desk posts them all at once. ';
  const [inText, inHeading, above, elsewhere, nowhere] = [
    section('The desk posts the mails of the night.'),
    section(said, { heading: 'Shop › Night mails' }),
    section(said, { heading: 'Night mails › Desk' }),
    section(`${said}\n\nNight mails`),
    section(said),
  ].map((of) => worth(of));

  expect(inText).toBeCloseTo(1.06);
  expect(inHeading).toBeCloseTo(0.8 + 0.15 + 0.06);
  // The two words stand side by side in the question, and not in the passage.
  expect(above).toBeCloseTo(0.5 * 0.75 + 0.06);
  expect(elsewhere).toBeCloseTo(0.3 * 0.85 * 0.75 + 0.06);
  expect(nowhere).toBeCloseTo(0.06);
});

test('words of the other parts decide between passages alike', () => {
  const wish = { ...MAILS, own: new Map([['night', 1]]), beside: new Map([['shop', 1]]) };
  const of = section('The desk is open. \n\nAt day it is night. \n\nAt night the shop is open for mails.');

  expect(passagesOf(of, wish)[0]?.text).toBe('At night the shop is open for mails.');
});

test('limits limit something, reasons give one, and what is written with signs is there', () => {
  const sent = 'Night mails are sent by the desk.';
  const limits = { ...MAILS, about: 'which limitations of night mails are documented?' };
  const why = { ...MAILS, about: 'why are night mails sent?' };
  const literal = { ...MAILS, literals: ['smtp/2'] };

  expect([worth(section(sent), limits), worth(section(sent), why), worth(section(sent), literal)]).toEqual([
    expect.closeTo(0.41),
    expect.closeTo(0.41),
    expect.closeTo(0.56),
  ]);
  expect(worth(section('Night mails cannot be sent by the desk.'), limits)).toBeCloseTo(1.06);
  expect(worth(section('Night mails are sent because the desk is closed.'), why)).toBeCloseTo(1.06);
  expect(worth(section('Night mails are sent by SMTP/2 at once.'), literal)).toBeCloseTo(1.06);
});

test('what was true once is worth less, but not to who asks what became of something', () => {
  const changes = section('Night mails are sent by the desk.', { isOld: true });

  expect(worth(changes)).toBeCloseTo(0.66);
  expect(worth(changes, { ...MAILS, about: 'What changed about night mails?' })).toBeCloseTo(1.06);
});

test('what is said of a term is a passage of its own, however short, under the term', () => {
  const of = section('Settings of the desk.\n\n``night_mail``\n\n  Off by day.', { heading: 'Shop' });

  expect(passagesOf(of, MAILS)[0]).toMatchObject({
    text: '  Off by day.',
    section: { heading: 'Shop › night_mail' },
    worth: expect.closeTo(0.8 + 0.15 + 0.06),
  });
});

test('since which version something is there is told by a text that names one, or by a list of changes that brought it', () => {
  const since = { ...MAILS, about: 'since which version are night mails there?' };
  expect(worth(section('Night mails are sent by the desk.'), since)).toBeCloseTo(0.41);
  expect(worth(section('Night mails are new in version 1.2 of the desk.'), since)).toBeCloseTo(1.06);
  for (const said of ['since 1.2 of', 'as of v1.2 at', 'in 1.2 and newer of'])
    expect(worth(section(`Night mails, ${said} the desk.`), since)).toBeCloseTo(1.06);
  expect(worth(section('Night mails are sent twice.', { isOld: true }), since)).toBeCloseTo(0.41);
  expect(worth(section('Add night mails to the desk.', { isOld: true }), since)).toBeCloseTo(1.06);
});

test('what those who work on a product agreed on is worth less, but to who asks for it', () => {
  const of = section('Night mails are sent by the desk.', { path: 'CONTRIBUTING.md' });

  expect(worth(of)).toBeCloseTo(0.66);
  expect(worth(of, { ...MAILS, about: 'How do contributors send night mails?' })).toBeCloseTo(1.06);
});
