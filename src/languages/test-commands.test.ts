import { folderOf } from '../kernel/paths.ts';
import { expect, test } from 'vitest';
import { definitionOf } from './languages.ts';
import { type TestCommand, type TestTarget } from './walk/test-rules.ts';

type Files = Readonly<Record<string, string>>;

/** The command of a test in a repository of these files, as `folder$ command`. */
function commandOf(files: Files, path: string, more: Partial<TestTarget> = {}): string | undefined {
  const upward: TestTarget['upward'] = (name) =>
    Object.entries(files)
      .map(([file, text]) => ({ folder: folderOf(file), name: file.slice(file.lastIndexOf('/') + 1), text }))
      .filter((file) => name.test(file.name) && `${path}/`.startsWith(file.folder === '' ? '' : `${file.folder}/`))
      .toSorted((a, b) => b.folder.length - a.folder.length);
  const target = { path, symbol: '', text: '', isExample: false, upward, ...more };
  const command = definitionOf(path)?.tests?.command(target);
  return command && shown(command);
}

const shown = ({ folder, start, target, end = '' }: TestCommand): string => `${folder}$ ${start}${target}${end}`;

test('a test of Go is run in its module, by its package, benchmarks as such', () => {
  const files = { 'go.mod': '', 'tools/go.mod': '' };

  expect(commandOf(files, 'mail/send_test.go')).toBe('$ go test ./mail');
  expect(commandOf(files, 'send_test.go')).toBe('$ go test ./');
  expect(commandOf(files, 'tools/send_test.go')).toBe('tools$ go test ./');
  expect(commandOf(files, 'tools/a/send_test.go', { symbol: 'TestSend' })).toBe(
    "tools$ go test ./a -run '^(TestSend)$'",
  );
  expect(commandOf(files, 'send_test.go', { symbol: 'BenchmarkSend' })).toBe(
    "$ go test ./ -run '^$' -bench '^(BenchmarkSend)$'",
  );
  expect(commandOf({}, 'mail/send_test.go')).toBeUndefined();
});

test('a test of Rust is run in its workspace, by its package and file', () => {
  const own = '[package]\nname = "mail"\n';
  const files = { 'Cargo.toml': '[workspace]\n', 'mail/Cargo.toml': own };

  expect(commandOf(files, 'mail/src/lib.rs', { symbol: 'tests/sends' })).toBe('$ cargo test -p mail -- tests::sends');
  expect(commandOf(files, 'mail/tests/whole.rs')).toBe('$ cargo test -p mail --test whole');
  expect(commandOf(files, 'mail/tests/more/part.rs')).toBe('$ cargo test -p mail --test more');
  expect(commandOf(files, 'mail/src/lib.rs', { symbol: 'Mail/send', isExample: true })).toBe(
    '$ cargo test -p mail --doc send',
  );
  expect(commandOf({ 'mail/Cargo.toml': own }, 'mail/src/lib.rs')).toBe('mail$ cargo test');
  expect(commandOf({ 'Cargo.toml': '[workspace]\n', 'mail/Cargo.toml': '[package]\n' }, 'mail/src/lib.rs')).toBe(
    '$ cargo test',
  );
  expect(commandOf({ 'Cargo.toml': '[workspace]\n' }, 'mail/src/lib.rs')).toBeUndefined();
});

const WITH_PYTEST = { text: 'import pytest\n' };

test.each<[what: string, files: Files, more: Partial<TestTarget>, command: string | undefined]>([
  ['its imports', {}, WITH_PYTEST, '$ pytest py/test_mail.py::Mail::test_send'],
  ['its settings', { 'py/setup.cfg': '[tool:pytest]' }, {}, 'py$ pytest test_mail.py::Mail::test_send'],
  ['a file of the runner', { 'py/conftest.py': '' }, {}, '$ pytest py/test_mail.py::Mail::test_send'],
  ['a lock', { 'uv.lock': '' }, WITH_PYTEST, '$ uv run pytest py/test_mail.py::Mail::test_send'],
  [
    'one lock of two',
    { 'uv.lock': '', 'Pipfile.lock': '' },
    WITH_PYTEST,
    '$ uv run pytest py/test_mail.py::Mail::test_send',
  ],
  ['the manager of Django', { 'py/manage.py': '' }, {}, 'py$ python manage.py test test_mail.Mail.test_send'],
  ['the standard library', {}, { text: 'import unittest' }, '$ python -m unittest py.test_mail.Mail.test_send'],
  ['nothing', { 'py/setup.py': 'name' }, {}, undefined],
  ['a whole file', {}, { ...WITH_PYTEST, symbol: '' }, '$ pytest py/test_mail.py'],
  ['an example', {}, { isExample: true }, '$ python -m doctest py/test_mail.py'],
  ['an example of pytest', {}, { ...WITH_PYTEST, isExample: true }, '$ pytest --doctest-modules py/test_mail.py'],
])('a test of Python is run by %s', (_, files, more, command) => {
  expect(commandOf(files, 'py/test_mail.py', { symbol: 'Mail/test_send', ...more })).toBe(command);
});

const manifest = (fields: Record<string, unknown>): string => JSON.stringify(fields);
const VITEST = manifest({ devDependencies: { vitest: '4' } });

