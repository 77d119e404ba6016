import type { DeadCodeRules } from '../walk/dead-code-rules.ts';

export const JAVA_DEAD_CODE: DeadCodeRules = {
  calledNames: /^(main|readObject|writeObject|readResolve|writeReplace|serialVersionUID|premain|agentmain)$/,
  offersExports: () => true,
  tellsPrivateMembersOnly: true,
  keepsEnumMembers: true,
  // Mappers of data read fields, and the parts of a record have methods that are not written.
  reflectedFields: { except: /\brecord\s/ },
};
