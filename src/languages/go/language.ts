import { GO_DEAD_CODE } from './dead-code.ts';
import { GO_FRAMES, GO_INSTALLED } from './frames.ts';
import { defineLanguage } from '../walk/language.ts';
import { GO_TESTS } from './test-rules.ts';

export const GO_LANGUAGE = defineLanguage({
  parser: 'go',
  names: [['Go', 'go']],
  programPackage: 'main',
  overridesMethodsOnly: true,
  hasValueKeys: true,
  declaresOnce: 'all',
  packsFolders: true,
  importsPackages: true,
  isStructural: true,
  tests: GO_TESTS,
  deadCode: GO_DEAD_CODE,
  // Tests and programs have names of their own.
  declaresPerBuild: (path, name) => !path.endsWith('_test.go') && !/^(?:init|main|_)$/.test(name),
  publicFiles: 'all',
  frames: GO_FRAMES,
  installed: GO_INSTALLED,
  reader: { tree: async () => (await import('./go.ts')).GO },
});