test.each<[what: string, files: Files, text: string, command: string | undefined]>([
  ['what it imports', { 'package.json': '{}' }, 'from "vitest"', '$ npx vitest run web/a.test.ts'],
  [
    'the manifest that has what it imports',
    { 'package.json': VITEST, 'web/package.json': '{}' },
    'from "vitest"',
    '$ npx vitest run web/a.test.ts',
  ],
  ['Bun, which it imports', { 'web/package.json': VITEST }, 'import "bun:test"', '$ bun test web/a.test.ts'],
  ['nothing without a manifest', {}, 'from "vitest"', undefined],
  ['a dependency', { 'web/package.json': VITEST }, '', 'web$ npx vitest run a.test.ts'],
  [
    'a dependency of peers',
    { 'package.json': manifest({ peerDependencies: { ava: '6' } }) },
    '',
    '$ npx ava web/a.test.ts',
  ],
  [
    'a script before dependencies',
    { 'package.json': manifest({ scripts: { test: 'ava' }, devDependencies: { vitest: '4' } }) },
    '',
    '$ npx ava web/a.test.ts',
  ],
  [
    'no script that builds',
    { 'package.json': manifest({ scripts: { build: 'ava' }, devDependencies: { vitest: '4' } }) },
    '',
    '$ npx vitest run web/a.test.ts',
  ],
  [
    'no other word that has the name of a runner',
    { 'package.json': manifest({ scripts: { test: 'java-tools' } }) },
    '',
    '$ npm test',
  ],
  [
    'Node.js in a script, with its options',
    { 'package.json': manifest({ scripts: { test: 'node --import tsx --test "src/**"' } }) },
    '',
    '$ node --import tsx --test web/a.test.ts',
  ],
  ['Node.js, which it imports', { 'package.json': VITEST }, 'from "node:test"', '$ node --test web/a.test.ts'],
  [
    'Node.js by the manifest whose script has it',
    { 'package.json': '{}', 'web/package.json': manifest({ scripts: { test: 'node --test' } }) },
    'from "node:test"',
    'web$ node --test a.test.ts',
  ],
  [
    'Node.js by the outermost manifest',
    { 'package.json': '{}', 'web/package.json': VITEST },
    'from "node:test"',
    '$ node --test web/a.test.ts',
  ],
  ['Bun in a script', { 'package.json': manifest({ scripts: { test: 'bun test' } }) }, '', '$ bun test web/a.test.ts'],
  ['Deno', { 'deno.json': '{}' }, '', '$ deno test web/a.test.ts'],
  [
    'a script of its own',
    { 'package.json': manifest({ scripts: { test: './run.sh' } }), 'yarn.lock': '' },
    '',
    '$ yarn test',
  ],
  [
    'no script that only fails',
    { 'package.json': manifest({ scripts: { test: 'echo "Error: no test specified"' } }) },
    '',
    undefined,
  ],
  ['no script of another name', { 'package.json': manifest({ scripts: { 'test:old': './run.sh' } }) }, '', undefined],
  ['nothing of a manifest that is no JSON', { 'package.json': '{' }, '', undefined],
  ['pnpm', { 'package.json': VITEST, 'pnpm-lock.yaml': '' }, '', '$ pnpm exec vitest run web/a.test.ts'],
  ['yarn', { 'package.json': VITEST, 'yarn.lock': '' }, '', '$ yarn vitest run web/a.test.ts'],
  ['bunx', { 'package.json': VITEST, 'bun.lockb': '' }, '', '$ bunx vitest run web/a.test.ts'],
  ['npm', { 'package.json': VITEST, 'package-lock.json': '' }, '', '$ npx vitest run web/a.test.ts'],
  [
    'mocha with its options, not its files',
    { 'package.json': manifest({ scripts: { test: 'mocha -r tsx --bail test/ --timeout 9 "more/*.js"' } }) },
    '',
    '$ npx mocha -r tsx --bail --timeout 9 web/a.test.ts',
  ],
])('a test of TypeScript is run by %s', (_, files, text, command) => {
  expect(commandOf(files, 'web/a.test.ts', { text })).toBe(command);
});

test.each<[what: string, files: Files, command: string | undefined]>([
  ['Maven', { 'pom.xml': '' }, "$ mvn test -Dtest='MailTest#sends'"],
  [
    'Maven by its module',
    { 'pom.xml': '', 'app/pom.xml': '', mvnw: '' },
    "$ ./mvnw -pl app test -Dtest='MailTest#sends'",
  ],
  ['a wrapper of the same folder only', { 'app/pom.xml': '', mvnw: '' }, "app$ mvn test -Dtest='MailTest#sends'"],
  ['Gradle', { 'app/build.gradle': '' }, 'app$ gradle test --tests MailTest.sends'],
  [
    'Gradle by its module',
    { 'settings.gradle.kts': '', 'app/build.gradle.kts': '', gradlew: '' },
    '$ ./gradlew :app:test --tests MailTest.sends',
  ],
  ['sbt', { 'build.sbt': '' }, '$ sbt "testOnly *MailTest"'],
  ['nothing', {}, undefined],
])('a test of Java is run by %s', (_, files, command) => {
  expect(commandOf(files, 'app/src/test/java/MailTest.java', { symbol: 'MailTest/sends' })).toBe(command);
});

test('a source set of Gradle has a task of its own, and a class is run whole', () => {
  const files = { 'build.gradle': '' };
  const taskOf = (set: string): string | undefined => commandOf(files, `src/${set}/kotlin/MailTest.kt`)?.split(' ')[2];

  expect(['test', 'jvmTest', 'commonTest', 'androidTest', 'main'].map(taskOf)).toEqual([
    'test',
    'jvmTest',
    'allTests',
    'connectedAndroidTest',
    'test',
  ]);
  expect(commandOf(files, 'src/test/java/MailTest.java')).toBe('$ gradle test --tests MailTest');
});
