import { defineLanguage } from '../walk/language.ts';

export const KOTLIN_LANGUAGE = defineLanguage({
  parser: 'kotlin',
  names: [['Kotlin', 'kt kts']],
  sharesNamesWith: 'java',
  hasOverloads: true,
  extendsBuiltins: true,
  hasUnnamedParameter: true,
  calledMethod: 'invoke',
  publicFiles: 'all',
  startsInClass: true,
  privateCode: { isOfFile: ({ signature }) => /^(?:\w+ )*private\b/.test(signature) },
  reader: { tree: async () => (await import('./kotlin.ts')).KOTLIN },
});
