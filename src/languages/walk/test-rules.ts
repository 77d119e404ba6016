/** Returns the command for a test on the Java virtual machine: by the nearest build file of Gradle, Maven or sbt. */
export function jvmTestCommand(target: TestTarget): TestCommand | undefined {
  const [build] = target.upward(/^(?:build\.gradle(?:\.kts)?|pom\.xml|build\.sbt)$/);
  if (build === undefined) return undefined;
  if (build.name === 'pom.xml') return mavenCommand(target, build.folder);
  return build.name === 'build.sbt' ? sbtCommand(target, build.folder) : gradleCommand(target, build.folder);
}

/** `OrderTest.sends`; of a file that is requested as a whole, its class. */
function classAndMethod({ path, symbol }: TestTarget, separator: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const [name = file, ...members] = symbol.split('/');
  return symbol === '' ? file : [name, ...members.slice(-1)].join(separator);
}

function gradleCommand(target: TestTarget, module: string): TestCommand {
  const settings = target.upward(/^settings\.gradle(?:\.kts)?$/).at(-1);
  const root = settings?.folder ?? module;
  const [wrapper] = target.upward(/^gradlew$/);
  const program = wrapper?.folder === root ? './gradlew' : 'gradle';
  const parts = pathFrom(root, module)
    .split('/')
    .filter((part) => part !== '' && module !== root);
  const task = [...parts, taskOf(target.path)].map((part) => `:${part}`).join('');
  return {
    folder: root,
    start: `${program} ${parts.length === 0 ? task.slice(1) : task} `,
    target: `--tests ${shellWord(classAndMethod(target, '.'))}`,
  };
}

/** The task of a source set: `src/jvmTest/kotlin` is run by `jvmTest`, those for all targets by `allTests`. */
function taskOf(path: string): string {
  const [, set = 'test'] = /(?:^|\/)src\/(\w+)\//.exec(path) ?? [];
  if (set === 'commonTest') return 'allTests';
  if (set === 'androidTest') return 'connectedAndroidTest';
  return /test$/i.test(set) ? set : 'test';
}

function mavenCommand(target: TestTarget, module: string): TestCommand {
  const root = target.upward(/^pom\.xml$/).at(-1)?.folder ?? module;
  const [wrapper] = target.upward(/^mvnw$/);
  const program = wrapper?.folder === root ? './mvnw' : 'mvn';
  const part = module === root ? '' : ` -pl ${shellWord(pathFrom(root, module))}`;
  const start = `${program}${part} test -Dtest=`;
  return { folder: root, start, target: shellWord(classAndMethod(target, '#')), join: ',' };
}

function sbtCommand({ path }: TestTarget, folder: string): TestCommand {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return { folder, start: 'sbt "testOnly', target: ` *${name}`, join: '', end: '"' };
}

/** A file of a repository that says how something is built or tested. */
export interface BuildFile {
  /** '' for the root. */
  folder: string;
  name: string;
  text: string;
}

/** A test whose command is looked for. */
export interface TestTarget {
  /** Path of its file, from the root of the repository. */
  path: string;
  /** The qualified name of its function (`Class/method`); '' where the test has a title only, or all of the file is meant. */
  symbol: string;
  /** The text of its file. */
  text: string;
  /** True if it is an example of a documentation comment. */
  isExample: boolean;
  /** The files in its folder and those around it whose name fits, the nearest first. */
  upward: (name: RegExp) => BuildFile[];
}

/**
 * Command of one test, in parts: tests with the same beginning and end are run by one command, their targets joined by `join`.
 * `folder` is where it is run, '' for the root.
 */
export interface TestCommand {
  folder: string;
  start: string;
  target: string;
  join?: string;
  end?: string;
}

/** Rules for finding and running the tests of a language. */
export interface TestRules {
  /** Names of functions that a runner calls. Without it a function of a test file that nothing uses is one. */
  functions?: RegExp;
  /** Functions that are given the title of a test and its body. */
  blocks?: RegExp;
  /** A line above a function that makes it a value for the tests which have a parameter of its name. */
  fixtures?: RegExp;
  /** The name of files whose fixtures all tests in their folder have. */
  sharedFixtures?: RegExp;
  /** A line of a documentation comment with which an example begins that a runner runs. */
  examples?: RegExp;
  /** Returns the command of a test by what the repository itself states; undefined where it states nothing. */
  command: (target: TestTarget) => TestCommand | undefined;
}

/** A path from a folder around it. */
export function pathFrom(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}

/** A word of a command line, quoted where a shell would read it otherwise. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./~^-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
