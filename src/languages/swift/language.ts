import { SWIFT_TESTS } from './test-rules.ts';
import { defineLanguage } from '../walk/language.ts';

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
