import type { DeadCodeRules } from '../walk/dead-code-rules.ts';

/** A property as the JavaBeans specification has it: whatever stores or shows an object finds its methods by their names. */
const BEAN_PROPERTY = /^(?:get|set|is)[A-Z]/;

export const JAVA_DEAD_CODE: DeadCodeRules = {
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
