import { RUST_DEAD_CODE } from './dead-code.ts';
import { RUST_FRAMES, RUST_INSTALLED } from './frames.ts';
import { defineLanguage } from '../walk/language.ts';
import { RUST_TESTS } from './test-rules.ts';

export const RUST_LANGUAGE = defineLanguage({
  parser: 'rust',
  names: [['Rust', 'rs']],
  overridesMethodsOnly: true,
  // Traits with parameters give a type several methods of one name.
  declaresOnce: 'all but methods',
  barrels: /^(?:mod|lib)\.rs$/,
  packageFile: 'src/lib.rs',
  implementsInBlocks: true,
  hasTestModules: true,
  tests: RUST_TESTS,
  deadCode: RUST_DEAD_CODE,
  frames: RUST_FRAMES,
  installed: RUST_INSTALLED,
  reader: { tree: async () => (await import('./rust.ts')).RUST },
});
