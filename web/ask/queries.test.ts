import { expect, test } from 'vitest';
import { nextLink, type Source, sourceLink } from './queries.ts';

const source = (fields: Partial<Source>): Source => ({ n: 1, id: '', kind: 'code', why: [], text: '', ...fields });

test('a citation opens at its lines as they were, or on the page of what was cited', () => {
  const commit = '29b5ec251059034b79e0120e2ff0c3e35d7bd9f8';
  expect(sourceLink(source({ repo: 'shop', path: 'src/a.ts', lines: '66-72', commit }))).toMatchObject({
    to: '/r/$',
    params: { _splat: 'shop@29b5ec251059/src/a.ts' },
    hash: 'L66-72',
  });
  expect(sourceLink(source({ kind: 'commit', id: 'c:da61396', repo: 'shop' }))).toMatchObject({
    params: { repositoryId: 'shop', sha: 'da61396' },
  });
  expect(sourceLink(source({ kind: 'plan', id: 'plan:faster#R1' }))).toMatchObject({ params: { slug: 'faster' } });
  expect(sourceLink(source({ kind: 'signal', id: 'sig:1' }))).toMatchObject({ params: { signalId: 'sig:1' } });
  expect(sourceLink(source({ kind: 'change', id: 'chg:1' }))).toMatchObject({ to: '/competitors' });
});

test('a call that leads on is a link: the question again, lines, or who uses a symbol', () => {
  const question = { about: 'code', repo: 'shop' } as const;

  expect(nextLink('ask_codeIntelligenceAgent message="Where is CI?" repo="shop"', question)).toMatchObject({
    label: 'Where is CI?',
    link: { to: '/ask', search: { q: 'Where is CI?', about: 'code', repo: 'shop' } },
  });
  expect(nextLink('code-tool definition query="src/a.ts:3-9" detail="body"', question)).toMatchObject({
    label: 'Read src/a.ts:3-9',
    link: { to: '/r/$', params: { _splat: 'shop@/src/a.ts' }, hash: 'L3-9' },
  });
  expect(nextLink('code-tool usages query="sym:Box/put@src/a.ts" repo="depot"', question)).toMatchObject({
    label: 'Who uses put',
    link: { to: '/s/$', params: { _splat: 'depot@/src/a.ts' }, search: { symbol: 'Box/put' } },
  });
  expect(nextLink('document-search-tool count query="bots"', question)).toBeUndefined();
});
