import { defineLanguage } from '../walk/language.ts';

export const SWIFT_LANGUAGE = defineLanguage({
  parser: 'swift',
  names: [['Swift', 'swift']],
  publicFiles: 'all',
  reader: { tree: async () => (await import('./swift.ts')).SWIFT },
});
