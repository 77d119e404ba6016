import type { Evidence, FixPlan, Hypothesis, SimilarFix, Suspect, SuspectCommit } from './analysis.ts';
import type { Report } from '../../localise/localise.ts';

const MOST_HYPOTHESES = 3;
/** Other files that speak against a hypothesis: those at least this much as likely. */
const NEAR = 0.6;
const MOST_RIVALS = 3;
const MOST_TESTS = 5;
const LONGEST_TITLE = 120;

/** Impact of the likeliest location. */
export interface Reach {
  /** True if it is that of the whole file, as no test reaches the symbol itself. */
  isOfFile: boolean;
  affected: number;
  entry_points: string[];
  tests: string[];
}

interface Findings {
  report: Report;
  suspects: readonly Suspect[];
  commits: readonly SuspectCommit[];
  similar: readonly SimilarFix[];
  reach: Reach;
  since: string | undefined;
}

/**
 * Facts that single out a suspect, each with what speaks for and against it and what to run. Words alone single out nothing:
 * without a trace, a verbatim text or a commit since the last good state there is no hypothesis.
 */
export function hypotheses(findings: Findings): Hypothesis[] {
  const { suspects } = findings;
  const stated = suspects.flatMap((suspect) => {
    const statement = statementOf(suspect, findings);
    return statement === undefined ? [] : [{ suspect, statement }];
  });
  // A function stands for its file, which is listed after it.
  const firstOfFile = new Map(stated.toReversed().map((item) => [item.suspect.path, item]));
  return stated
    .filter((item) => firstOfFile.get(item.suspect.path) === item)
    .slice(0, MOST_HYPOTHESES)
    .map(({ suspect, statement }) => ({
      statement,
      probability: suspect.likelihood,
      for: suspect.evidence.map(({ says, id }) => `${says} (${id})`),
      against: findCounterEvidence(suspect, findings),
      test: testOf(suspect, findings),
    }));
}

/** The strongest fact about a suspect: a change since the last good state, then a frame, then a text that only it has. */
function statementOf(suspect: Suspect, { report, commits }: Findings): string | undefined {
  const commit = commits.find(({ isRecent, touches }) => isRecent && touches.includes(suspect.path));
  const { evidence } = suspect;
  const frame = evidence.find(({ kind }) => kind === 'frame');
  const only = evidence.find(({ isOnly }) => isOnly === true);
  const place = placeOf(suspect);
  if (commit !== undefined)
    return `c:${commit.sha.slice(0, 7)} (${commit.date}, ${commit.subject}) ${commit.why}: ${place}`;
  if (frame !== undefined) return `${report.error?.type ?? 'the trace'} passes ${place}: ${frame.says}`;
  return only === undefined ? undefined : `${place} ${only.says}`;
}

function placeOf({ path, symbol, lines }: Suspect): string {
  return symbol === '' ? `${path}:${lines[0]}` : `${symbol} (${path}:${lines[0]})`;
}

function findCounterEvidence(suspect: Suspect, { suspects, report, commits, since, reach }: Findings): string[] {
  const rivals = new Map(
    suspects
      .filter(({ path, likelihood }) => path !== suspect.path && likelihood >= suspect.likelihood * NEAR)
      .map(({ path, likelihood }) => [path, likelihood]),
  );
  const hasFrame = suspect.evidence.some(({ kind }) => kind === 'frame');
  const hasCommit = commits.some(({ isRecent, touches }) => isRecent && touches.includes(suspect.path));
  const { length: tests } = suspect === suspects[0] ? reach.tests : [];
  return [
    ...Array.from(rivals, ([path, likelihood]) => `${path} has ${Math.round(100 * likelihood)} %`).slice(
      0,
      MOST_RIVALS,
    ),
    ...(report.frames.length > 0 && !hasFrame ? ['no frame of the trace is in it'] : []),
    ...(since !== undefined && !hasCommit ? [`no commit changed it after ${since}`] : []),
    ...(tests > 0
      ? [`${tests} test ${tests === 1 ? 'file reaches' : 'files reach'} ${reach.isOfFile ? 'its file' : 'it'}`]
      : []),
  ];
}

/** Returns what to run or where to stop to check a suspect. */
function testOf(suspect: Suspect, { report, reach, since, suspects }: Findings): string {
  const [failing] = report.tests;
  if (failing !== undefined) return `run ${failing}`;
  if (since !== undefined) return `git bisect start HEAD ${since} -- ${suspect.path}`;
  // What reaches a location is looked up for the first suspect.
  const [test] = suspect === suspects[0] ? reach.tests : [];
  if (test !== undefined) return `run ${test}`;
  const stop = suspect.evidence.find(isPoint)?.id ?? `${suspect.path}:${suspect.lines[0]}`;
  return `break at ${stop}`;
}

function isPoint({ kind, isOnly }: Evidence): boolean {
  return kind === 'frame' || isOnly === true;
}

/** Returns the plan of a fix: what to read, compare and run, in order, with the tests to add to and what a change reaches. */
export function planOf({ suspects, commits, similar, reach, report }: Findings): FixPlan {
  const [first, second] = suspects;
  if (first === undefined) return { steps: [], tests_to_add: [], impact: { affected: 0, entry_points: [], tests: [] } };
  const [commit] = commits;
  const [fix] = similar;
  const steps = [
    ...report.tests.slice(0, 1).map((test) => `run ${test}`),
    `read ${placeOf(first)}${second === undefined ? '' : `, ${placeOf(second)}`}`,
    ...(commit === undefined ? [] : [`read c:${commit.sha.slice(0, 7)}: ${commit.subject}`]),
    ...(fix === undefined ? [] : [`compare ${fix.id}: ${fix.paths.slice(0, 3).join(', ')}`]),
    ...(reach.tests.length === 0 ? [] : [`run ${reach.tests.slice(0, MOST_TESTS).join(', ')}`]),
  ];
  const subject = report.error === undefined ? report.title : `${report.error.type}: ${report.error.message}`;
  const added = `${reach.tests[0] ?? `a new test beside ${first.path}`}: ${placeOf(first)}, ${subject.slice(0, LONGEST_TITLE)}`;
  const { affected, entry_points, tests } = reach;
  return { steps, tests_to_add: [added], impact: { affected, entry_points, tests } };
}
