import { defineLanguage } from '../walk/language.ts';

export const RUBY_LANGUAGE = defineLanguage({
  parser: 'ruby',
  names: [['Ruby', 'rb rake gemspec ru']],
  files: ['rakefile', 'gemfile'],
  programs: /^ruby/,
  reader: { tree: async () => (await import('./ruby.ts')).RUBY },
});
