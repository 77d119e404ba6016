import { expect, test } from 'vitest';
import { type ChangelogCommit, makeChangelog } from './changelog.ts';
import { changedPaths } from './changelog-trivia.ts';

let count = 0;

/** A commit of its own id that changed the product's code; `time` rises with each. */
function commit(subject: string, further: Partial<ChangelogCommit> = {}): ChangelogCommit {
  count += 1;
  const [, type = 'unclassified'] = /^(\w+)(?:\([^)]*\))?!?:/.exec(subject) ?? [];
  return {
    sha: String(count).padStart(40, 'a'),
    time: count,
    author: 'First Author',
    email: 'first@example.org',
    // The types of these tests are types of ours.
    type: type as ChangelogCommit['type'],
    breaking: subject.includes('!:'),
    breakingBy: subject.includes('!:') ? ['prefix'] : [],
    removed: [],
    scope: null,
    confidence: 1,
    labelSource: type === 'unclassified' ? 'model' : 'author',
    best: type === 'unclassified' ? 'fix feat' : null,
    subject,
    body: '',
    changed: changedPaths([{ path: 'src/a.ts', status: 'M' }]),
    merge: undefined,
    version: '',
    announcedElsewhere: false,
    ...further,
  };
}

const made = (commits: ChangelogCommit[], types: string[] = []): ReturnType<typeof makeChangelog> =>
  makeChangelog(commits.toReversed(), new Set(types));
const entryLines = (commits: ChangelogCommit[], types: string[] = []): string[] =>
  made(commits, types).entries.map(({ section, text }) => `${section}: ${text}`);
/** Returns a commit part that adds a news fragment. */
const fragment = (path: string): Partial<ChangelogCommit> => ({
  changed: changedPaths([
    { path: 'src/a.py', status: 'M' },
    { path, status: 'A' },
  ]),
});

test.each([
  ['feat: sort lists (#12)', 'Added: Sort lists'],
  ['fix: an escape. Fixes #7', 'Fixed: An escape.'],
  ['fix: a vulnerability in escapes', 'Security: A vulnerability in escapes'],
  ['perf: skip what is known', 'Performance: Skip what is known'],
  ['feat!: page lists', 'Breaking changes: Page lists'],
  ['refactor: split the list', 'Changed: Split the list'],
  ['Deprecate the old list', 'Deprecated: Deprecate the old list'],
  ['[8.3.x] Crash of the list (#3)', 'Fixed: Crash of the list'],
])('"%s" is told as "%s"', (subject, expected) => {
  const type = subject.startsWith('Deprecate') ? { type: 'refactor' as const } : {};

  expect(entryLines([commit(subject, subject.startsWith('[') ? { type: 'fix' } : type)])).toEqual([expected]);
});

test('what users do not notice is counted by type, and told when it is asked for', () => {
  const tests = { changed: changedPaths([{ path: 'test/a.test.ts', status: 'M' }]) };
  const commits = [commit('docs: a word'), commit('fix: a test', tests), commit('feat: one')];

  expect(made(commits)).toMatchObject({ skipped: { docs: 1, fix: 1 } });
  expect(entryLines(commits)).toEqual(['Added: One']);
  expect(entryLines(commits, ['docs'])).toEqual(['Documentation: A word']);
});

test.each([
  'chore(release): v1.2.0',
  'Release 1.2.0',
  'Bump version: 1.1 → 1.2',
  'v1.2.0',
  'v1.2.0 (#12)',
  'Tag v1.2.0 (#12)',
  'Prepare release version 8.4.2',
])('a release is no change: "%s"', (subject) => {
  expect(made([commit(subject, { type: 'feat' })])).toEqual({ entries: [], skipped: {}, reverted: 0 });
});

test.each([
  'Release memory of closed lists',
  'Tag v2 lists',
  'Bump the limit of lists to 20',
  'Prepare lists before they are shown',
])('a change that sounds like a release is told: "%s"', (subject) => {
  expect(entryLines([commit(subject, { type: 'fix' })])).toEqual([`Fixed: ${subject}`]);
});

test('commits of one pull request are one entry, named by it, with all of its numbers', () => {
  const merge = {
    sha: 'm',
    subject: 'Merge pull request #9 from someone/lists',
    body: 'feat: sort lists\n\nCloses #4',
  };
  const first = commit('wip', { merge });
  const second = commit('fix review', { merge });

  expect(made([first, second]).entries).toEqual([
    expect.objectContaining({
      section: 'Added',
      text: 'Sort lists',
      references: ['#9', '#4'],
      shas: [second.sha, first.sha],
    }),
  ]);
});

const merged = (...lines: string[]): Partial<ChangelogCommit> => ({
  merge: { sha: 'm', subject: 'Merge pull request #9 from someone/lists', body: lines.join('\n') },
});

test.each<[string, string, string[], string]>([
  ['a marked feature', 'Lists', ['feat: sort lists', 'fix: review'], 'Added: Lists'],
  ['a marked fix', 'Add sorting of lists', ['fix: an order', 'test: orders'], 'Fixed: Add sorting of lists'],
  ['the title where it is marked itself', 'fix: an order', ['feat: a helper'], 'Fixed: An order'],
  ['a marked commit before a title that nobody notices', 'chore: lists', ['feat: sort lists'], 'Added: Lists'],
  ['no correction of its own work', 'perf: sort lists', ['fix: typo', 'fix: lint errors'], 'Performance: Sort lists'],
])('a merged pull request has the type of %s', (_, title, subjects, expected) => {
  expect(entryLines(subjects.map((subject) => commit(subject, merged(title))))).toEqual([expected]);
});

