import { PHP_FRAMES, PHP_INSTALLED } from './frames.ts';
import { defineLanguage } from '../walk/language.ts';
import { PHP_TESTS } from './test-rules.ts';

export const PHP_LANGUAGE = defineLanguage({
  parser: 'php',
  names: [['PHP', 'php phtml']],
  isMarkup: true,
  hidesImports: true,
  declaresInParts: true,
  programs: /^php/,
  isUntyped: true,
  publicFiles: 'all',
  tests: PHP_TESTS,
  frames: PHP_FRAMES,
  installed: PHP_INSTALLED,
  privateCode: { isOfFile: ({ signature }) => /^(?:\w+ )*private\b/.test(signature) },
  reader: { tree: async () => (await import('./php.ts')).PHP },
});
