import { defineLanguage } from '../walk/language.ts';

export const C_LANGUAGE = defineLanguage({
  parser: 'cpp',
  names: [
    ['C', 'c h'],
    ['C++', 'cc cpp cxx c++ hh hpp hxx ipp inl'],
  ],
  compiledFiles: /\.(?:c|cc|cpp|cxx)$/,
  publicFiles: /(^|\/)include\/.*\.(?:h|hh|hpp|hxx)$/,
  reader: { tree: async () => (await import('./c.ts')).C },
});
