import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { subquestionsOf } from '../question/parts.ts';
import type { Claim } from './claims.ts';
import { conclude, lostParts, reportOf, searchCorpus } from './research.ts';

function claim(text: string, about: string): Claim {
  return { text, said: text, evidence: [], corpus: 'code', about, date: '', voice: text };
}

const SENT = 'How is the mail of an order sent?';
const DROPPED = 'when is the mail of an old order dropped?';

function report(
  claims: Claim[],
  subquestions = [SENT, DROPPED],
  { question = subquestions.join(' '), isWhole = true } = {},
): string[] {
  const found = conclude({ question, effort: 'standard', subquestions }, [{ collected: [{ claims }], calls: [] }]);
  return reportOf(found, isWhole).flatMap(({ sentences }) => sentences.map(({ text }) => text));
}

const place = (symbol: string, isNameOnly = false): Pick<Claim, 'introduces'> => ({
  introduces: { path: 'a.ts', line: 1, symbol, isNameOnly },
});

const told = (about: string, texts: string[]): Claim[] => [
  { ...claim('`mainOf` waits.', about), ...place(`mainOf${about}`), voice: about },
  ...texts.map((text) => claim(text, about)),
];

const named = (symbol: string): Claim => ({
  ...claim(`The place to look is \`${symbol}\`.`, SENT),
  ...place(symbol, true),
});

const AT_NIGHT = 'How are the mails of orders sent at night?';
const rows = (corpus: Claim['corpus'], texts: string[]): string[] =>
  report(
    texts.map((text): Claim => ({ ...claim(text, AT_NIGHT), corpus })),
    [AT_NIGHT],
  );

const searched = async (subquestions: string[]): Promise<number> => {
  const { tools, asked } = scriptedTools(() => []);
  await searchCorpus(tools, 'commits', { question: '', effort: 'quick', subquestions });
  return new Set(asked.filter(({ name }) => name === 'commit-tool').map(({ args }) => args['query'])).size;
};

test('what the code does is told for each part of a question by itself, and only what fits the part', () => {
  const sent = told(SENT, [
    '`post` posts the mail of an order.',
    '`send` sends a mail.',
    '`mails` has an order.',
    '`mail` waits.',
  ]);
  const dropped = told(DROPPED, ['`drop` drops the mail of an old order.', '`lose` loses the mail of an old order.']);

  expect(report([...sent, ...dropped])).toEqual([
    `On “${SENT.slice(0, -1)}”:`,
    '`mainOf` waits.',
    '`post` posts the mail of an order.',
    `On “${DROPPED.slice(0, -1)}”:`,
    '`mainOf` waits.',
    '`drop` drops the mail of an old order.',
    `What the code does for “${SENT.slice(0, -1)}”:`,
    '`send` sends a mail.',
    '`mails` has an order.',
    `What the code does for “${DROPPED.slice(0, -1)}”:`,
    '`lose` loses the mail of an old order.',
  ]);
});

test('of a short report what does not quite answer a part is told where nothing else is, and not beside an answer', () => {
  const near = { ...claim('`send` sends a mail.', SENT), worth: 0.4 };
  const dropped = told(DROPPED, ['`drop` drops the mail of an old order.', '`lose` loses the mail of an old order.']);
  const answer = [`On “${DROPPED.slice(0, -1)}”:`, '`mainOf` waits.', '`drop` drops the mail of an old order.'];

  expect(report([near, ...dropped], [SENT, DROPPED], { isWhole: false })).toEqual([
    ...answer,
    `What the code does for “${SENT.slice(0, -1)}”:`,
    '`send` sends a mail.',
  ]);
});

test('a place that is only named is no answer to a part whose words it has not', () => {
  expect(report([named('problemOf')])).toEqual([]);
  expect(report([named('mailOf')])).toEqual([]);
  expect(report([named('mailOfOrder')])).toHaveLength(2);
});

test('a commit or a document behind the answer has three fifths of the words', () => {
  expect(rows('commits', ['mails of orders at night', 'mails of orders', 'fix mails'])).toEqual([
    'What was done:',
    'mails of orders at night',
  ]);
  expect(
    rows('documents', ['Mails of orders leave at night', 'Mails of orders leave', 'Orders wait at night']),
  ).toEqual(['In short:', 'Mails of orders leave at night']);
});

test('commits are searched for the parts that ask what became of something, and for others when none does', async () => {
  expect(await searched([SENT, DROPPED])).toBe(2);
  // One word is looked for with those of the other part too.
  expect(await searched([SENT, 'what has changed about mails?'])).toBe(2);
  expect(await searched([SENT, 'why are mails sent at night?'])).toBe(1);
});

