import { expect, test } from 'vitest';
import { type Claim, contradictions, corroborate, withoutRepeats } from './claims.ts';
import { subquestionsOf } from '../question/parts.ts';

function claim(said: string, voice: string, corpus: Claim['corpus'] = 'documents'): Claim {
  return { text: `${said}.`, said, evidence: [], corpus, about: 'refunds', date: '', voice };
}

const said = (claims: readonly Claim[]): string[] => claims.map((made) => made.said);

test('what one voice says twice is one claim, and what another says the like is not', () => {
  const first = claim('A refund is paid within five days of the request', 'policy');
  const again = claim('A refund is paid within five days of the request, mostly', 'policy');
  const other = claim('A refund is paid within five days of the request', 'customer');

  expect(withoutRepeats([first, again, other])).toEqual([first, other]);
});

test('a quote of a document that goes on is told once, with all that it says', () => {
  const long = claim(
    'A refund is paid at once. It is booked at night, with all others of the day and of its shop',
    'policy',
  );
  const short = claim('A refund is paid at once.', 'policy');

  expect(withoutRepeats([long, short])).toEqual([long]);
  expect(withoutRepeats([long, { ...short, voice: 'manual' }])).toHaveLength(2);
});

const FIVE = claim('The refund arrives on the card within 5 days', 'policy');
const NINE = claim('My refund arrived on the card after 9 days', 'customer', 'signals');
const OTHER = claim('Invoices are printed at night', 'manual');

test('claims of other voices about the same thing corroborate each other, and come first', () => {
  const twice = claim('The refund arrives on the card', 'policy');
  const [first, second, ...rest] = corroborate([OTHER, FIVE, twice, NINE]);

  expect([first, second].map((finding) => finding?.claim.said)).toEqual([FIVE.said, twice.said]);
  expect(said(first?.supported ?? [])).toEqual([NINE.said]);
  // A voice counts once, however often it speaks.
  expect(said(rest.find((finding) => finding.claim === NINE)?.supported ?? [])).toEqual([twice.said]);
  expect(rest.find((finding) => finding.claim === OTHER)?.supported).toEqual([]);
});

test('other numbers of the same thing, and a denial of it, are contradictions', () => {
  const denied = claim('The refund never arrives on the card', 'another');

  expect(contradictions([FIVE, NINE, OTHER]).map(({ why }) => why)).toEqual(['5 against 9 day']);
  expect(contradictions([FIVE, denied, OTHER]).map(({ why }) => why)).toEqual(['one denies what the other says']);
  expect(contradictions([FIVE, { ...NINE, said: FIVE.said }, OTHER])).toEqual([]);
  expect(contradictions([FIVE, { ...denied, voice: FIVE.voice }])).toEqual([]);
  const aside = claim('The refund arrives on the card and is not taxed', 'another');
  expect(contradictions([FIVE, aside, OTHER])).toEqual([]);
  // What is denied must be what the other says, and not share a word with it.
  const question = claim('What happens when the refund on the card is scheduled', 'guide');
  const complaint = claim('The refund on the card is not scheduled correctly', 'customer');
  expect(contradictions([question, complaint, OTHER])).toEqual([]);
  // A case that is spoken of is none that is said to be so.
  const inCase = claim('When the refund does not arrive on the card, it is booked again', 'guide');
  expect(contradictions([FIVE, inCase, OTHER])).toEqual([]);
  // A commit tells what was true then.
  expect(contradictions([FIVE, { ...denied, corpus: 'commits' }])).toEqual([]);
});

test('code does not support code, and a commit that was merged is one', () => {
  const code = [claim('send calls post', 'a.ts', 'code'), claim('post is called by send', 'b.ts', 'code')];
  const commits = ['feat: send mails at night', 'feat: send mails at night (#12)'].map((subject, at) =>
    claim(subject, `c:${at}`, 'commits'),
  );

  expect(corroborate(code).flatMap(({ supported }) => supported)).toEqual([]);
  expect(withoutRepeats(commits)).toHaveLength(1);
});

test('a place of the code is told once, and code is told in its order', () => {
  const place = { path: 'a.ts', line: 3, symbol: 'Mail/send', isNameOnly: false };
  const opening = { ...claim('one', 'a.ts', 'code'), introduces: place };
  const again = { ...claim('two', 'a.ts', 'code'), introduces: { ...place, isNameOnly: true } };
  const overload = { ...claim('four', 'a.ts', 'code'), introduces: { ...place, line: 9 } };
  const call = claim('three', 'a.ts', 'code');
  const supported = [
    claim('The refund arrives on the card', 'policy'),
    claim('The refund arrives on my card', 'me', 'signals'),
  ];

  expect(withoutRepeats([opening, again, call, overload])).toEqual([opening, call, overload]);
  expect(corroborate([opening, call, ...supported]).map((finding) => finding.claim)).toEqual([
    opening,
    call,
    ...supported,
  ]);
});

test.each([
  [
    'How are refunds paid and what do customers say about refunds?',
    ['How are refunds paid', 'what do customers say about refunds?'],
  ],
  [
    'How are refunds paid out? Which plans change refunds?',
    ['How are refunds paid out?', 'Which plans change refunds?'],
  ],
  ['How do search and replace work?', ['How do search and replace work?']],
  ['How are refunds paid, and why?', ['How are refunds paid', 'why refunds paid?']],
  [
    'How does file rotation work and what do users complain about?',
    ['How does file rotation work', 'what do users complain about file rotation?'],
  ],
  [
    'How does the watcher work and which problems do users report with it?',
    ['How does the watcher work', 'which problems do users report with watcher?'],
  ],
  [
    'How are periodic refunds scheduled and do they run twice?',
    ['How are periodic refunds scheduled', 'do periodic refunds run twice?'],
  ],
  ['How are lost refunds found, and what is logged?', ['How are lost refunds found', 'what is logged lost refunds?']],
  [
    'What do the docs say about locked orders and how does the code find them?',
    ['What do the docs say about locked orders', 'how does the code find locked orders?'],
  ],
])('the parts of "%s"', (question, parts) => {
  expect(subquestionsOf(question)).toEqual(parts);
});
