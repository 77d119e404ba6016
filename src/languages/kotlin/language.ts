import { jvmTestCommand } from '../walk/test-rules.ts';
import { defineLanguage } from '../walk/language.ts';

export const KOTLIN_LANGUAGE = defineLanguage({
  parser: 'kotlin',
  names: [['Kotlin', 'kt kts']],
  sharesNamesWith: 'java',
  hidesImports: true,
  seesStarsAlone: true,
  declaresInParts: true,
  hasOverloads: true,
  extendsBuiltins: true,
  hasUnnamedParameter: true,
  calledMethod: 'invoke',
  publicFiles: 'all',
  declaresAtMargin: true,
  startsInClass: true,
  privateCode: { isOfFile: ({ signature }) => /^(?:\w+ )*private (?!(?:\w+ )*companion\b)/.test(signature) },
  tests: { blocks: /^(?:test|it|describe|context|should|given|feature|scenario|expect)$/i, command: jvmTestCommand },
  reader: { tree: async () => (await import('./kotlin.ts')).KOTLIN },
});
