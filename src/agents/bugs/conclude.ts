import type { FixPlan, Hypothesis, SimilarFix, Suspect, SuspectCommit } from './analysis.ts';
import type { Report } from './read-report.ts';

/** A suspect below this is no hypothesis unless a trace or a literal text points at it. */
const LEAST_LIKELY = 0.12;
const MOST_HYPOTHESES = 3;
/** Files whose likelihood is within this factor of each other cannot be told apart. */
const NEAR = 0.6;
const MOST_TESTS = 5;
const VALUES: ReadonlySet<string> = new Set(['constant', 'variable', 'property', 'enum_member']);

/** What impact says of the likeliest place. */
export interface Reach {
  /** Whether it is of the whole file, as nothing was found that reaches the symbol itself. */
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
 * What may be wrong, likeliest first, each with what speaks for and against it and how to find out. None where nothing tells
 * the suspects apart: it is better to say so than to guess.
 */
export function hypotheses(findings: Findings): Hypothesis[] {
  const { suspects } = findings;
  return suspects
    .filter((suspect) => suspect.score >= LEAST_LIKELY || isDecided(suspect))
    .slice(0, MOST_HYPOTHESES)
    .map((suspect) => ({
      statement: statementOf(suspect, findings),
      probability: suspect.score,
      for: suspect.evidence.map(({ says, id }) => `${says} (${id})`),
      against: findCounterEvidence(suspect, findings),
      test: testOf(suspect, findings),
    }));
}

/** Whether a trace or a text that stands nowhere else points at the file. */
function isDecided({ evidence }: Suspect): boolean {
  return evidence.some(({ kind, says }) => kind === 'frame' || says.endsWith('nowhere else'));
}

function statementOf(suspect: Suspect, { report, commits }: Findings): string {
  const place = placeOf(suspect);
  const commit = commits.find(({ why, touches }) => why.startsWith('touched') && touches.includes(suspect.path));
  if (commit !== undefined)
    return `Commit c:${commit.sha.slice(0, 7)} (${commit.date}) broke ${place}: it changed the file after the last good state.`;
  const frame = suspect.evidence.find(({ kind }) => kind === 'frame');
  const error = report.error === undefined ? 'the error' : report.error.type;
  if (frame !== undefined)
    return `${place} gets a value it does not expect and raises ${error}, or passes it on to what does.`;
  const literal = suspect.evidence.find(({ says }) => says.startsWith('the text '));
  if (literal !== undefined)
    return `What leads to the text at ${literal.id}, in ${place}, is wrong or is reached with input that should not get there.`;
  // A value does nothing by itself.
  const subject = VALUES.has(suspect.places[0]?.kind ?? '') ? `What uses ${place}` : place;
  return `${subject} handles what the report describes, and not the case that it names.`;
}

function placeOf({ path, symbol, lines }: Suspect): string {
  return symbol === '' ? `${path}:${lines[0]}` : `${symbol} (${path}:${lines[0]})`;
}

function findCounterEvidence(suspect: Suspect, { suspects, report, commits, since, reach }: Findings): string[] {
  const better = suspects.filter((other) => other.score * NEAR > suspect.score);
  const near = suspects.filter(
    (other) => other !== suspect && other.score >= suspect.score * NEAR && !better.includes(other),
  );
  const kinds = new Set(suspect.evidence.map(({ kind }) => kind));
  const hasCommit = commits.some(({ why, touches }) => why.startsWith('touched') && touches.includes(suspect.path));
  return [
    ...(better.length === 0 ? [] : [`the report fits ${pathsOf(better)} better`]),
    ...(near.length === 0 ? [] : [`the report fits ${pathsOf(near)} about as well`]),
    ...(report.frames.length > 0 && !kinds.has('frame') ? ['no frame of the trace is in this file'] : []),
    ...(report.frames.length === 0 && kinds.size === 1 ? ['only one kind of evidence supports it'] : []),
    ...(since !== undefined && !hasCommit ? [`the file did not change after ${since}`] : []),
    ...(suspect === suspects[0] && reach.tests.length > 0
      ? [
          `${reach.tests.length === 1 ? 'a test file reaches' : `${reach.tests.length} test files reach`} ${reach.isOfFile ? 'the file' : 'it'}: if they pass, the case is one that they lack`,
        ]
      : []),
  ];
}

function pathsOf(suspects: readonly Suspect[]): string {
  return suspects
    .slice(0, 3)
    .map(({ path }) => path)
    .join(', ');
}

function testOf(suspect: Suspect, { report, reach, since, suspects }: Findings): string {
  const where = suspect.evidence.find(({ kind }) => kind === 'frame')?.id ?? `${suspect.path}:${suspect.lines[0]}`;
  const [first] = report.tests;
  if (first !== undefined) return `Run ${first} alone and stop at ${where}: does it fail with the values seen there?`;
  if (since !== undefined)
    return `git bisect between ${since} and now with the steps of the report, on ${suspect.path} alone.`;
  // What reaches a place is looked up for the first suspect.
  const [test] = suspect === suspects[0] ? reach.tests : [];
  return test === undefined
    ? `Follow the steps of the report with a stop at ${where}: is it reached, and with the values that the report expects?`
    : `Put the case of the report into ${test} and stop at ${where}: is it reached, and with the values that the report expects?`;
}

/** How to go on: what to do in order, which tests to add, and what a change reaches. */
export function planOf(findings: Findings): FixPlan {
  const { suspects, commits, similar, reach, report } = findings;
  const [first, second] = suspects;
  if (first === undefined) return { steps: [], tests_to_add: [], impact: { affected: 0, entry_points: [], tests: [] } };
  const [commit] = commits;
  const [fix] = similar;
  const nearest = reach.tests[0];
  const steps = [
    report.tests[0] === undefined
      ? 'Reproduce it: turn the steps of the report into a failing test.'
      : `Reproduce it: run ${report.tests[0]}.`,
    `Read ${placeOf(first)}${second === undefined ? '' : `, then ${placeOf(second)}`}.`,
    ...(commit === undefined ? [] : [`See what c:${commit.sha.slice(0, 7)} meant with these lines: ${commit.subject}`]),
    ...(fix === undefined
      ? []
      : [`Compare ${fix.id}, which fixed something similar in ${fix.paths.slice(0, 3).join(', ')}.`]),
    reach.tests.length === 0
      ? 'Fix it and run all tests: none was found that reaches this place.'
      : `Fix it and run ${reach.tests.slice(0, MOST_TESTS).join(', ')}.`,
  ];
  const subject = report.error === undefined ? report.title : `${report.error.type}: ${report.error.message}`;
  const added = `${nearest ?? `a new test beside ${first.path}`}: the case of the report (${subject.slice(0, 120)}) for ${first.symbol === '' ? first.path : first.symbol}`;
  const { affected, entry_points, tests } = reach;
  return { steps, tests_to_add: [added], impact: { affected, entry_points, tests } };
}
