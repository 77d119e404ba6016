import { expect, test } from 'vitest';
import type { Evidence, SimilarFix, Suspect, SuspectCommit } from './analysis.ts';
import { hypotheses, planOf, type Reach } from './conclude.ts';
import { readReport } from '../../localise/localise.ts';

const WORDS: Evidence = { kind: 'text', id: 'src/a.ts:4', weight: 1, says: 'words of the report: mail' };
const FRAME: Evidence = { kind: 'frame', id: 'src/a.ts:9', weight: 1, says: 'frame 1 of this repository' };
const ONLY: Evidence = { kind: 'text', id: 'src/a.ts:5', weight: 1, says: 'has the text "no mail"', isOnly: true };

function suspect(path: string, likelihood: number, evidence: Evidence[] = [WORDS], symbol = 'send'): Suspect {
  return { path, symbol, lines: [3, 9], score: 1, likelihood, evidence };
}

function commit(touches: string, isRecent = true): SuspectCommit {
  const facts = { sha: 'abcdef0123', subject: 'perf: send at once', author: 'Ada', date: '2026-01-02' };
  return { ...facts, why: `touched ${touches} after v1`, isRecent, touches: [touches] };
}

interface Given {
  suspects: readonly Suspect[];
  report?: string;
  reach?: Partial<Reach>;
  commits?: readonly SuspectCommit[];
  similar?: readonly SimilarFix[];
  since?: string;
}

const findingsOf = ({ suspects, report = 'Mails are lost', reach, commits = [], similar = [], since }: Given) => ({
  suspects,
  report: readReport(report),
  reach: { isOfFile: false, affected: 0, entry_points: [], tests: [], ...reach },
  commits,
  similar,
  since,
});
const conclude = (given: Given) => hypotheses(findingsOf(given));
const TRACE = 'TypeError: x\n    at send (/app/src/b.ts:3:1)';

const stated = (given: Given): string | undefined => conclude(given)[0]?.statement;
const rivals = (...others: number[]): string[] =>
  conclude({
    suspects: [suspect('src/a.ts', 0.5, [ONLY]), ...others.map((other, at) => suspect(`src/o${at}.ts`, other))],
  })[0]?.against ?? [];
const against = (given: Omit<Given, 'suspects'>, evidence = [ONLY]): string[] =>
  conclude({ suspects: [suspect('src/a.ts', 0.5, evidence)], ...given })[0]?.against ?? [];

test('words alone make no hypothesis, however likely they make a file', () => {
  expect(conclude({ suspects: [suspect('src/a.ts', 0.9), suspect('src/b.ts', 0.1)] })).toEqual([]);
  expect(conclude({ suspects: [suspect('src/a.ts', 0.9)], commits: [commit('src/a.ts', false)] })).toEqual([]);
});

test('a hypothesis states a commit since the last good state, else a frame, else a text that only its file has', () => {
  const all = [suspect('src/a.ts', 0.5, [WORDS, ONLY, FRAME])];

  expect(stated({ suspects: all, commits: [commit('src/a.ts')] })).toBe(
    'c:abcdef0 (2026-01-02, perf: send at once) touched src/a.ts after v1: send (src/a.ts:3)',
  );
  expect(stated({ suspects: all, report: TRACE })).toBe(
    'TypeError passes send (src/a.ts:3): frame 1 of this repository',
  );
  expect(stated({ suspects: [suspect('src/a.ts', 0.5, [WORDS, ONLY], '')] })).toBe('src/a.ts:3 has the text "no mail"');
});

test('there are three hypotheses at most, one a file, with the likelihood of the file', () => {
  const functions = [0.3, 0.25, 0.2, 0.15].map((likelihood, at) => suspect(`src/${at}.ts`, likelihood, [FRAME]));
  const files = functions.map((item) => ({ ...item, symbol: '' }));

  expect(conclude({ suspects: [...functions, ...files] }).map(({ probability }) => probability)).toEqual([
    0.3, 0.25, 0.2,
  ]);
});

test('files that are six tenths as likely speak against it, three of them', () => {
  expect(rivals(0.3)).toEqual(['src/o0.ts has 30 %']);
  expect(rivals(0.29)).toEqual([]);
  expect(rivals(0.8, 0.4, 0.4, 0.4)).toHaveLength(3);
});

