import { defineLanguage } from '../walk/language.ts';

export const JAVA_LANGUAGE = defineLanguage({
  parser: 'java',
  names: [['Java', 'java']],
  sharesNamesWith: 'kotlin',
  hasOverloads: true,
  separatesMethods: true,
  hasAnonymousClasses: true,
  overridesMethodsOnly: true,
  reader: {
    tree: async () => {
      const { JAVA_KINDS, extractJava } = await import('./java.ts');
      return { kinds: JAVA_KINDS, extract: extractJava };
    },
  },
});
