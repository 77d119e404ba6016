import { PHP_FRAMES } from './frames.ts';
import { defineLanguage } from '../walk/language.ts';

export const PHP_LANGUAGE = defineLanguage({
  parser: 'php',
  names: [['PHP', 'php phtml']],
  programs: /^php/,
  isUntyped: true,
  publicFiles: 'all',
  frames: PHP_FRAMES,
  privateCode: { isOfFile: ({ signature }) => /^(?:\w+ )*private\b/.test(signature) },
  reader: { tree: async () => (await import('./php.ts')).PHP },
});
