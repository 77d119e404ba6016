import { defineLanguage } from '../walk/language.ts';

export const PHP_LANGUAGE = defineLanguage({
  parser: 'php',
  names: [['PHP', 'php phtml']],
  programs: /^php/,
  reader: { tree: async () => (await import('./php.ts')).PHP },
});
