import { expect, test } from 'vitest';
import { isBot, isBotCommit } from '../mine/history-writer.ts';
import { omittedKind } from '../../kernel/path-kinds.ts';
import { issueReferences, parseTrailers, revertedCommits, shortenOwn } from './trailers.ts';

test('trailers are the key lines of the last paragraph, in order, with values that go on', () => {
  const body =
    'Why: it was slow.\n\nMore text.\n\nCo-authored-by: Second Author <second@example.org>\nReviewed-by: Third\n  Author\nSee: the list\n(cherry picked from commit 0123456789)';

  expect(parseTrailers(body)).toEqual([
    { key: 'Co-authored-by', value: 'Second Author <second@example.org>' },
    { key: 'Reviewed-by', value: 'Third Author' },
    { key: 'cherry-picked-from', value: '0123456789' },
  ]);
  expect(parseTrailers('BREAKING CHANGE: no more lists')).toEqual([{ key: 'BREAKING CHANGE', value: 'no more lists' }]);
  expect(parseTrailers('Signed-off-by: A\n\nlast words')).toEqual([]);
});

test.each([
  ['Fixes #12 and GH-9, see other/name#3 (#12)', ['#12', '#9', 'other/name#3']],
  ['see https://host/a/b/issues/77 and https://host/g/a/b/-/issues/5', ['a/b#77', 'a/b#5']],
  ['see https://host/a/b/pull/77 (a/b#77), /pull/5 and https://bugs.host/issues/6', ['a/b#77', '#5', '#6']],
  ['SHOP-12: UTF-8 for RFC-3339, CVE-2024-1', ['SHOP-12']],
  ['color #123456789, foo/bar#, &#39;', []],
])('references in "%s"', (text, references) => {
  expect(issueReferences(text)).toEqual(references);
});

test('only what names the repository itself is told by its number alone', () => {
  const references = ['#12', 'Shop/api#12', 'shop/API#3', 'shop/api-docs#3', 'other/api#3', 'SHOP-1'];

  expect(shortenOwn(references, 'shop/api')).toEqual(['#12', '#3', 'shop/api-docs#3', 'other/api#3', 'SHOP-1']);
  expect(shortenOwn(references, undefined)).toEqual(references);
});

test('reverts name what they take back', () => {
  expect(revertedCommits('This reverts commit 0123ABC4.\n')).toEqual(['0123abc4']);
  expect(revertedCommits('reverts nothing')).toEqual([]);
});

test.each([
  ['renovate[bot]', '29139614+renovate[bot]@users.example.org', true],
  ['dependabot-preview', 'support@dependabot.example', true],
  ['GitHub Actions', 'bot@example.org', true],
  ['GitHub Actions', 'actions@github.com', true],
  ['github-action', 'someone@example.org', true],
  ['Drone CI', 'drone@acme.example', true],
  ['k8s-ci-robot', 'robot@example.org', true],
  ['Scala Steward', 'me@example.org', true],
  ['Hosted Weblate', 'hosted@weblate.example', true],
  ['Jenkins', 'jenkins@acme.example', true],
  ['Travis CI User', 'travis@example.org', true],
  ['release', 'project_42_bot_0a1b2c@noreply.gitlab.example', true],
  ['release', 'service_account_group_7_0a1b2c@noreply.gitlab.example', true],
  ['An Engineer', 'engineer@circleci.com', false],
  ['travis', 'travis@example.org', false],
  ['Guo Ci', 'guo@example.org', false],
  ['Jon Jenkins', 'jon@example.org', false],
  ['Travis Example', 'travis@example.org', false],
  ['Alexandre Courbot', 'acourbot@example.org', false],
  ['Weblate (bot)', 'hosted@weblate.example', true],
  ['Robot (cabot)', 'cabot@example.org', false],
  ['Abbott', 'abbott@example.org', false],
  ['Botond', 'botond@example.org', false],
])('%s <%s> is a program: %s', (name, email, expected) => {
  expect(isBot(name, email)).toBe(expected);
});

test.each([
  ['renovate[bot]', '', true],
  ['renovate[bot]', '\n\nCo-authored-by: First Author <first@example.org>', false],
  ['mergify[bot]', '\n\n(cherry picked from commit 0123456789)', false],
  ['google-labs-jules[bot]', '', false],
  ['copilot-swe-agent[bot]', '', false],
  ['First Author', '', false],
])('a commit of %s with the body "%s" was made by a program itself: %s', (authorName, body, expected) => {
  expect(isBotCommit({ authorName, authorEmail: `${authorName}@users.example.org`, body })).toBe(expected);
});

test('what a coding agent wrote under a name of its own was ordered', () => {
  const authorEmail = '158243242+devin-ai-integration[bot]@users.noreply.example.org';

  expect(isBot('Devin AI', authorEmail)).toBe(true);
  expect(isBotCommit({ authorName: 'Devin AI', authorEmail, body: '' })).toBe(false);
});

test.each([
  ['package-lock.json', 'lock'],
  ['packages/a/Cargo.lock', 'lock'],
  ['vendor/lib/a.go', 'vendored'],
  ['api/shop.pb.go', 'generated'],
  ['dist/index.js', 'generated'],
  ['src/distance.ts', undefined],
  ['src/locks.ts', undefined],
])('%s is left out as %s', (path, kind) => {
  expect(omittedKind(path)).toBe(kind);
});
