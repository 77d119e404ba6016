import { defineLanguage } from '../walk/language.ts';

export const GO_LANGUAGE = defineLanguage({
  parser: 'go',
  names: [['Go', 'go']],
  programPackage: 'main',
  overridesMethodsOnly: true,
  hasValueKeys: true,
  resolvesByName: true,
  reader: { tree: async () => (await import('./go.ts')).GO },
});
