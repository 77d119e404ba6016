import { PYTHON_DEAD_CODE } from './dead-code.ts';
import { PYTHON_FRAMES, PYTHON_INSTALLED } from './frames.ts';
import { defineLanguage } from '../walk/language.ts';
import { PYTHON_TESTS } from './test-rules.ts';

export const PYTHON_LANGUAGE = defineLanguage({
  parser: 'python',
  names: [['Python', 'py pyi pyw']],
  programs: /^python/,
  offersAllButPrivate: true,
  hasHashComments: true,
  isUntyped: true,
  barrels: /^__init__\.py$/,
  packageFile: '__init__.py',
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
