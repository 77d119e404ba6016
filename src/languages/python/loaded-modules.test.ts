import { expect, test } from 'vitest';
import { loadedModules } from './language.ts';

test.each([
  ['import_module(f"shop.jobs.{name}")', ['shop.jobs'], []],
  ["importlib.import_module('shop.jobs.' + name)", ['shop.jobs'], []],
  ["name = 'shop.jobs.%s' % kind\n__import__(name)", ['shop.jobs'], []],
  ['JOBS = "shop.jobs"\nimport_module(f"{JOBS}.{name}")', ['shop.jobs'], []],
  ["import_module('.' + name, __package__)", ['.'], []],
  ['import_module(f"{__name__}.{name}")', ['.'], []],
  ["for path in Path(__file__).parent.joinpath('rules').glob('*.py'): load_source(name, path)", [], ['rules', '.']],
  ['for one in pkgutil.iter_modules(jobs.__path__): import_module(one.name)', [], ['jobs']],
])('%s loads %j, and what it lists of %j', (text, packages, folders) => {
  expect(loadedModules(text)).toEqual({ loads: true, packages, folders });
});

test.each([
  "import_module('shop.jobs')",
  "__import__('dbus')",
  'def load_source(name, path): pass',
  'x = "shop.jobs." + y',
])('%s loads nothing by a computed name', (text) => {
  expect(loadedModules(text)).toBeUndefined();
});
