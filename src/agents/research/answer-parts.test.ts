import { expect, test } from 'vitest';
import { answerParts } from './answer-parts.ts';
import type { Claim } from './claims.ts';
import type { CitedFinding } from './research.ts';

const HOW = 'How are mails sent?';

function finding(text: string, corpus: Claim['corpus'], more: Partial<Claim> & { corroboration?: number } = {}) {
  const { corroboration = 0, ...rest } = more;
  const claim: Claim = { text, said: text, evidence: [], corpus, about: HOW, date: '', voice: text, ...rest };
  return { claim, supported: [], sentence: { text, sources: [] }, corroboration } satisfies CitedFinding;
}

/** What is told for some parts of a question, line by line. */
function told(findings: readonly CitedFinding[], parts = [HOW]): string[] {
  return answerParts(findings, parts).paragraphs.flatMap(({ sentences }) => sentences.map(({ text }) => text));
}

const place = (symbol: string, isNameOnly = false): Pick<Claim, 'introduces'> => ({
  introduces: { path: 'a.ts', line: 1, symbol, isNameOnly },
});

test('how something works is told by the place that does it, what else says most, and the documentation', () => {
  const rows = [
    finding('`named` is named', 'code', place('named', true)),
    finding('`post` posts', 'code', place('post')),
    finding('a.ts:3: `log()`', 'code'),
    finding('a.ts:4: `send(mails)`', 'code'),
    finding('Mails wait', 'documents'),
    finding('Mails are sent at night', 'documents'),
    finding('send mails', 'commits'),
  ];

  expect(told(rows)).toEqual(['In short:', '`post` posts', 'a.ts:4: `send(mails)`', 'Mails are sent at night']);
  expect(answerParts(rows, [HOW]).told).toEqual(new Set([rows[1], rows[3], rows[5]]));
});

test('a document with fewer words of a part adds nothing to its code, and does not answer it alone', () => {
  const document = finding('Mails wait', 'documents');

  expect(told([finding('`post` posts', 'code', place('post')), document])).toEqual(['In short:', '`post` posts']);
  expect(told([document])).toEqual([]);
});

test('a line that gives back a name, a lead, and what was true once say less than another', () => {
  const rows = [
    finding('`post` posts', 'code', place('post')),
    finding('a.ts:9: `return sent.mails` ', 'code', { text: 'a.ts:9: `return sentMails;`' }),
    finding('a.ts:5: `sendMails()`', 'code'),
    finding('Mails are sent so:', 'documents'),
    finding('Mails are sent twice', 'documents', { evidence: [changelog] }),
    finding('Sent by the queue', 'documents'),
  ];

  expect(told(rows)).toEqual([
    'In short:',
    '`post` posts',
    'a.ts:5: `sendMails()`',
    'Mails are sent so:',
    'Mails are sent twice',
  ]);
  expect(told([...rows, finding('All mails are sent at night', 'documents')]).at(-1)).toBe(
    'All mails are sent at night',
  );
});

const changelog = { id: 'doc:1', kind: 'document' as const, repo: '', path: 'CHANGELOG.md', text: '' };

test('of two that have the same words the one with more voices comes first, then the older one', () => {
  const about = 'What do customers say about mails?';
  const rows = [
    finding('mails 1', 'signals', { about, date: '2024-03-01' }),
    finding('mails 2', 'signals', { about, date: '2024-02-01' }),
    finding('mails 3', 'signals', { about, date: '2024-04-01', corroboration: 1 }),
    finding('no word of it', 'code', { about, ...place('post') }),
  ];

  expect(told(rows, [about])).toEqual(['In short:', 'mails 3', 'mails 2']);
});

test('what became of something is told from the first commit to the last', () => {
  const about = 'What changed about mails?';
  const commits = ['2024-03-01', '2023-01-01', '2025-01-01'].map((date) =>
    finding(`mails of ${date}`, 'commits', { about, date: `${date}T00:00:00Z` }),
  );

  expect(told(commits, [about])).toEqual([
    'In short:',
    'mails of 2023-01-01',
    'mails of 2024-03-01',
    'mails of 2025-01-01',
  ]);
  expect(told(commits.slice(0, 2), [about])).toEqual(['In short:', 'mails of 2023-01-01', 'mails of 2024-03-01']);
  const since = 'Since when are mails sent?';
  const asked = commits.map((row) => ({ ...row, claim: { ...row.claim, about: since } }));
  expect(told(asked, [since])).toEqual(['In short:', 'mails of 2023-01-01', 'mails of 2024-03-01']);
});

test('each part is answered by itself, by the words that no part before it has', () => {
  const about = 'what does the documentation say about retries of mails?';
  const rows = [
    finding('`post` posts', 'code', place('post')),
    finding('Mails are sent', 'documents', { about }),
    finding('Retries are late', 'documents', { about }),
  ];

  expect(told(rows, [HOW, about, 'Who sends?'])).toEqual([
    'On “How are mails sent”:',
    '`post` posts',
    'On “what does the documentation say about retries of mails”:',
    'Retries are late',
  ]);
});

test('code is told beside a document when it has nine tenths of its worth', () => {
  const document = finding('Mails are sent at night', 'documents', { worth: 1 });
  const code = (worth: number) => finding('`post` sends mails', 'code', { ...place('post'), worth });

  expect(told([document, code(0.88)])).toEqual(['In short:', 'Mails are sent at night']);
  expect(told([document, code(0.92)])).toEqual(['In short:', 'Mails are sent at night', '`post` sends mails']);
});

test('when something came in is told by documents and by two commits', () => {
  const about = 'since which version are mails sent?';
  const rows = [
    ...[1, 2, 3].map((day) => finding(`mails ${day}`, 'commits', { about, date: `2024-01-0${day}` })),
    finding('Mails are sent since 1.2', 'documents', { about }),
  ];

  expect(told(rows, [about])).toEqual(['In short:', 'Mails are sent since 1.2', 'mails 1', 'mails 2']);
});
