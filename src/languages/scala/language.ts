import { jvmTestCommand } from '../walk/test-rules.ts';
import { defineLanguage } from '../walk/language.ts';

export const SCALA_LANGUAGE = defineLanguage({
  parser: 'scala',
  names: [['Scala', 'scala sc sbt']],
  publicFiles: 'all',
  declaresAtMargin: true,
  hidesImports: true,
  seesStarsAlone: true,
  declaresInParts: true,
  startsInClass: true,
  tests: { blocks: /^(?:test|it|describe|feature|scenario|property)$/i, command: jvmTestCommand },
  reader: { tree: async () => (await import('./scala.ts')).SCALA },
});
