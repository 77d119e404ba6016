import { expect, test } from 'vitest';
import type { SearchHit } from '../../src/search/search-output.ts';
import { hitLink, formatLocation } from './hits.ts';

const hit = (corpus: SearchHit['corpus'], id: string, fields: Partial<SearchHit> = {}): SearchHit => ({
  rank: 1,
  corpus,
  id,
  title: '',
  where: '',
  snippet: '',
  score: 1,
  ...fields,
});

test('a hit leads to the page of what was found', () => {
  const location = { repo: 'shop', path: 'src/mail.ts' };
  expect(hitLink(hit('code', 'sym:send', { ...location, where: 'shop: src/mail.ts:10-12' }))).toMatchObject({
    params: { _splat: 'shop@/src/mail.ts' },
    hash: 'L10-12',
  });
  expect(hitLink(hit('code', 'sym:send', { ...location, where: 'shop: src/mail.ts' }))).not.toHaveProperty('hash');
  expect(hitLink(hit('commits', 'c:da61396', { repo: 'shop' }))).toEqual({
    to: '/history/$repositoryId/commits/$sha',
    params: { repositoryId: 'shop', sha: 'da61396' },
  });
  expect(hitLink(hit('plans', 'plan:faster#R1'))).toEqual({ to: '/plans/$slug', params: { slug: 'faster' } });
  expect(hitLink(hit('decisions', 'dec:12'))).toMatchObject({ params: { decisionId: 'dec:12' } });
  expect(hitLink(hit('signals', 'sig:1', { title: 'Export is slow' }))).toEqual({
    to: '/signals/$signalId',
    params: { signalId: 'sig:1' },
  });
  expect(hitLink(hit('documents', 'doc:01a2'))).toMatchObject({ params: { documentId: 'doc:01a2' } });
});

test('the place of a hit on one line is no range', () => {
  expect(
    ['shop: src/mail.ts:3-3', 'src/mail.ts:3-13', 'src/mail.ts:13-3', ''].map((where) => formatLocation({ where })),
  ).toEqual(['shop: src/mail.ts:3', 'src/mail.ts:3-13', 'src/mail.ts:13-3', '']);
});
