import { RUBY_FRAMES, RUBY_INSTALLED } from './frames.ts';
import { defineLanguage } from '../walk/language.ts';
import { RUBY_TESTS } from './test-rules.ts';

export const RUBY_LANGUAGE = defineLanguage({
  parser: 'ruby',
  names: [['Ruby', 'rb rake gemspec ru']],
  files: ['rakefile', 'gemfile'],
  programs: /^ruby/,
  hasHashComments: true,
  declaresInParts: true,
  // `attr_reader :name` declares and reads `@name`.
  shortForm: (name) => name.replace(/^@+/, ''),
  isUntyped: true,
  constructorName: 'initialize',
  publicFiles: 'all',
  tests: RUBY_TESTS,
  frames: RUBY_FRAMES,
  installed: RUBY_INSTALLED,
  privateCode: { isOfFile: ({ isMember, kind }) => isMember && kind === 'method' },
  reader: { tree: async () => (await import('./ruby.ts')).RUBY },
});