test.each([
  "Merge branch 'release/1.2' into main",
  'Merge pull request #9 from shop/develop',
  "Merge branch '2.x'",
  'Merge pull request #9 from shop/v1.2-branch',
])('what a line of releases brings in are changes of their own: "%s"', (subject) => {
  const merge = { sha: 'm', subject, body: 'Prepare the release (#9)' };

  expect(entryLines([commit('feat: one', { merge }), commit('fix: two', { merge })])).toEqual([
    'Fixed: Two',
    'Added: One',
  ]);
});

test('a pull request that makes a release is no change', () => {
  expect(entryLines([commit('fix: notes', merged('chore: prepare release 1.2.0'))])).toEqual([]);
});

test.each([
  'fix: typo',
  'fix(typo): spelling of lists',
  'fix: typo in comment (#3)',
  'Fix lint errors',
  'Fix flaky tests',
  'Remove unused imports',
  'chore(deps): support the new server',
  'chore: support min go version 1.18',
  'feat: update version constant to v1.10.0',
  'fix: run submodule tests (#276)',
  'chore: update to latest ruff',
])('users notice nothing of it: "%s"', (subject) => {
  const fix = subject.includes(':') ? {} : { type: 'fix' as const };

  expect(entryLines([commit(subject, { ...fix, scope: /\((.+?)\):/.exec(subject)?.[1] ?? null })])).toEqual([]);
});

test.each([
  ['fix: a typo that crashes the list', 'Fixed: A typo that crashes the list'],
  ['fix: run password tests in constant time', 'Fixed: Run password tests in constant time'],
  ['fix: comments of lists are shown', 'Fixed: Comments of lists are shown'],
  ['feat: test mode of lists', 'Added: Test mode of lists'],
  ['chore: rename the option', 'Changed: Rename the option'],
])('"%s" is noticed', (subject, expected) => {
  expect(entryLines([commit(subject)])).toEqual([expected]);
});

test('what is not supported any more is a removal, wherever it is written', () => {
  const manifest = { type: 'chore' as const, changed: changedPaths([{ path: 'shop.gemspec', status: 'M' }]) };
  const dropped = ['Drop support for Rubies < 2.6', 'Remove Python 3.7 support', 'chore: stop supporting Node 16'];
  const subjects = ['Drop support for old runners in CI', 'End to end support of lists', 'Support Ruby 3'];
  const ofChecks = commit('ci: drop support for Ruby 2.6', { changed: manifest.changed });

  expect(entryLines(dropped.map((subject) => commit(subject, manifest)))).toEqual([
    'Removed: Stop supporting Node 16',
    'Removed: Remove Python 3.7 support',
    'Removed: Drop support for Rubies < 2.6',
  ]);
  expect(entryLines([...subjects.map((subject) => commit(subject, manifest)), ofChecks])).toEqual([]);
});

test.each(['ci: remove the old runner', 'test: remove lists', 'build: drop a step', 'chore: remove a case'])(
  'what is removed from upkeep is no removal: "%s"',
  (subject) => {
    expect(entryLines([commit(subject)]).filter((entry) => /^(?:Removed|Breaking)/.test(entry))).toEqual([]);
  },
);

test('what is taken back is left out with its revert; what comes again is told', () => {
  const changelogCommit = commit('feat: one');
  const back = commit('Revert "feat: one"', { type: 'revert', body: `This reverts commit ${changelogCommit.sha}.` });
  const again = commit('Revert "Revert "feat: one""', { type: 'revert', body: `This reverts commit ${back.sha}.` });
  const older = commit('Revert "feat: of last year"', { type: 'revert', body: 'This reverts commit 0123456789.' });

  expect(made([changelogCommit, back])).toEqual({ entries: [], skipped: {}, reverted: 2 });
  expect(entryLines([changelogCommit, back, again])).toEqual(['Added: One']);
  expect(entryLines([older])).toEqual([expect.stringMatching(/^Reverted: /)]);
  const numbered = {
    ...older,
    ...commit('Revert "[fix] Use one path (#3)" (#4)', { type: 'revert', body: older.body }),
  };
  expect(entryLines([numbered])).toEqual(['Reverted: Use one path']);
});

test('where fragments announce changes, they decide what is told and where', () => {
  const commits = [
    commit('feat: one', fragment('changelog/12.bugfix.rst')),
    commit('two', fragment('newsfragments/13.feature.md')),
    commit('three', fragment('changelog/14.removal.rst')),
    commit('fix: announced by another release', { ...fragment('changelog/15.bugfix.rst'), announcedElsewhere: true }),
    commit('fix: not announced'),
  ];

  expect(entryLines(commits)).toEqual(['Removed: Three', 'Added: Two', 'Fixed: One']);
  expect(made(commits).entries.map(({ references }) => references)).toEqual([['#14'], ['#13'], ['#12']]);
});

test('paths tell code from changelogs, fragments and tests', () => {
  expect(changedPaths([{ path: 'CHANGES.rst', status: 'M' }])).toMatchObject({ source: false, changelog: true });
  expect(changedPaths([{ path: '.changeset/brave-cat.md', status: 'A' }])).toMatchObject({ changelog: true });
  expect(changedPaths([{ path: 'changelog/1.bugfix.rst', status: 'D' }]).fragments).toEqual([]);
  expect(changedPaths([{ path: 'src/changes/list.ts', status: 'M' }])).toMatchObject({ source: true, fragments: [] });
  expect(changedPaths([{ path: 'src/a/b/c.ts', status: 'M' }]).folder).toBe('src/a/');
});
