/** Prints what the last test run counted, `N passed, N failed`, and fails when a test or a whole file did. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface TestReport {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
}

const path = join(import.meta.dirname, '../node_modules/.cache/tests.json');
// Written by vitest just before, in its documented form.
const report = JSON.parse(readFileSync(path, 'utf8')) as TestReport;
const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : '';
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed${skipped}`);
process.exitCode = report.success && report.numFailedTests === 0 ? 0 : 1;
