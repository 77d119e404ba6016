import type { LoadedModules } from '../walk/dead-code-rules.ts';

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
