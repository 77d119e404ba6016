import { CSHARP_FRAMES } from './frames.ts';
import { defineLanguage } from '../walk/language.ts';

export const CSHARP_LANGUAGE = defineLanguage({
  parser: 'csharp',
  names: [['C#', 'cs csx']],
  hasOverloads: true,
  publicFiles: 'all',
  frames: CSHARP_FRAMES,
  reader: { tree: async () => (await import('./csharp.ts')).CSHARP },
});
