import { defineLanguage } from '../walk/language.ts';

export const RUST_LANGUAGE = defineLanguage({
  parser: 'rust',
  names: [['Rust', 'rs']],
  overridesMethodsOnly: true,
  reader: { tree: async () => (await import('./rust.ts')).RUST },
});
