import { expect, test } from 'vitest';
import { changelogGroups, changelogMarkdown, type ChangelogRow } from './changelog-markdown.ts';

function row(further: Partial<ChangelogRow>): ChangelogRow {
  return {
    version: 'v2.0.0',
    section: 'Added',
    text: 'Sort lists',
    breaking: false,
    removed_exports: [],
    scope: null,
    refs: [],
    shas: ['a'.repeat(40)],
    author: 'First Author',
    date: '2026-01-01',
    ...further,
  };
}

test('a changelog is written by version and section, with references and what was removed', () => {
  const removed = ['send', 'retry'].map((name) => ({ path: 'a.ts', name }));
  const rows = [
    row({ version: null, section: 'Fixed', text: 'A leak', refs: ['#7'] }),
    row({ section: 'Breaking changes', scope: 'mail', removed_exports: removed }),
    row({}),
    row({ text: 'Page lists' }),
  ];

  expect(changelogMarkdown(rows, new Map([['v2.0.0', '2026-02-03']])).split('\n')).toEqual([
    '## [Unreleased]',
    '',
    '### Fixed',
    '',
    '- A leak (#7, aaaaaaa)',
    '',
    '## [v2.0.0] - 2026-02-03',
    '',
    '### Breaking changes',
    '',
    '- **mail:** Sort lists; removed: send, retry (aaaaaaa)',
    '',
    '### Added',
    '',
    '- Sort lists (aaaaaaa)',
    '- Page lists (aaaaaaa)',
    '',
  ]);
});

test('what people wrote becomes no markup, but for code', () => {
  const text = 'Show <img src=x> of [site](https://example.com) in `a[0]`';

  expect(changelogMarkdown([row({ text })], new Map())).toContain(
    String.raw`- Show \<img src=x> of \[site\](https://example.com) in ${'`a[0]`'} (`,
  );
});

test('only neighbours of one version and section are together', () => {
  const rows = [row({}), row({ section: 'Fixed' }), row({ version: 'v1.0.0', section: 'Fixed' })];

  expect(changelogGroups(rows).map(({ version, section }) => [version, section])).toEqual([
    ['v2.0.0', 'Added'],
    ['v2.0.0', 'Fixed'],
    ['v1.0.0', 'Fixed'],
  ]);
});
