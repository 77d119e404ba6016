import { shellWord, type TestCommand, type TestTarget, type TestRules } from '../walk/test-rules.ts';

export const SWIFT_TESTS: TestRules = { command: swiftTestCommand };

function swiftTestCommand({ path, symbol, upward }: TestTarget): TestCommand | undefined {
  const [manifest] = upward(/^Package\.swift$/);
  if (manifest === undefined) return undefined;
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
  return {
    folder: manifest.folder,
    start: 'swift test ',
    target: `--filter ${shellWord(symbol === '' ? file : symbol)}`,
  };
}
