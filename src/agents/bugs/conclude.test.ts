import { expect, test } from 'vitest';
import type { Evidence, SimilarFix, Suspect, SuspectCommit } from './analysis.ts';
import { hypotheses, planOf, type Reach } from './conclude.ts';
import { readReport } from './read-report.ts';

const WORDS: Evidence = { kind: 'text', id: 'src/a.ts:1', weight: 1, says: 'its names have the words of the report' };
const FRAME: Evidence = { kind: 'frame', id: 'src/a.ts:9', weight: 1, says: 'frame 1 of this repository' };
const LITERAL: Evidence = { kind: 'text', id: 'src/a.ts:5', weight: 1, says: 'the text "no mail" stands there and ' };

const LINES: [number, number] = [3, 9];

function suspect(path: string, score: number, evidence: Evidence[] = [WORDS]): Suspect {
  return { path, symbol: 'send', lines: LINES, score, evidence, places: [] };
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

const probable = (score: number, evidence?: Evidence[]): number =>
  conclude({ suspects: [suspect('src/a.ts', score, evidence)] }).length;

test('a file is a hypothesis from twelve in a hundred on, and below only when a trace or a text of its own points at it', () => {
  expect([probable(0.119), probable(0.12)]).toEqual([0, 1]);
  expect(probable(0.02, [FRAME])).toBe(1);
  expect(probable(0.02, [{ ...LITERAL, says: `${LITERAL.says}nowhere else` }])).toBe(1);
  expect(probable(0.02, [WORDS, FRAME])).toBe(1);
  expect(probable(0.02, [{ ...LITERAL, says: `${LITERAL.says}in 1 more files` }])).toBe(0);
});

test('three hypotheses are made at most, in the order of the suspects', () => {
  const suspects = [0.3, 0.25, 0.2, 0.15].map((score, at) => suspect(`src/${at}.ts`, score));

  expect(conclude({ suspects }).map(({ probability }) => probability)).toEqual([0.3, 0.25, 0.2]);
});

const nearOnes = (...scores: number[]): string => {
  const others = scores.map((score, at) => suspect(`src/other${at}.ts`, score));
  return conclude({ suspects: [suspect('src/a.ts', 0.5), ...others] })[0]?.against.join('; ') ?? '';
};

test('files with six tenths of the likelihood fit about as well, and three of them are named', () => {
  expect(nearOnes(0.3)).toContain('the report fits src/other0.ts about as well');
  expect(nearOnes(0.29)).not.toContain('about as well');
  // What is much likelier fits better: .5 is six tenths of .833.
  expect(nearOnes(0.83)).toContain('the report fits src/other0.ts about as well');
  expect(nearOnes(0.84)).toContain('the report fits src/other0.ts better');
  expect(nearOnes(0.84)).not.toContain('about as well');
  expect(nearOnes(0.4, 0.35, 0.32, 0.31)).toContain('fits src/other0.ts, src/other1.ts, src/other2.ts about as well');
});

const against = (given: Omit<Given, 'suspects'>, evidence?: Evidence[]): string[] =>
  conclude({ suspects: [suspect('src/a.ts', 0.5, evidence)], ...given })[0]?.against ?? [];

test('what a trace lacks, what one kind of evidence lacks and a file that did not change speak against a suspect', () => {
  const trace = 'TypeError: x\n    at send (/app/src/b.ts:3:1)';

  expect(against({})).toEqual(['only one kind of evidence supports it']);
  expect(against({}, [WORDS, { ...WORDS, kind: 'history' }])).toEqual([]);
  expect(against({ report: trace })).toEqual(['no frame of the trace is in this file']);
  expect(against({ report: trace }, [FRAME])).toEqual([]);
  expect(against({ since: 'v1' })).toContain('the file did not change after v1');
  expect(against({ since: 'v1', commits: [commit('src/a.ts')] })).not.toContain('the file did not change after v1');
  expect(against({ reach: { tests: ['a.test.ts', 'b.test.ts'] } })).toContain(
    '2 test files reach it: if they pass, the case is one that they lack',
  );
});

function commit(path: string, why = `touched ${path} after v1`): SuspectCommit {
  return { sha: 'abcdef0123', subject: 'perf: send at once', author: 'Ada', date: '2026-01-02', why, touches: [path] };
}

const said = (evidence: Evidence[], commits: SuspectCommit[] = []): string =>
  conclude({ suspects: [suspect('src/a.ts', 0.5, evidence)], commits })[0]?.statement ?? '';

test('a commit after the last good state is blamed before a frame, a frame before a text, a text before words', () => {
  expect(said([WORDS, LITERAL, FRAME], [commit('src/a.ts')])).toMatch(/^Commit c:abcdef0 \(2026-01-02\) broke send/);
  expect(said([WORDS, LITERAL, FRAME], [commit('src/b.ts')])).toContain('gets a value it does not expect');
  expect(said([WORDS, FRAME], [commit('src/a.ts', 'wrote 3 of the 7 lines')])).toContain('gets a value');
  expect(said([WORDS, LITERAL])).toContain('What leads to the text at src/a.ts:5');
  expect(said([WORDS])).toContain('send (src/a.ts:3) handles what the report describes');
  const value = { ...suspect('src/a.ts', 0.5), places: [{ symbol: 'send', kind: 'variable', lines: LINES }] };
  expect(conclude({ suspects: [value] })[0]?.statement).toMatch(/^What uses send \(src\/a\.ts:3\) handles/);
});

test('what to do first is the failing test of the report, else a bisection, else a test that reaches the place', () => {
  const suspects = [suspect('src/a.ts', 0.5), suspect('src/b.ts', 0.4, [FRAME])];
  const reach = { tests: ['test/a.test.ts'] };
  const tests = (given: Omit<Given, 'suspects'>): string[] =>
    conclude({ suspects, reach, ...given }).map((found) => found.test);

  expect(tests({ report: 'FAILED test/m.py::test_send', since: 'v1' })[0]).toContain('Run test/m.py::test_send alone');
  expect(tests({ since: 'v1' })[0]).toContain('git bisect between v1 and now');
  expect(tests({})[0]).toContain('Put the case of the report into test/a.test.ts and stop at src/a.ts:3');
  expect(tests({})[1]).toContain('Follow the steps of the report with a stop at src/a.ts:9');
});

test('a plan names the first two suspects, the first commit, three files of the first fix and five tests', () => {
  const paths = ['a.ts', 'b.ts', 'c.ts', 'd.ts'];
  const similar = { id: 'c:1', subject: 'fix: lost mails', date: '', author: '', likeness: 1, paths };
  const names = [1, 2, 3, 4, 5, 6].map((at) => `t${at}.test.ts`);
  const suspects = [suspect('src/a.ts', 0.5), suspect('src/b.ts', 0.4), suspect('src/c.ts', 0.3)];
  const found = { suspects, commits: [commit('src/a.ts')], similar: [similar], reach: { tests: names, affected: 7 } };
  const { steps, tests_to_add: added, impact } = planOf(findingsOf(found));

  expect(steps).toEqual([
    'Reproduce it: turn the steps of the report into a failing test.',
    'Read send (src/a.ts:3), then send (src/b.ts:3).',
    'See what c:abcdef0 meant with these lines: perf: send at once',
    'Compare c:1, which fixed something similar in a.ts, b.ts, c.ts.',
    'Fix it and run t1.test.ts, t2.test.ts, t3.test.ts, t4.test.ts, t5.test.ts.',
  ]);
  expect(added).toEqual(['t1.test.ts: the case of the report (Mails are lost) for send']);
  expect(impact).toEqual({ affected: 7, entry_points: [], tests: names });
  expect(planOf(findingsOf({ suspects: suspects.slice(0, 1) })).steps).toEqual([
    'Reproduce it: turn the steps of the report into a failing test.',
    'Read send (src/a.ts:3).',
    'Fix it and run all tests: none was found that reaches this place.',
  ]);
  const long = planOf(findingsOf({ suspects, report: 'x'.repeat(130) }));
  expect(long.tests_to_add[0]).toContain(`(${'x'.repeat(120)})`);
  expect(planOf(findingsOf({ suspects: [] })).steps).toEqual([]);
});
