/**
 * Prints what the last test run counted, `N passed, N failed`, and fails when anything did.
 *
 * The arguments name the steps that failed before, for example `check`. A step whose tests did not fail counts as one
 * failure, and so does a test file that failed as a whole: an import or a hook, which vitest's own totals leave out. Tests
 * that failed first and passed when they were tried again are listed with their first error: each is a fault to find.
 */
import { readFileSync } from 'node:fs';

/** Written by vitest, in its documented form. */
interface TestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { name: string; status: string; assertionResults: TestResult[] }[];
}

/** A test that passed has messages when a try before had failed. */
interface TestResult {
  status: string;
  fullName: string;
  failureMessages: string[];
}

const REPORT = 'node_modules/.cache/tests.json';
/** Counts of a run without a report: nothing. */
const NOTHING: TestReport = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] };

function readReport(): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(REPORT, 'utf8')) as TestReport;
  } catch {
    return undefined;
  }
}

function isRed({ status }: { status: string }): boolean {
  return status === 'failed';
}

function failedAsWhole({ testResults }: TestReport): number {
  return testResults.filter((file) => isRed(file) && !file.assertionResults.some(isRed)).length;
}

/** One line for each test that needed a second try. */
function passedLater({ testResults }: TestReport): string[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ fullName, failureMessages: [first = ''] }) => `${name}: ${fullName}: ${first.split('\n', 1)[0]}`),
  );
}

const report = readReport();
const counted = report ?? NOTHING;
const inTests = counted.numFailedTests + failedAsWhole(counted);
// The step of the tests is explained by its failures, if there are any: unhandled errors and crashes leave none.
const steps = process.argv.slice(2).filter((step) => step !== 'test' || inTests === 0);
if (report === undefined && !steps.includes('test')) steps.push('test');
const failed = inTests + steps.length;
const skipped = counted.numPendingTests > 0 ? `, ${counted.numPendingTests} skipped` : '';
for (const test of passedLater(counted)) console.log(`Passed at the second try: ${test}`);
if (report === undefined) console.log('The tests left no report.');
if (steps.length > 0) console.log(`Failed as a whole: ${steps.join(', ')}.`);
console.log(`${counted.numPassedTests} passed, ${failed} failed${skipped}`);
process.exitCode = failed === 0 ? 0 : 1;
