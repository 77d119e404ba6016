import {
  pathFrom,
  shellWord,
  type BuildFile,
  type TestCommand,
  type TestTarget,
  type TestRules,
} from '../walk/test-rules.ts';

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
export const SCRIPT_TESTS: TestRules = {
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
