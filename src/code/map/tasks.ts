import { shorten } from '../../kernel/shown-values.ts';
import { readTable } from '../../kernel/toml.ts';
import { baseName, parsedObject, type Task } from './manifests.ts';

/** Names of scripts and targets that a newcomer runs, most telling first. */
const NAMES: readonly [RegExp, Task['task']][] = [
  [/^(?:build|compile|all|dist|package)$/, 'build'],
  [/^(?:test|tests|check:test|test:unit|unit|pytest)$/, 'test'],
  [/^(?:lint|check|typecheck|type-check|types|style|format:check|typing|fmt)$/, 'check'],
  [/^(?:start|dev|serve|run)$/, 'run'],
];

/** Commands of a continuous integration that build, test or check. */
const IN_CI: readonly [RegExp, Task['task']][] = [
  [/\b(?:test|tests|pytest|tox|nox|rspec|phpunit|vitest|jest|ctest|connectedCheck)\b/, 'test'],
  [/\b(?:build|compile|assemble|package)\b/, 'build'],
  [/\b(?:lint|clippy|fmt|typecheck|check|mypy|ruff|pre-commit|detekt|spotless\w*)\b/, 'check'],
];

/** Files by whose kind a build and a test are usual: the pattern, and the commands. */
const USUAL: readonly [RegExp, readonly [Task['task'], string][]][] = [
  [
    /^go\.mod$/,
    [
      ['build', 'go build ./...'],
      ['test', 'go test ./...'],
    ],
  ],
  [
    /^Cargo\.toml$/,
    [
      ['build', 'cargo build'],
      ['test', 'cargo test'],
    ],
  ],
  [
    /^pom\.xml$/,
    [
      ['build', 'mvn package'],
      ['test', 'mvn test'],
    ],
  ],
  [
    /\.(?:sln|slnx)$/,
    [
      ['build', 'dotnet build'],
      ['test', 'dotnet test'],
    ],
  ],
  [
    /^Package\.swift$/,
    [
      ['build', 'swift build'],
      ['test', 'swift test'],
    ],
  ],
  [/^tox\.ini$/, [['test', 'tox']]],
  [/^noxfile\.py$/, [['test', 'nox']]],
];

const LONGEST_COMMAND = 120;

/** True if a file, by its path alone, may state how something is built or tested. */
export function saysTasks(path: string): boolean {
  const name = baseName(path);
  return (
    /^(?:package\.json|pyproject\.toml|(?:GNU)?[Mm]akefile|[Jj]ustfile|build\.gradle(?:\.kts)?|composer\.json|Rakefile)$/.test(
      name,
    ) ||
    USUAL.some(([pattern]) => pattern.test(name)) ||
    isCi(path)
  );
}

export function isCi(path: string): boolean {
  return /(?:^|\/)(?:\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.circleci\/config\.yml|azure-pipelines\.yml|\.travis\.yml|appveyor\.yml)$/.test(
    path,
  );
}

/** The tasks that one file tells. `root` holds the names of the files in its folder: which runner it is for. */
export function tasksOf(path: string, text: string, beside: ReadonlySet<string>): Task[] {
  const name = baseName(path);
  if (isCi(path)) return ciTasks(path, text);
  if (name === 'package.json') return scriptTasks(path, text, beside);
  if (name === 'pyproject.toml') return pythonTasks(path, text, beside);
  if (/[Mm]akefile$/.test(name)) return targetTasks(path, text, 'make');
  if (name.endsWith('ustfile')) return targetTasks(path, text, 'just');
  if (/gradle/.test(name)) return gradleTasks(path, beside);
  if (name === 'Rakefile') return [{ task: 'test', command: 'rake', path }];
  if (name === 'composer.json') return scriptTasks(path, text, new Set(['composer']));
  const [, usual = []] = USUAL.find(([pattern]) => pattern.test(name)) ?? [];
  return usual.map(([task, command]) => ({ task, command: withWrapper(command, beside), path }));
}

function withWrapper(command: string, beside: ReadonlySet<string>): string {
  return beside.has('mvnw') ? command.replace(/^mvn\b/, './mvnw') : command;
}

