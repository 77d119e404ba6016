import { shellWord, type TestCommand, type TestRules, type TestTarget } from '../walk/test-rules.ts';
import { defineLanguage } from '../walk/language.ts';

const SWIFT_TESTS: TestRules = { command: swiftTestCommand };

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

export const SWIFT_LANGUAGE = defineLanguage({
  parser: 'swift',
  names: [['Swift', 'swift']],
  publicFiles: 'all',
  hidesImports: true,
  moduleFolder: /(?:^|\/)(?:Sources|Tests)\/([^/]+)\//,
  declaresInParts: true,
  startsInClass: true,
  constructorName: 'init',
  privateCode: { isOfFile: ({ signature }) => /^(?:\w+ )*(?:file)?private\b/.test(signature) },
  tests: SWIFT_TESTS,
  reader: { tree: async () => (await import('./swift.ts')).SWIFT },
});
