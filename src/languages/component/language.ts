import { defineLanguage, type Extraction, refuseDepth } from '../walk/language.ts';

/** What a component is read with: its scripts are those of TypeScript. */
const reader = (framework: 'vue' | 'svelte') => ({
  text: async (): Promise<Extraction> => {
    const [{ extractComponent }, { TooDeep }] = await Promise.all([
      import('./component.ts'),
      import('../typescript/typescript.ts'),
    ]);
    return refuseDepth(TooDeep, (text) => extractComponent(framework, text));
  },
});

export const COMPONENT_LANGUAGES = [
  defineLanguage({
    parser: 'svelte',
    names: [['Svelte', 'svelte']],
    group: 'typescript',
    isRewritten: true,
    isComponent: true,
    reader: reader('svelte'),
  }),
  defineLanguage({
    parser: 'vue',
    names: [['Vue', 'vue']],
    group: 'typescript',
    isRewritten: true,
    isComponent: true,
    reader: reader('vue'),
  }),
];
