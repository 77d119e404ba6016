import { defineLanguage } from '../walk/language.ts';

export const PYTHON_LANGUAGE = defineLanguage({
  parser: 'python',
  names: [['Python', 'py pyi pyw']],
  programs: /^python/,
  resolvesByName: true,
  offersAllButPrivate: true,
  reader: {
    tree: async () => {
      const { PYTHON_KINDS, extractPython } = await import('./python.ts');
      return { kinds: PYTHON_KINDS, extract: extractPython };
    },
  },
});
