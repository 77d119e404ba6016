import { pathFrom, shellWord, type TestCommand, type TestTarget, type TestRules } from '../walk/test-rules.ts';

/** Runners find tests by their name, fixtures by the names of parameters, and the examples of documentation by their prompt. */
export const PYTHON_TESTS: TestRules = {
  functions: /^test/i,
  fixtures: /^\s*@(?:pytest(?:_\w+)?\.)?fixture\b/,
  sharedFixtures: /(?:^|\/)conftest\.py$/,
  examples: /^\s*>>> /,
  command: pythonTestCommand,
};

const SETTINGS =
  /^(?:pyproject\.toml|setup\.cfg|setup\.py|pytest\.ini|tox\.ini|noxfile\.py|Pipfile|conftest\.py|(?:[\w-]*requirements[\w-]*|dev|test|tests)\.(?:txt|in))$/;
const LOCKS: readonly (readonly [RegExp, string])[] = [
  [/^uv\.lock$/, 'uv run '],
  [/^poetry\.lock$/, 'poetry run '],
  [/^pdm\.lock$/, 'pdm run '],
  [/^Pipfile\.lock$/, 'pipenv run '],
];

function pythonTestCommand(test: TestTarget): TestCommand | undefined {
  const prefix = LOCKS.find(([lock]) => test.upward(lock).length > 0)?.[1] ?? '';
  const settings = test.upward(SETTINGS);
  const usesPytest =
    /^\s*(?:import|from)\s+pytest\b/m.test(test.text) ||
    settings.some(({ name, text }) => /^(?:pytest\.ini|conftest\.py)$/.test(name) || /\bpytest\b/.test(text));
  const root = settings.find(({ name }) => /^(?:pyproject\.toml|setup\.(?:cfg|py)|pytest\.ini|tox\.ini)$/.test(name));
  const folder = root?.folder ?? '';
  const path = pathFrom(folder, test.path);
  if (test.isExample)
    return {
      folder,
      start: `${prefix}${usesPytest ? 'pytest --doctest-modules' : 'python -m doctest'} `,
      target: shellWord(path),
    };
  if (usesPytest) {
    const target = [path, ...test.symbol.split('/').filter(Boolean)].join('::');
    return { folder, start: `${prefix}pytest `, target: shellWord(target) };
  }
  const [manager] = test.upward(/^manage\.py$/);
  if (manager !== undefined)
    return { folder: manager.folder, start: `${prefix}python manage.py test `, target: dotted(manager.folder, test) };
  if (!/\bunittest\b/.test(test.text)) return undefined;
  return { folder, start: `${prefix}python -m unittest `, target: dotted(folder, test) };
}

function dotted(folder: string, { path, symbol }: TestTarget): string {
  const module = pathFrom(folder, path).replace(/\.\w+$/, '');
  return [...module.split('/'), ...symbol.split('/').filter(Boolean)].join('.');
}
