import { defineLanguage } from '../walk/language.ts';

export const JAVA_LANGUAGE = defineLanguage({
  parser: 'java',
  names: [['Java', 'java']],
  sharesNamesWith: 'kotlin',
  hasOverloads: true,
  separatesMethods: true,
  hasAnonymousClasses: true,
  overridesMethodsOnly: true,
  givesKeysFirst: true,
  reader: { tree: async () => (await import('./java.ts')).JAVA },
});
