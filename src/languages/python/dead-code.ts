import type { DeadCodeRules } from '../walk/dead-code-rules.ts';
import { loadedModules } from './loaded-modules.ts';

export const PYTHON_DEAD_CODE: DeadCodeRules = {
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
