import { CSHARP_FRAMES } from './frames.ts';
import { defineLanguage } from '../walk/language.ts';
import { CSHARP_TESTS } from './test-rules.ts';

export const CSHARP_LANGUAGE = defineLanguage({
  parser: 'csharp',
  names: [['C#', 'cs csx']],
  hasOverloads: true,
  hidesImports: true,
  seesStarsAlone: true,
  declaresInParts: true,
  unwrittenTypes: ['Type'],
  // `[Flags]` names `FlagsAttribute`.
  shortForm: (name) => name.replace(/Attribute$/, ''),
  publicFiles: 'all',
  tests: CSHARP_TESTS,
  frames: CSHARP_FRAMES,
  startsInClass: true,
  privateCode: {
    // A name in several parts with an underscore is how designers wire handlers: `button_Click`.
    isOfFile: ({ signature, isMember, name }) =>
      /^(?:\w+ )*private\b(?! protected\b)(?!.*\bpartial\b)/.test(signature) && !(isMember && name.includes('_')),
  },
  reader: { tree: async () => (await import('./csharp.ts')).CSHARP },
});
