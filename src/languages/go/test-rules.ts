import {
  folderAround,
  pathFrom,
  shellWord,
  type TestCommand,
  type TestTarget,
  type TestRules,
} from '../walk/test-rules.ts';

export const GO_TESTS: TestRules = {
  functions: /^(?:Test|Benchmark|Fuzz|Example)(?![a-z])/,
  command: goTestCommand,
};

function goTestCommand({ path, symbol, upward }: TestTarget): TestCommand | undefined {
  const [module] = upward(/^go\.mod$/);
  if (module === undefined) return undefined;
  const inside = pathFrom(
    module.folder,
    folderAround(path) === module.folder ? `${module.folder}/` : `${folderAround(path)}/`,
  );
  const target = shellWord(`./${inside.replace(/^\/|\/$/g, '')}`);
  const { folder } = module;
  if (symbol === '') return { folder, start: 'go test ', target };
  const bench = symbol.startsWith('Benchmark') ? `'^$' -bench ` : '';
  return { folder, start: `go test ${target} -run ${bench}'^(`, target: symbol, join: '|', end: ")$'" };
}
