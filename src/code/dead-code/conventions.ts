import { namesOfLanguages } from '../../languages/languages.ts';

/** Languages whose dead code is told: those whose references are resolved by scope, import and type. */
export const JUDGED_LANGUAGES = namesOfLanguages(({ judgesDeadCode }) => judgesDeadCode === true);

/** Languages in which a file is a module that others name by its path. */
export const SCRIPT_LANGUAGES: ReadonlySet<string> = new Set(['TypeScript', 'JavaScript']);

/** Packages that let every file use what modules export, without an import. */
const AUTO_IMPORTS = /^(?:nuxt|nuxt3|unplugin-auto-import|unimport|@nuxtjs\/composition-api)$/;

/** Whether files may use exports that they do not import. `packages` are those that manifests name. */
export function importsByItself(packages: ReadonlySet<string>): boolean {
  return hasAny(packages, AUTO_IMPORTS);
}

/** Text in which any word may name code: templates and components. */
export const TEMPLATE_LANGUAGES: ReadonlySet<string> = new Set(['Vue', 'Svelte', 'Astro', 'HTML', 'MDX', 'Template']);
/** Data in which a word may name code that a program looks up. */
export const DATA_LANGUAGES: ReadonlySet<string> = new Set(['JSON', 'YAML', 'TOML', 'INI', 'XML', 'Terraform']);

/** Files whose exports a program outside of the repository takes by their place. */
interface Convention {
  name: string;
  path: RegExp;
  /** Holds only in a repository with a manifest that names such a package. */
  needs?: RegExp;
}

const CONVENTIONS: readonly Convention[] = [
  {
    name: 'configuration',
    path: /(^|\/)(\.[\w-]+rc|[\w.-]*\.(config|conf|setup|workspace|stories|story)|gulpfile|gruntfile|karma)\.[cm]?[jt]sx?$/i,
  },
  { name: 'declarations', path: /\.d\.[cm]?ts$/ },
  {
    name: 'route',
    path: /(^|\/)(pages|app|routes)\/(.+\/)?[^/]+\.[cm]?[jt]sx?$/,
    needs:
      /^(next|nuxt|astro|gatsby|expo-router|vike|@docusaurus\/.+|@remix-run\/.+|@react-router\/.+|@sveltejs\/kit|@tanstack\/.+-router|@tanstack\/.+-start|@solidjs\/start|@builder\.io\/qwik-city)$/,
  },
  {
    name: 'server route',
    path: /(^|\/)server\/(api|routes|plugins|middleware)\/.+\.[cm]?[jt]s$/,
    needs: /^(nuxt|nitro|nitropack|h3)$/,
  },
  {
    name: 'framework entry',
    path: /(^|\/)(middleware|instrumentation|root|hooks|hooks\.(client|server)|entry[.-](client|server|worker))\.[cm]?[jt]sx?$/,
    needs: /^(next|nuxt|astro|@remix-run\/.+|@react-router\/.+|@sveltejs\/kit|@solidjs\/start)$/,
  },
  {
    name: 'docusaurus',
    path: /(^|\/)(src\/(theme|pages)\/.+|sidebars)\.[cm]?[jt]sx?$/,
    needs: /^@docusaurus\//,
  },
  { name: 'sveltekit', path: /(^|\/)src\/(params\/.+|service-worker)\.[jt]s$/, needs: /^@sveltejs\/kit$/ },
  { name: 'vitepress', path: /(^|\/)\.(vitepress|vuepress)\/theme\/index\.[cm]?[jt]s$/ },
  { name: 'nuxt', path: /(^|\/)(plugins|composables|layouts|middleware|utils)\/[^/]+\.[cm]?[jt]sx?$/, needs: /^nuxt$/ },
  { name: 'django', path: /(^|\/)(migrations|management\/commands|templatetags)\/[^/]+\.py$/ },
  { name: 'django', path: /(^|\/)(settings|urls|admin|apps|wsgi|asgi|manage)(\/[^/]+)?\.py$/ },
  { name: 'alembic', path: /(^|\/)(alembic|migrations)\/(versions\/.+|env)\.py$/ },
  { name: 'pytest', path: /(^|\/)conftest\.py$/ },
  { name: 'python packaging', path: /(^|\/)(setup|noxfile|tasks|fabfile|conf|dodo|gunicorn[\w.]*)\.py$/ },
];

/** Which convention takes what the file offers, or undefined. `packages` are those that manifests name. */
export function conventionOf(path: string, packages: ReadonlySet<string>): string | undefined {
  const found = CONVENTIONS.find(
    (convention) =>
      convention.path.test(path) && (convention.needs === undefined || hasAny(packages, convention.needs)),
  );
  return found?.name;
}

function hasAny(packages: ReadonlySet<string>, wanted: RegExp): boolean {
  for (const name of packages) if (wanted.test(name)) return true;
  return false;
}

/** Code whose dead part is nobody's to delete: copied from elsewhere, or there to be read by tests and generators. */
export function isKeptAsItIs(path: string): boolean {
  return /(^|\/)(fixtures?|testdata|templates?|vendor|third_party|node_modules)\//.test(path);
}

const CALLED_NAMES: Readonly<Record<string, RegExp>> = {
  Python: /^(__\w+__|main|setup|setUp\w*|tearDown\w*|setup_\w+|teardown_\w+|pytest_\w+|test\w*|Test\w*)$/,
  Go: /^(main|init|_|(Test|Benchmark|Example|Fuzz)\w*)$/,
  Java: /^(main|readObject|writeObject|readResolve|writeReplace|serialVersionUID|premain|agentmain)$/,
  Rust: /^(main|_\w*)$/,
};
const CALLED_MEMBERS =
  /^(constructor|toString|toJSON|valueOf|then|inspect|dispose|handleEvent|render|connectedCallback|disconnectedCallback|attributeChangedCallback|adoptedCallback|observedAttributes|componentDid\w+|componentWill\w+|shouldComponentUpdate|getDerivedState\w+|getSnapshotBeforeUpdate|ng[A-Z]\w+|__\w+)$/;

/** Whether the language or a runtime calls what has this name. */
export function isCalledByName(language: string, name: string, isMember: boolean): boolean {
  if (CALLED_NAMES[language]?.test(name) === true) return true;
  return isMember && CALLED_MEMBERS.test(name);
}

/** Whether other programs may use what is exported there without saying so here: packages of languages with visibility. */
export function isLibraryExport(language: string, path: string, isProgram: boolean): boolean {
  if (language !== 'Go') return language === 'Java' || language === 'Rust';
  return /(^|\/)(magefiles?\.go$|magefiles?\/|vendor\/)/.test(path) || (!isProgram && isImportable(path));
}

/** Whether Go lets other modules import a package, beside those of `package main`. */
export function isImportable(path: string): boolean {
  return !/(^|\/)(internal|cmd)\//.test(path);
}
