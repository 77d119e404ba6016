import { defineLanguage, type FrameForm } from '../walk/language.ts';
import { pathFrom, shellWord, type TestCommand, type TestRules, type TestTarget } from '../walk/test-rules.ts';

/** Formats of stack traces of Ruby. */
const RUBY_FRAMES: readonly FrameForm[] = [
  {
    // app/mail.rb:12:in `send'        from /gems/shop/lib/mail.rb:12:in 'Mailer#send'
    pattern: /^\s*(?:from |\d+: from )?(?<path>[^\s:][^\s:]*\.(?:rb|rake|erb)):(?<line>\d+):in [`'](?<symbol>[^'\n]+)'/,
  },
];

/** Paths of the files of packages that a package manager installed. */
const RUBY_INSTALLED = /^(?:.*\/)?(?<all>gems)\/(?<name>[\w.-]+?)-\d[^/]*\/(?<path>.+\.rb)$/;

const RUBY_TESTS: TestRules = {
  blocks: /^(?:it|describe|context|specify|example|feature|scenario|test|should)$/,
  command: rubyTestCommand,
};

function rubyTestCommand({ path, upward }: TestTarget): TestCommand | undefined {
  const gems = upward(/^(?:Gemfile|gems\.rb|\.rspec|[\w-]+\.gemspec)$/);
  const [{ folder } = { folder: '' }] = gems;
  const prefix = gems.some(({ name }) => name === 'Gemfile' || name === 'gems.rb') ? 'bundle exec ' : '';
  const target = shellWord(pathFrom(folder, path));
  if (/_spec\.\w+$/.test(path)) {
    const isNamed = gems.some(({ name, text }) => name === '.rspec' || /\brspec\b/.test(text));
    return isNamed ? { folder, start: `${prefix}rspec `, target } : undefined;
  }
  const [task] = upward(/^Rakefile$/);
  if (task !== undefined && /rails\/|Rails\.application/.test(task.text))
    return { folder: task.folder, start: 'bin/rails test ', target: shellWord(pathFrom(task.folder, path)) };
  if (task !== undefined && /\bTestTask\b/.test(task.text))
    return {
      folder: task.folder,
      start: `${prefix}rake test TEST=${shellWord(pathFrom(task.folder, path))}`,
      target: '',
    };
  return gems.some(({ text }) => /\b(?:minitest|test-unit)\b/.test(text))
    ? { folder, start: `${prefix}ruby -Itest -Ilib `, target }
    : undefined;
}

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
  listsNames: true,
  tests: RUBY_TESTS,
  frames: RUBY_FRAMES,
  installed: RUBY_INSTALLED,
  privateCode: { isOfFile: ({ isMember, kind }) => isMember && kind === 'method' },
  reader: { tree: async () => (await import('./ruby.ts')).RUBY },
});
