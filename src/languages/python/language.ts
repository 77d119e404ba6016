import { defineLanguage, type FrameForm } from '../walk/language.ts';
import { pathFrom, shellWord, type TestCommand, type TestRules, type TestTarget } from '../walk/test-rules.ts';
import type { DeadCodeRules, LoadedModules } from '../walk/dead-code-rules.ts';

/** Formats of stack traces of Python and its test runners. */
const PYTHON_FRAMES: readonly FrameForm[] = [
  {
    // File "/app/shop/mail.py", line 12, in send
    pattern: /^\s*File "(?<path>[^"\n]+)", line (?<line>\d+)(?:, in (?<symbol>\S+))?/,
    isLastInnermost: true,
  },
  {
    // File ~/shop/mail.py:12, in Mailer.send(self, to)
    pattern: /^\s*File (?<path>[^\s:"]+):(?<line>\d+), in (?<symbol>[\w.<>]+)/,
    isLastInnermost: true,
  },
  {
    // ~/shop/mail.py in send(self, to)
    pattern: /^(?<path>[~/.\w][^\s:"]*\.pyx?) in (?<symbol>[\w.<>]+)\(/,
    isLastInnermost: true,
  },
  {
    // src/mail.py:12: TypeError          tests/test_mail.py:3: in test_send
    pattern: /^(?:E\s+)?(?<path>[\w./\\+-]+\.pyx?):(?<line>\d+): (?:in (?<symbol>[\w.<>]+)|(?:[A-Z]\w*)?$)/,
    isLastInnermost: true,
  },
];

/** Paths of the files of packages that a package manager installed. */
const PYTHON_INSTALLED = /^(?:.*\/)?(?<all>(?:site|dist)-packages)\/(?<path>(?<module>[^/]+?)(?:\/.+|\.py))$/;

/** Runners find tests by their name, fixtures by the names of parameters, and the examples of documentation by their prompt. */
const PYTHON_TESTS: TestRules = {
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

const PYTHON_DEAD_CODE: DeadCodeRules = {
  calledNames:
    /^(__\w+__|main|setup|setUp\w*|tearDown\w*|setup_\w+|teardown_\w+|pytest_\w+|pytestmark|load_tests|test\w*|Test\w*)$/,
  testMethods: /^test/,
  conventions: [
    { name: 'django', path: /(^|\/)(migrations|management\/commands|templatetags)\/[^/]+\.py$/ },
    { name: 'django', path: /(^|\/)(settings|urls|admin|apps|wsgi|asgi|manage)(\/[^/]+)?\.py$/ },
    { name: 'alembic', path: /(^|\/)(alembic|migrations)\/(versions\/.+|env)\.py$/ },
    { name: 'pytest', path: /(^|\/)conftest\.py$/ },
    { name: 'python packaging', path: /(^|\/)(setup|noxfile|tasks|fabfile|conf|dodo|gunicorn[\w.]*)\.py$/ },
  ],
  isImportable: ({ isExported, name }) => isExported || !name.startsWith('_'),
  offersDocumented: true,
  quotesModulePaths: true,
  loadedModules,
  buildsNames: true,
  isPrivateMember: ({ name }) => name.startsWith('_'),
  // At the top of a module only what a condition or `try` holds is indented.
  isConditional: ({ lines, line, isMember }) => !isMember && /^\s+(?:async\s+def|def|class)\b/.test(lines[line] ?? ''),
  registersSubclasses: /__subclasses__|__init_subclass__|\bmetaclass\s*=/,
  isDuckTyped: true,
  keepsFields: true,
  bases: {
    list: /^class\s+\w+\s*(?:\[[^\]]*\])?\s*\((.*)\)\s*:?\s*(?:#.*)?$/,
    except: /^object$|^(?:[\w.]*\.)?Generic\b/,
  },
};

/** Calls that load a module by a name or a path, up to the argument. */
const LOADS =
  /(?<!def |class )\b(?:import_module|__import__|load_source|run_module|run_path|spec_from_file_location|exec_module|load_module|SourceFileLoader|import_string)\(\s*/g;
/** A name that is written down whole. */
const LITERAL = /^["'][\w.-]+["']\s*[,)]/;
/** Names that begin with the path of a package: `f"shop.jobs.{name}"`, `'shop.jobs.' + name`, `'shop.jobs.%s' % name`. */
const BEGUN = /["']((?:[A-Za-z_]\w{0,60}\.){1,8})(?:\{|%s|["']\s*\+)/g;
/** The same with a constant: `f"{JOBS}.{name}"`, `JOBS + "." + name`. */
const BEGUN_BY_CONSTANT = /["']\{([A-Z_][A-Z0-9_]{1,60})\}\.\{|\b([A-Z_][A-Z0-9_]{1,60})\s*\+\s*["']\./g;
const CONSTANT = /^([A-Z_][A-Z0-9_]{1,60})\s*(?::[^=\n]{1,40})?=\s*["']([A-Za-z_][\w.]{0,100})["']/gm;
/** Names relative to the package of the file. */
const RELATIVE = /["']\.(?:\{|%s|["']\s*\+)|\b__(?:name|package)__\s*(?:\+|\}\.)/;
/** Calls that list the modules of a folder. */
const LISTS = /\b(?:iter_modules|walk_packages)\(|\b(?:listdir|scandir|iterdir)\(|\br?i?glob\([^)\n]*\.py["']/;
/** Packages and folders as a text names them. */
const PACKAGE_PATH = /\b(\w{1,60})\.__path__/g;
const FOLDER = /["']((?:[\w-]{1,60}\/){0,4}[\w-]{1,60})\/?(?:\/\*{1,2})?(?:\/\*\.py)?["']/g;
const OWN_FOLDER = /\b__file__\b|(?<!\.)\b__path__\b/;

/** Returns the modules that a text of Python loads by names that are put together when it runs. */
export function loadedModules(text: string): LoadedModules | undefined {
  const lists = LISTS.test(text);
  let loads = false;
  for (const { index, 0: call } of text.matchAll(LOADS))
    loads ||= !LITERAL.test(text.slice(index + call.length, index + call.length + 200));
  if (!loads && !lists) return undefined;
  const packages = new Set<string>();
  if (loads) {
    for (const [, path = ''] of text.matchAll(BEGUN)) packages.add(path.slice(0, -1));
    const constants = new Map(Array.from(text.matchAll(CONSTANT), ([, name = '', value = '']) => [name, value]));
    for (const [, inBraces, added] of text.matchAll(BEGUN_BY_CONSTANT))
      packages.add(constants.get(inBraces ?? added ?? '') ?? '');
    if (RELATIVE.test(text)) packages.add('.');
  }
  packages.delete('');
  const folders = new Set<string>();
  if (lists) {
    for (const pattern of [PACKAGE_PATH, FOLDER])
      for (const [, folder = ''] of text.matchAll(pattern)) folders.add(folder);
    if (OWN_FOLDER.test(text)) folders.add('.');
  }
  return { loads, packages: [...packages], folders: [...folders] };
}

export const PYTHON_LANGUAGE = defineLanguage({
  parser: 'python',
  names: [['Python', 'py pyi pyw']],
  programs: /^python/,
  offersAllButPrivate: true,
  hasHashComments: true,
  isUntyped: true,
  barrels: /^__init__\.py$/,
  packageFile: '__init__.py',
  exportLines: /^\s*(?:from\b|import\b|__all__)/,
  listsNames: true,
  nestsPackages: true,
  modulePath: (path) => path.replace(/(\/__init__)?\.py$/, ''),
  asksMembersAlone: true,
  typeBlock: /^\s*if\s+(?:\w+\.)?TYPE_CHECKING\s*:/,
  tests: PYTHON_TESTS,
  deadCode: PYTHON_DEAD_CODE,
  declaringFiles: /\.pyi$/,
  calledMethod: '__call__',
  frames: PYTHON_FRAMES,
  installed: PYTHON_INSTALLED,
  reader: { tree: async () => (await import('./python.ts')).PYTHON },
});
