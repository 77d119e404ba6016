import { expect, test } from 'vitest';
import { type Source, sourceLink } from './queries.ts';

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
