import { isRecord, parseJson } from '../../kernel/json.ts';

/** Scripts of a package.json that check something, in the order in which they are run. */
const SCRIPTS = ['check', 'lint', 'typecheck', 'type-check', 'test', 'test:unit', 'build'];
const MAKE_TARGETS = ['check', 'lint', 'test'];

/** Files that tell how a project is checked. */
export const PROJECT_FILES = [
  'package.json',
  'Makefile',
  'pyproject.toml',
  'tox.ini',
  'setup.py',
  'go.mod',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  '.ci/run',
];

/** The commands that check a project, by what its files say. Nothing is run; texts that cannot be read say nothing. */
export function verifyCommands(files: ReadonlyMap<string, string>): string[] {
  const commands = [
    ...(files.has('.ci/run') ? ['.ci/run'] : []),
    ...packageCommands(files.get('package.json')),
    ...makeCommands(files.get('Makefile')),
    ...(/\bpytest\b/.test(
      `${files.get('pyproject.toml') ?? ''}${files.get('tox.ini') ?? ''}${files.get('setup.py') ?? ''}`,
    )
      ? ['pytest']
      : []),
    ...(files.has('go.mod') ? ['go vet ./...', 'go test ./...'] : []),
    ...(files.has('Cargo.toml') ? ['cargo test'] : []),
    ...(files.has('pom.xml') ? ['mvn test'] : []),
    ...(files.has('build.gradle') || files.has('build.gradle.kts') ? ['gradle test'] : []),
  ];
  return [...new Set(commands)];
}

function packageCommands(text: string | undefined): string[] {
  const manifest = parseJson(text ?? '');
  if (!isRecord(manifest)) return [];
  const { scripts, packageManager } = manifest;
  if (!isRecord(scripts)) return [];
  const named = typeof packageManager === 'string' ? /^(?:pnpm|yarn|bun)/.exec(packageManager) : null;
  const manager = named?.[0] ?? 'npm';
  return SCRIPTS.filter((name) => Object.hasOwn(scripts, name)).map((name) =>
    name === 'test' ? `${manager} test` : `${manager} run ${name}`,
  );
}

function makeCommands(text: string | undefined): string[] {
  if (text === undefined) return [];
  return MAKE_TARGETS.filter((target) => new RegExp(`^${target}\\s*:`, 'm').test(text)).map(
    (target) => `make ${target}`,
  );
}
