import { defineLanguage, type FrameForm } from '../walk/language.ts';
import type { DeadCodeRules } from '../walk/dead-code-rules.ts';
import { jvmTestCommand } from '../walk/test-rules.ts';

/** Formats of stack traces of the Java virtual machine. */
const JAVA_FRAMES: readonly FrameForm[] = [
  {
    // at com.shop.mail.Mailer$Queue.send(Mailer.java:12)
    pattern:
      /^\s*at (?:[\w.@-]+\/{1,2})?(?<scope>[\w$.]+)\.(?<symbol>[\w$<>-]+)\((?<path>[\w$-]+\.(?:java|kt|scala|groovy))(?::(?<line>\d+))?\)/,
    isInPackage: true,
  },
];

/** A property as the JavaBeans specification has it: whatever stores or shows an object finds its methods by their names. */
const BEAN_PROPERTY = /^(?:get|set|is)[A-Z]/;

const JAVA_DEAD_CODE: DeadCodeRules = {
  calledNames: /^(main|readObject|writeObject|readResolve|writeReplace|serialVersionUID|premain|agentmain)$/,
  programMethods: /^main$/,
  offersExports: () => true,
  isPrivateMember: ({ isExported, name, signature }) =>
    !isExported && !(/\bpublic\b/.test(signature) && BEAN_PROPERTY.test(name)),
  tellsPrivateMembersOnly: true,
  keepsEnumMembers: true,
  // Mappers of data read fields, and the parts of a record have methods that are not written.
  reflectedFields: { except: /\brecord\s/ },
};

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
  declaresAtMargin: true,
  frames: JAVA_FRAMES,
  tests: { command: jvmTestCommand },
  reader: { tree: async () => (await import('./java.ts')).JAVA },
});
