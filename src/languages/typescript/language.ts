import { defineLanguage, type Extraction, type FrameForm, refuseDepth } from '../walk/language.ts';
import {
  type BuildFile,
  pathFrom,
  shellWord,
  type TestCommand,
  type TestRules,
  type TestTarget,
} from '../walk/test-rules.ts';
import type { DeadCodeRules } from '../walk/dead-code-rules.ts';

/** Formats of stack traces of runtimes of JavaScript, browsers and bundlers. */
const JAVASCRIPT_FRAMES: readonly FrameForm[] = [
  {
    // at send (file:///app/src/mail.ts:12:3)     at async Mailer.send (webpack:///./src/mail.ts?:12:3)
    pattern:
      /^\s*at (?:async )?(?:(?:new )?(?<symbol>[^\s()][^()\n]*?) (?:\[as [^\]]+\] )?)?\(?(?<path>[^\s():][^\s()]*?):(?<line>\d+):\d+\)?/,
  },
  {
    // send@https://shop.example/src/mail.js:12:3
    pattern: /^\s*(?<symbol>[\w$./<>*]*)@(?<path>(?:https?|file|webpack|app)[^\s]*?):(?<line>\d+):\d+/,
  },
];

/** Packages may have packages of their own: the last folder counts. */
const JAVASCRIPT_INSTALLED = /^(?:.*\/)?(?<all>node_modules)\/(?<name>@[^/]+\/[^/]+|[^@/][^/]*)\/(?<path>.+)$/;

const JAVASCRIPT_BUILT = {
  output: /\.[cm]?jsx?$/,
  source: /(?<!\.d)\.(?:[cm]?[jt]sx?|vue|svelte|astro|coffee)$/,
};

/** Runners by the package that installs them, and how each runs files. */
const RUNNERS: readonly (readonly [name: string, command: string, packages: RegExp])[] = [
  ['vitest', 'vitest run', /^vitest$/],
  ['jest', 'jest', /^(?:jest|jest-cli|@jest\/globals)$/],
  ['playwright', 'playwright test', /^@playwright\/test$/],
  ['cypress', 'cypress run --spec', /^cypress$/],
  ['mocha', 'mocha', /^mocha$/],
  ['ava', 'ava', /^ava$/],
  ['tap', 'tap run', /^tap$/],
  ['jasmine', 'jasmine', /^jasmine$/],
  ['uvu', 'uvu', /^uvu$/],
  ['react-scripts', 'react-scripts test', /^react-scripts$/],
  ['vue-cli-service', 'vue-cli-service test:unit', /^@vue\/cli-service$/],
];

/** Tests of TypeScript and JavaScript are blocks with a title. */
const SCRIPT_TESTS: TestRules = {
  blocks: /^(?:test|it|describe|suite|context|specify|bench|fit|fdescribe|xit|xdescribe)$/,
  command: scriptTestCommand,
};

interface Manifest {
  folder: string;
  /** Its scripts whose name says that they test, as one text. */
  scripts: string;
  packages: readonly string[];
  hasTest: boolean;
}

