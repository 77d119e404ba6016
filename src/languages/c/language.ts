import { defineLanguage } from '../walk/language.ts';

const COMPILED = /\.(?:c|cc|cpp|cxx)$/;

export const C_LANGUAGE = defineLanguage({
  parser: 'cpp',
  names: [
    ['C', 'c h'],
    ['C++', 'cc cpp cxx c++ hh hpp hxx ipp inl'],
  ],
  compiledFiles: COMPILED,
  seesStarsAlone: true,
  declaresInParts: true,
  declaresFunctionsApart: true,
  publicFiles: /(^|\/)include\/.*\.(?:h|hh|hpp|hxx)$/,
  privateCode: {
    isOfFile: ({ path, signature, isMember }) =>
      !isMember && COMPILED.test(path) && /^(?:\w+ )*static\b/.test(signature),
    joinsNames: /##/,
  },
  reader: { tree: async () => (await import('./c.ts')).C },
});
