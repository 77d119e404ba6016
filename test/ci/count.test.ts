import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../../src/testing/git.ts';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const RUN_TESTS = `"${process.execPath}" "${VITEST}" run --globals --reporter=json --outputFile=node_modules/.cache/tests.json`;

const GREEN = { 'green.test.ts': "test('one', () => {}); test.skip('two', () => {});" };
/** One passes in every file that can be collected; each file fails in its own way. */
const RED = {
  'import.test.ts': "import './nowhere.ts'; test('never collected', () => {});",
  'before.test.ts':
    "test('passes', () => {}); describe('all', () => { beforeAll(() => { throw new Error(); }); test('left', () => {}); });",
  'after.test.ts': "test('passes', () => {}); afterAll(() => { throw new Error(); });",
  'test.test.ts':
    "test('passes', () => {}); test('fails', () => expect(1).toBe(2)); test('too', () => expect(1).toBe(2));",
  'both.test.ts':
    "test('passes', () => {}); test('fails', () => expect(1).toBe(2)); afterAll(() => { throw new Error(); });",
};
const UNHANDLED = {
  'late.test.ts':
    "test('passes', async () => { setImmediate(() => { throw new Error('late'); }); await new Promise((resolve) => setImmediate(resolve)); });",
};
const OLD_REPORT = '{"numPassedTests":7,"numFailedTests":0,"numPendingTests":0,"testResults":[]}';

interface Steps {
  check?: string;
  build?: string;
  test?: string;
}

/** Runs `.ci/run` in a package of its own, with these tests and steps, and gives its exit code and last line. */
async function runCi(files: Record<string, string>, steps: Steps = {}): Promise<[code: number, last: string]> {
  const [code, lines] = await linesOfCi(files, steps);
  return [code, lines.at(-1) ?? ''];
}

async function linesOfCi(files: Record<string, string>, steps: Steps = {}): Promise<[code: number, lines: string[]]> {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const part of ['.ci', 'scripts', 'bin']) mkdirSync(join(folder, part));
  for (const file of ['.ci/run', 'scripts/test-count.ts']) copyFileSync(join(ROOT, file), join(folder, file));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const scripts = { check: 'true', 'check:lab': 'true', build: 'true', test: RUN_TESTS, ...steps };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'tried', version: '0.0.0', type: 'module', scripts }),
  );
  const lock = { name: 'tried', version: '0.0.0', lockfileVersion: 3, packages: {} };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  // Where there is no browser the run would install one.
  writeFileSync(join(folder, 'bin/chromium'), '#!/bin/sh\n', { mode: 0o755 });
  const env = { PATH: [join(folder, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter) };
  return new Promise((resolve) => {
    execFile('bash', [join(folder, '.ci/run')], { env }, (error, out) => {
      resolve([error === null ? 0 : Number(error.code), out.trimEnd().split('\n')]);
    });
  });
}

test('a green run ends with what it counted, and lists what passed at the second try with its first error', async () => {
  const [code, lines] = await linesOfCi({
    ...GREEN,
    'once.test.ts': "let tries = 0; test('one', () => expect(tries++).toBe(1)); test('two', () => {});",
  });
  expect(lines.filter((line) => line.startsWith('Passed at the second try'))).toEqual([
    expect.stringMatching(/once\.test\.ts: one: AssertionError: expected \+?0 to be 1/),
  ]);
  expect([code, lines.at(-1)]).toEqual([0, '3 passed, 0 failed, 1 skipped']);
});

test('files that fail as a whole, and steps before the tests, count once each beside the tests that fail', async () => {
  expect(await runCi({ ...GREEN, ...RED }, { check: 'exit 2', build: 'exit 2' })).toEqual([
    1,
    '5 passed, 8 failed, 2 skipped',
  ]);
});

test('a run that fails without a failing test counts as one failure', async () => {
  expect(await runCi(UNHANDLED)).toEqual([1, '1 passed, 1 failed']);
});

test.each([
  ['killed', 'kill -9 $$'],
  ['ended well without a report', 'true'],
])('tests that are %s are one failure, and the run before is not counted in their place', async (_how, crash) => {
  const before = `mkdir -p node_modules/.cache && echo '${OLD_REPORT}' > node_modules/.cache/tests.json`;

  expect(await runCi({}, { build: before, test: crash })).toEqual([1, '0 passed, 1 failed']);
});

test('tests that are ended in the middle of their report are one failure', () => {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules/.cache'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/.cache/tests.json'), '{');

  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts/test-count.ts')], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([status, stdout.trimEnd().split('\n').at(-1)]).toEqual([1, '0 passed, 1 failed']);
});

test('dependencies that cannot be installed are one failure', async () => {
  expect(await runCi({ 'npm-shrinkwrap.json': '{' })).toEqual([1, '0 passed, 1 failed']);
});