function scriptTestCommand(target: TestTarget): TestCommand | undefined {
  const manifests = target.upward(/^package\.json$/).flatMap(readManifest);
  const imported = importedRunner(target.text);
  if (imported === 'bun:test') return runBy(target, '', 'bun test');
  const named = RUNNERS.find(([, , packages]) => imported !== undefined && packages.test(imported));
  // What the file imports decides; else the nearest script that tests, then what is installed.
  if (named !== undefined) {
    const holder = manifests.find((manifest) => usesRunner(manifest, named)) ?? manifests.at(-1);
    return holder && runBy(target, holder.folder, withProgram(target, named[1]));
  }
  for (const manifest of manifests) {
    const node = /\bnode\b((?:\s+--?[\w-]+(?:[= ](?!-)[^\s'"*&|;]+)?)*?\s+--test\b)/.exec(manifest.scripts)?.[1];
    if (node !== undefined || (imported === 'node:test' && manifest === manifests.at(-1)))
      return runBy(target, manifest.folder, `node${node ?? ' --test'}`);
    if (/\bbun test\b/.test(manifest.scripts)) return runBy(target, manifest.folder, 'bun test');
    const runner =
      imported === 'node:test'
        ? undefined
        : (RUNNERS.find(([name]) => new RegExp(`(?:^|[\\s/"'])${name}(?![\\w/-])`).test(manifest.scripts)) ??
          RUNNERS.find(([, , packages]) => manifest.packages.some((name) => packages.test(name))));
    if (runner !== undefined) return runBy(target, manifest.folder, withProgram(target, withOptions(runner, manifest)));
  }
  const [deno] = target.upward(/^deno\.jsonc?$/);
  if (deno !== undefined) return runBy(target, deno.folder, 'deno test');
  const own = manifests.find(({ hasTest }) => hasTest);
  return own && { folder: own.folder, start: `${managerOf(target)} test`, target: '' };
}

function runBy({ path }: TestTarget, folder: string, program: string): TestCommand {
  return { folder, start: `${program} `, target: shellWord(pathFrom(folder, path)) };
}

/** The runner that a file takes its functions from. */
function importedRunner(text: string): string | undefined {
  const sources = text.matchAll(/(?:\bfrom|\bimport|\brequire\()\s*["'`]([@\w:/-]+)["'`]/g);
  return [...sources]
    .map(([, source = '']) => source)
    .find((source) => /^(?:node|bun):test$/.test(source) || RUNNERS.some(([, , packages]) => packages.test(source)));
}

function usesRunner({ scripts, packages: installed }: Manifest, [name, , packages]: (typeof RUNNERS)[number]): boolean {
  return scripts.includes(name) || installed.some((one) => packages.test(one));
}

function readManifest({ folder, text }: BuildFile): Manifest[] {
  try {
    const fields = JSON.parse(text) as Record<string, unknown> | null;
    const table = (name: string): [string, unknown][] => Object.entries(fields?.[name] ?? {});
    const scripts = table('scripts').filter(
      ([name, script]) => /test|spec|e2e/.test(name) && typeof script === 'string',
    );
    const packages = ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((name) =>
      table(name).map(([installed]) => installed),
    );
    // `npm init` writes a script that only fails.
    const all = scripts.map(([, script]) => String(script)).filter((script) => !script.includes('no test specified'));
    return [
      {
        folder,
        packages,
        scripts: all.join('\n'),
        hasTest: scripts.some(([name]) => name === 'test') && all.length > 0,
      },
    ];
  } catch {
    return [];
  }
}

/** Options of mocha that take the next word as their value. */
const MOCHA_VALUES =
  /^(?:-[fgjnORrstu]|--(?:config|extension|fgrep|file|global|grep|ignore|exclude|import|jobs|loader|node-option|package|reporter|reporter-options?|require|retries|slow|timeout|ui|watch-files|watch-ignore))$/;

/** The options that the scripts of a package give mocha, without the files that they run. Other runners read a file of settings. */
function withOptions([name, command]: (typeof RUNNERS)[number], { scripts }: Manifest): string {
  if (name !== 'mocha') return command;
  const [, given = ''] = /(?:^|[\s/])mocha((?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|[^\s"'&|;]+))*)/m.exec(scripts) ?? [];
  const words = given.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const options = words.filter((word, at) => word.startsWith('-') || MOCHA_VALUES.test(words[at - 1] ?? ''));
  return [command, ...options].join(' ');
}

function managerOf({ upward }: TestTarget): 'pnpm' | 'yarn' | 'bun' | 'npm' {
  const [lock] = upward(/^(?:pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|package-lock\.json)$/);
  if (lock === undefined) return 'npm';
  return lock.name.startsWith('pnpm')
    ? 'pnpm'
    : lock.name.startsWith('yarn')
      ? 'yarn'
      : lock.name.startsWith('bun')
        ? 'bun'
        : 'npm';
}

function withProgram(target: TestTarget, command: string): string {
  return `${{ pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bunx', npm: 'npx' }[managerOf(target)]} ${command}`;
}

/** Endings by which React Native, Expo and bundlers choose one of several files. */
const CHOSEN =
  /\.(?:ios|android|native|web|windows|macos|tvos|visionos|browser|node|server|client|deno|bun|worker|workerd|edge)\.[cm]?[jt]sx?$/;

/** What makes a file a module, as ECMAScript and CommonJS have it. */
const MODULE = /^[ \t]*(?:import|export)\b|\brequire\s*\(|\bmodule\.exports\b|\bexports\.\w/m;

/** Dead code rules of TypeScript and JavaScript. */
const SCRIPT_DEAD_CODE: DeadCodeRules = {
  conventions: [
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
    {
      name: 'nuxt',
      path: /(^|\/)(plugins|composables|layouts|middleware|utils)\/[^/]+\.[cm]?[jt]sx?$/,
      needs: /^nuxt$/,
    },
  ],
  hasPathModules: true,
  isScript: (path, text) => /\.[jt]sx?$/.test(path) && !MODULE.test(text),
  looseNames: handlersInMarkup,
  isConditional: ({ path }) => CHOSEN.test(path),
  // A class that is not exported may be given away with its members.
  isPrivateMember: ({ isExported, name, signature }) =>
    !isExported && (name.startsWith('#') || /\bprivate\b/.test(signature)),
};

/** Yields the names of functions that event handlers of markup in strings call: `<button onclick="send()">`. */
function* handlersInMarkup(text: string): Generator<string> {
  for (const [, name = ''] of text.matchAll(/\bon[a-z]+=\\?["']([\w$]+)\(/g)) yield name;
}

/** Returns the reader of TypeScript and JavaScript. Their files see the names of each other. */
const reader = (language: 'typescript' | 'tsx' | 'javascript', isDeclaration = false) => ({
  text: async (): Promise<Extraction> => {
    const { extractTypeScript, TooDeep } = await import('./typescript.ts');
    return refuseDepth(TooDeep, (text) => extractTypeScript(language, text, isDeclaration));
  },
});

/** The script beside a declaration file, as TypeScript pairs them: `a.js` or `a.jsx` of `a.d.ts`, `a.mjs` of `a.d.mts`. */
function describedPaths(path: string): string[] {
  const [, base, module] = /^(.*)\.d\.([cm]?)ts$/.exec(path) ?? [];
  if (base === undefined) return [];
  return module === '' ? [`${base}.js`, `${base}.jsx`] : [`${base}.${module}js`];
}

const SCRIPT_EXPORTS = {
  handsOnModules: true,
  exportLines: /^\s*(?:export\b|module\.exports|exports\.)/,
  listsNames: true,
} as const;

export const TYPESCRIPT_LANGUAGES = [
  defineLanguage({
    parser: 'declaration',
    names: [['TypeScript', 'd.ts d.mts d.cts', { importsModules: true }]],
    group: 'typescript',
    isAmbient: true,
    describedPaths,
    ...SCRIPT_EXPORTS,
    asksCompiler: true,
    erasesTypes: true,
    deadCode: SCRIPT_DEAD_CODE,
    tests: SCRIPT_TESTS,
    reader: reader('typescript', true),
  }),
  defineLanguage({
    parser: 'typescript',
    names: [['TypeScript', 'ts mts cts', { importsModules: true }]],
    programs: /^(deno|tsx|ts-node)/,
    hidesImports: true,
    ...SCRIPT_EXPORTS,
    declaresAtMargin: true,
    asksCompiler: true,
    erasesTypes: true,
    deadCode: SCRIPT_DEAD_CODE,
    tests: SCRIPT_TESTS,
    seesByImport: true,
    moduleEndings: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'],
    barrels: /^index\.[cm]?[jt]sx?$/,
    frames: JAVASCRIPT_FRAMES,
    installed: JAVASCRIPT_INSTALLED,
    built: JAVASCRIPT_BUILT,
    reader: reader('typescript'),
  }),
  defineLanguage({
    parser: 'tsx',
    names: [['TypeScript', 'tsx', { importsModules: true }]],
    group: 'typescript',
    hidesImports: true,
    ...SCRIPT_EXPORTS,
    declaresAtMargin: true,
    asksCompiler: true,
    erasesTypes: true,
    deadCode: SCRIPT_DEAD_CODE,
    tests: SCRIPT_TESTS,
    reader: reader('tsx'),
  }),
  defineLanguage({
    parser: 'javascript',
    names: [['JavaScript', 'js jsx mjs cjs', { importsModules: true }]],
    programs: /^(node|bun)/,
    group: 'typescript',
    isUntyped: true,
    hidesImports: true,
    ...SCRIPT_EXPORTS,
    declaresAtMargin: true,
    asksCompiler: true,
    deadCode: SCRIPT_DEAD_CODE,
    tests: SCRIPT_TESTS,
    reader: reader('javascript'),
  }),
];
