import { JAVA_DEAD_CODE } from './dead-code.ts';
import { JAVA_FRAMES } from './frames.ts';
import { jvmTestCommand } from '../walk/jvm-tests.ts';
import { defineLanguage } from '../walk/language.ts';

export const JAVA_LANGUAGE = defineLanguage({
  parser: 'java',
  names: [['Java', 'java']],
  sharesNamesWith: 'kotlin',
  hidesImports: true,
  seesStarsAlone: true,
  unwrittenTypes: ['Class'],
  hasOverloads: true,
  separatesMethods: true,
  overridesMethodsOnly: true,
  givesKeysFirst: true,
  importsPackages: true,
  modulePath: (path) => path.replace(/\/[^/]*\.java$/, ''),
  startsInClass: true,
  deadCode: JAVA_DEAD_CODE,
  publicFiles: 'all',
  frames: JAVA_FRAMES,
  tests: { command: jvmTestCommand },
  reader: { tree: async () => (await import('./java.ts')).JAVA },
});
