import { defineLanguage, type Extraction, refuseDepth } from '../walk/language.ts';

/** Returns the reader of a component: its scripts are those of TypeScript. */
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
    names: [['Svelte', 'svelte', { text: 'template', importsModules: true }]],
    group: 'typescript',
    isRewritten: true,
    isComponent: true,
    erasesTypes: true,
    reader: reader('svelte'),
  }),
  defineLanguage({
    parser: 'vue',
    names: [['Vue', 'vue', { text: 'template', importsModules: true }]],
    group: 'typescript',
    isRewritten: true,
    isComponent: true,
    erasesTypes: true,
    reader: reader('vue'),
  }),
];
