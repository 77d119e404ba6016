import { defineLanguage } from '../walk/language.ts';

export const PYTHON_LANGUAGE = defineLanguage({
  parser: 'python',
  names: [['Python', 'py pyi pyw']],
  programs: /^python/,
  resolvesByName: true,
  offersAllButPrivate: true,
  reader: { tree: async () => (await import('./python.ts')).PYTHON },
});
