import { defineLanguage } from '../walk/language.ts';

export const CSHARP_LANGUAGE = defineLanguage({
  parser: 'csharp',
  names: [['C#', 'cs csx']],
  hasOverloads: true,
  reader: { tree: async () => (await import('./csharp.ts')).CSHARP },
});
