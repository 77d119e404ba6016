import { expect, test } from 'vitest';
import { runProgram } from '../testing/run-program.ts';

test('what no code handles is logged and counted, fails its own call, and leaves the process alive', () => {
  const url = new URL('./last-resort.ts', import.meta.url).href;
  const script = `
    import { handleLastResort, runWork } from ${JSON.stringify(url)};
    const log = { error: ({ err }, text) => console.log('log', err.message) };
    const metrics = { countUnhandled: (kind) => console.log('count', kind) };
    using handler = handleLastResort({ log, metrics });
    const work = (name, run) =>
      new Promise((resolve) => runWork((error) => resolve(console.log(name, 'failed:', error.message)), run));
    await work('one', () => void Promise.reject(new Error('no handler')));
    await work('two', () => void setTimeout(() => { throw new Error('thrown'); }));
    console.log('alive');
  `;

  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  const stdout = runProgram({ command: process.execPath, args, cwd: import.meta.dirname, env: process.env, input: '' });

  expect(stdout.trim().split('\n')).toEqual([
    'count rejection',
    'log no handler',
    'one failed: no handler',
    'count exception',
    'log thrown',
    'two failed: thrown',
    'alive',
  ]);
});
