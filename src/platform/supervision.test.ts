import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type SupervisionMetrics, Supervisor } from './supervision.ts';

const NOW = new Date('2026-11-28T12:00:00Z');

function supervisorWith(): { supervisor: Supervisor; counted: unknown[]; logged: unknown[] } {
  const counted: unknown[] = [];
  const logged: unknown[] = [];
  const metrics: SupervisionMetrics = {
    countEnded: (part, reason) => counted.push([part, reason]),
    setDown: (part, isDown) => counted.push([part, isDown]),
  };
  const log = (level: string) => (fields: object) => void logged.push({ level, ...fields });
  const supervisor = new Supervisor({
    log: { error: log('error'), warn: log('warn'), info: log('info'), debug: log('debug') },
    metrics,
    now: () => NOW,
  });
  return { supervisor, counted, logged };
}

test('a part is down from the end of its last thread until another can work', () => {
  const { supervisor, counted, logged } = supervisorWith();
  const watch = supervisor.watch('knowledge');
  const error = new Error('out of memory');

  watch.ended(error, { reason: 'memory', remaining: 0 });

  expect(supervisor.missing()).toEqual([
    {
      part: 'knowledge',
      message:
        'A worker for searching documents and signals (knowledge) ended and is being started again: out of memory',
      since: NOW,
      isDown: true,
    },
  ]);
  watch.ready();
  expect(supervisor.missing()).toEqual([]);
  expect(counted).toEqual([
    ['knowledge', 'memory'],
    ['knowledge', true],
    ['knowledge', false],
  ]);
  expect(logged).toMatchObject([
    { level: 'error', part: 'knowledge', reason: 'memory', err: error },
    { level: 'info', part: 'knowledge' },
  ]);
});

test('a part of which others can work, or that no call needs, is missing but not down', () => {
  const { supervisor } = supervisorWith();

  supervisor.watch('readers').ended(new Error('crashed'), { reason: 'crashed', remaining: 3 });
  supervisor.watch('pages').ended(new Error('crashed'), { reason: 'crashed', remaining: 0 });

  expect(supervisor.missing().map(({ part, isDown }) => [part, isDown])).toEqual([
    ['readers', false],
    ['pages', false],
  ]);
});

test('a process that the next task starts again is never missing', () => {
  const { supervisor, counted, logged } = supervisorWith();

  supervisor.watch('indexer').ended(new Error('killed'), { reason: 'crashed' });

  expect(supervisor.missing()).toEqual([]);
  expect(counted).toEqual([['indexer', 'crashed']]);
  expect(logged).toMatchObject([{ level: 'error', part: 'indexer' }]);
});

/** Files that start threads or processes of which the service need not hear, and why. */
const UNWATCHED: Record<string, string> = {
  'platform/git/git.ts': 'one command of git: its failure is the answer to its caller',
  'platform/git/git-route.ts': 'ssh, asked for its settings by a command of the command line',
  'cli/web-build.ts': 'the build of the web application in a checkout, before the service starts',
};

test('every thread and process that the service starts reports its end', () => {
  const source = dirname(import.meta.dirname);
  const starting = globSync('**/*.ts', { cwd: source, exclude: ['**/*.test.ts', 'testing/**'] })
    .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }))
    .filter(({ text }) => /\bnew Worker\(|= (?:fork|spawn)\(/.test(text));

  const unwatched = starting.filter(({ text }) => !/\bwatch\w*\??\.ended\(/.test(text)).map(({ path }) => path);

  // Its client reports the end of the thread.
  expect(unwatched.filter((path) => path !== 'platform/embedded/thread.ts').toSorted()).toEqual(
    Object.keys(UNWATCHED).toSorted(),
  );
  expect(starting.length).toBeGreaterThan(9);
});
