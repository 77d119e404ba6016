import { defineLanguage } from '../walk/language.ts';

export const GO_LANGUAGE = defineLanguage({
  parser: 'go',
  names: [['Go', 'go']],
  programPackage: 'main',
  overridesMethodsOnly: true,
  hasValueKeys: true,
  resolvesByName: true,
  reader: {
    tree: async () => {
      const { GO_KINDS, extractGo } = await import('./go.ts');
      return { kinds: GO_KINDS, extract: extractGo };
    },
  },
});