test('that nothing was found for a part is not said where something was that fits too little', () => {
  const { gaps } = conclude({ question: SENT, effort: 'quick', subquestions: [SENT, DROPPED] }, [
    { collected: [{ claims: [{ ...claim('Mails wait.', SENT), corpus: 'documents' }] }], calls: [] },
  ]);

  expect(gaps).toContain(`nothing that was found for “${SENT}” has most of its words, “mail of order sent”`);
  expect(gaps).toContain(`nothing was found for “${DROPPED}”, looked for as “mail of old order dropped”`);
});

test('a part is not lost when its sources are', () => {
  const evidence = [{ id: 'doc:1', kind: 'document' as const, repo: '', text: 'A mail of an order is late.' }];
  const claims: Claim[] = [{ ...claim('A mail of an order is late.', SENT), corpus: 'decisions', evidence }];
  const found = conclude({ question: SENT, effort: 'quick', subquestions: [SENT, DROPPED] }, [
    { collected: [{ claims }], calls: [] },
  ]);
  const [number = 0] = found.ledger.entries.map((entry) => entry.number);

  expect(lostParts(found, new Map([[number, { state: 'verified' }]]))).toEqual([]);
  // What is not told is not looked up.
  expect(lostParts(found, new Map())).toEqual([]);
  expect(lostParts(found, new Map([[number, { state: 'missing', why: '' }]]))).toEqual([
    `what was found for “${SENT}” is not there any more`,
  ]);
});

test('a part is shown in the words of the question', () => {
  const question = 'How is a mail of an order sent, and which limitations are documented?';
  const subquestions = subquestionsOf(question);
  const [, about = ''] = subquestions;
  const claims: Claim[] = [{ ...claim('A mail of an order is late.', about), corpus: 'documents' }];

  expect(report(claims, subquestions, { question })[0]).toBe('On “which limitations are documented”:');
  expect(conclude({ question, effort: 'quick', subquestions }, []).gaps).toContain(
    'nothing was found for “which limitations are documented?”, looked for as “mail of order”',
  );
});

test('what two parts found in documents is told for the one that asks the documents, and pointed to for the other', () => {
  const subquestions = ['how are orders locked', 'what is documented about locked orders'];
  const claims = subquestions.map((about): Claim => {
    return {
      ...claim('An order that is open twice is locked until the night.', about),
      corpus: 'documents',
      voice: 'doc:1',
      evidence: [
        { id: 'doc:1', kind: 'document', repo: '', text: 'An order that is open twice is locked until the night.' },
      ],
    };
  });
  const request = { question: subquestions.join(' and '), effort: 'standard' as const, subquestions };
  const { findings } = conclude(request, [{ collected: [{ claims }], calls: [] }]);

  expect(findings.map((finding) => finding.claim.about)).toEqual(subquestions.toReversed());
  expect(findings[1]?.sentence.text).toBe(
    'See the answer to “what is documented about locked orders”, which also covers this.',
  );
  expect(findings[1]?.sentence.sources).toEqual(findings[0]?.sentence.sources);
});

test('a passage that only comes nearest to one part is told for the part that it answers', () => {
  const near = { ...claim('A mail of an order is sent by the desk.', DROPPED), worth: 0.4, isNear: true };
  const own = { ...claim('A mail of an order is sent by the desk.', SENT), worth: 1 };
  const other = { ...claim('A mail of an order is sent at night.', SENT), worth: 0.9 };
  const claims = [near, own, other].map((made): Claim => ({ ...made, corpus: 'documents', voice: 'doc:1' }));

  expect(report(claims)).toEqual([`On “${SENT.slice(0, -1)}”:`, own.text, other.text]);
});

test('what a list of changes says was true once, and contradicts nothing', () => {
  const claims = ['guide.md', 'CHANGELOG.md'].map((path, at): Claim => {
    const evidence = [{ id: path, kind: 'document' as const, repo: '', path, text: '' }];
    return { ...claim(`The mail of an order takes ${at + 2} days.`, SENT), corpus: 'documents', evidence };
  });
  const request = { question: SENT, effort: 'quick' as const, subquestions: [SENT] };
  const found = (of: Claim[]): number =>
    conclude(request, [{ collected: [{ claims: of }], calls: [] }]).contradictions.length;

  expect([found(claims), found(claims.map((made) => ({ ...made, evidence: [] })))]).toEqual([0, 1]);
});
