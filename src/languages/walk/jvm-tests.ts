import { pathFrom, shellWord, type TestCommand, type TestTarget } from './test-rules.ts';

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