/** Scripts by name, with what they run. */
function scriptTasks(path: string, text: string, beside: ReadonlySet<string>): Task[] {
  const fields = parsedObject(text);
  const scripts = fields?.['scripts'];
  if (typeof scripts !== 'object' || scripts === null) return [];
  const manager = fields?.['packageManager'];
  const runner = runnerOf(typeof manager === 'string' ? manager : '', beside);
  const named = Object.entries(scripts).flatMap(([name, script]): (Task & { order: number })[] => {
    const order = NAMES.findIndex(([pattern]) => pattern.test(name));
    const task = NAMES[order]?.[1];
    if (task === undefined || typeof script !== 'string') return [];
    return [{ order, task, command: cut(`${runner} ${name}  (${script})`), path }];
  });
  return named
    .toSorted((a, b) => a.order - b.order)
    .map(({ task, command, path: from }) => ({ task, command, path: from }));
}

function runnerOf(manager: string, beside: ReadonlySet<string>): string {
  const [name = ''] = manager.split('@');
  if (beside.has('composer')) return 'composer run';
  if (name === 'bun' || beside.has('bun.lock') || beside.has('bun.lockb')) return 'bun run';
  if (name === 'pnpm' || beside.has('pnpm-lock.yaml')) return 'pnpm run';
  return name === 'yarn' || beside.has('yarn.lock') ? 'yarn' : 'npm run';
}

function pythonTasks(path: string, text: string, beside: ReadonlySet<string>): Task[] {
  const runner = beside.has('uv.lock') ? 'uv run ' : beside.has('poetry.lock') ? 'poetry run ' : '';
  const tasks: Task[] = [];
  const add = (task: Task['task'], command: string): void =>
    void tasks.push({ task, command: `${runner}${command}`, path });
  if (readTable(text, 'build-system') !== undefined) tasks.push({ task: 'build', command: 'python -m build', path });
  if (/^\[tool\.pytest\b/m.test(text)) add('test', 'pytest');
  if (/^\[tool\.tox\b/m.test(text)) add('test', 'tox');
  if (/^\[tool\.mypy\]/m.test(text)) add('check', 'mypy');
  if (/^\[tool\.ruff\b/m.test(text)) add('check', 'ruff check');
  return tasks;
}

function targetTasks(path: string, text: string, runner: string): Task[] {
  const names = new Set([...text.matchAll(/^([A-Za-z][\w-]*)[^\n=:]*:(?!=)/gm)].map(([, name = '']) => name));
  return NAMES.flatMap(([pattern, task]) =>
    [...names].filter((name) => pattern.test(name)).map((name): Task => ({ task, command: `${runner} ${name}`, path })),
  );
}

function gradleTasks(path: string, beside: ReadonlySet<string>): Task[] {
  const runner = beside.has('gradlew') ? './gradlew' : 'gradle';
  // Only the root is called: what is built for the modules stands there.
  if (path.includes('/')) return [];
  return [
    { task: 'build', command: `${runner} build`, path },
    { task: 'test', command: `${runner} test`, path },
  ];
}

/** Commands that the steps of a workflow run, one line each. */
function ciTasks(path: string, text: string): Task[] {
  const tasks: Task[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const step = /^(\s*)(?:-\s+)?(?:run|script)\s*:\s*(.*)$/.exec(line);
    if (step === null) continue;
    const [, indent = '', rest = ''] = step;
    const written = /^[|>]?[-+]?$/.test(rest.trim()) ? blockBehind(lines, index + 1, indent.length) : [rest];
    for (const command of written.map((task) => task.trim().replace(/^["'](.*)["']$/, '$1'))) {
      const [, task] = IN_CI.find(([pattern]) => pattern.test(command)) ?? [];
      const isPlain =
        !/^(?:#|if\b|for\b|fi\b|done\b|echo\b|export\b|sudo\b|curl\b|git\b|grep\b|find\b|env\b|cd\b|mkdir\b|\w+=)/.test(
          command,
        );
      if (task !== undefined && isPlain) tasks.push({ task, command: cut(command), path });
    }
  }
  return tasks;
}

function blockBehind(lines: readonly string[], from: number, indent: number): string[] {
  const end = lines.findIndex((line, index) => index >= from && line.trim() !== '' && line.search(/\S/) <= indent);
  return lines
    .slice(from, end === -1 ? undefined : end)
    .map((line) => line.trim().replace(/^-\s+/, ''))
    .filter((line) => line !== '');
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replace(' (', '  (');
  return shorten(line, LONGEST_COMMAND);
}
