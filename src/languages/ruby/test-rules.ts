import { pathFrom, shellWord, type TestCommand, type TestTarget, type TestRules } from '../walk/test-rules.ts';

export const RUBY_TESTS: TestRules = {
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