test('a trace elsewhere, no change since the last good state and tests that reach it speak against it', () => {
  expect(against({ report: TRACE })).toEqual(['no frame of the trace is in it']);
  expect(against({ report: TRACE }, [FRAME])).toEqual([]);
  expect(against({ report: TRACE }, [WORDS, FRAME])).toEqual([]);
  expect(against({ since: 'v1', commits: [commit('src/b.ts'), commit('src/a.ts')] })).toEqual([]);
  expect(against({ since: 'v1', commits: [commit('src/a.ts', false)] })).toEqual(['no commit changed it after v1']);
  expect(against({ since: 'v1' })).toEqual(['no commit changed it after v1']);
  expect(against({ since: 'v1', commits: [commit('src/a.ts')] })).toEqual([]);
  expect(against({ reach: { tests: ['a.test.ts', 'b.test.ts'] } })).toEqual(['2 test files reach it']);
  expect(against({ reach: { tests: ['a.test.ts'], isOfFile: true } })).toEqual(['1 test file reaches its file']);
});

test('what to run is the failing test, else a bisection, else a test that reaches the location, else a stop there', () => {
  const suspects = [suspect('src/a.ts', 0.5, [ONLY]), suspect('src/b.ts', 0.4, [FRAME])];
  const reach = { tests: ['test/a.test.ts'] };
  const tests = (given: Omit<Given, 'suspects'>): string[] =>
    conclude({ suspects, reach, ...given }).map((item) => item.test);

  expect(tests({ report: 'FAILED test/m.py::test_send', since: 'v1' })[0]).toBe('run test/m.py::test_send');
  expect(tests({ since: 'v1' })[0]).toBe('git bisect start HEAD v1 -- src/a.ts');
  expect(tests({})).toEqual(['run test/a.test.ts', 'break at src/a.ts:9']);
  const stop = (...evidence: Evidence[]): string | undefined =>
    conclude({ suspects: [suspect('src/a.ts', 0.5, evidence)], commits: [commit('src/a.ts')] })[0]?.test;
  expect([stop(WORDS, FRAME), stop(WORDS, ONLY), stop(WORDS)]).toEqual([
    'break at src/a.ts:9',
    'break at src/a.ts:5',
    'break at src/a.ts:3',
  ]);
});

test('a plan has the first two suspects, the first commit, three files of the first fix and five tests', () => {
  const paths = ['a.ts', 'b.ts', 'c.ts', 'd.ts'];
  const similar = { id: 'c:1', subject: 'fix: lost mails', date: '', author: '', likeness: 1, paths };
  const names = [1, 2, 3, 4, 5, 6].map((at) => `t${at}.test.ts`);
  const suspects = [suspect('src/a.ts', 0.5), suspect('src/b.ts', 0.4), suspect('src/c.ts', 0.3)];
  const item = { suspects, commits: [commit('src/a.ts')], similar: [similar], reach: { tests: names, affected: 7 } };
  const { steps, tests_to_add: added, impact } = planOf(findingsOf(item));

  expect(steps).toEqual([
    'read send (src/a.ts:3), send (src/b.ts:3)',
    'read c:abcdef0: perf: send at once',
    'compare c:1: a.ts, b.ts, c.ts',
    'run t1.test.ts, t2.test.ts, t3.test.ts, t4.test.ts, t5.test.ts',
  ]);
  expect(added).toEqual(['t1.test.ts: send (src/a.ts:3), Mails are lost']);
  expect(impact).toEqual({ affected: 7, entry_points: [], tests: names });
  const long = `${'word '.repeat(30)}end`;
  expect(planOf(findingsOf({ suspects, report: long })).tests_to_add).toEqual([
    `a new test beside src/a.ts: send (src/a.ts:3), ${long.slice(0, 120)}`,
  ]);
  expect(planOf(findingsOf({ suspects, report: 'TypeError: no mail' })).tests_to_add[0]).toMatch(/TypeError: no mail$/);
  expect(planOf(findingsOf({ suspects: suspects.slice(0, 1), report: 'FAILED test/m.py::t' })).steps).toEqual([
    'run test/m.py::t',
    'read send (src/a.ts:3)',
  ]);
  const nothing = { affected: 0, entry_points: [], tests: [] };
  expect(planOf(findingsOf({ suspects: [] }))).toEqual({ steps: [], tests_to_add: [], impact: nothing });
});
