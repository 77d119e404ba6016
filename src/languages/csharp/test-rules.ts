import { pathFrom, shellWord, type TestCommand, type TestTarget, type TestRules } from '../walk/test-rules.ts';

export const CSHARP_TESTS: TestRules = { command: dotnetTestCommand };

function dotnetTestCommand({ path, symbol, upward }: TestTarget): TestCommand | undefined {
  const [project] = upward(/\.(?:cs|fs|vb)proj$/);
  if (project === undefined) return undefined;
  const solution = upward(/\.slnx?$/).at(-1) ?? project;
  const { folder } = solution;
  const inside = pathFrom(folder, project.folder === '' ? project.name : `${project.folder}/${project.name}`);
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
  const target = `FullyQualifiedName~${symbol === '' ? file : symbol.split('/').slice(-2).join('.')}`;
  return { folder, start: `dotnet test ${shellWord(inside)} --filter "`, target, join: '|', end: '"' };
}
