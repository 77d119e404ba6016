import { defineLanguage } from '../walk/language.ts';

export const RUST_LANGUAGE = defineLanguage({
  parser: 'rust',
  names: [['Rust', 'rs']],
  overridesMethodsOnly: true,
  reader: {
    tree: async () => {
      const { RUST_KINDS, extractRust } = await import('./rust.ts');
      return { kinds: RUST_KINDS, extract: extractRust };
    },
  },
});
