import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownCommand } from './own-command.ts';

const SRC = dirname(import.meta.dirname);
const NAMED =
  /\bsvc (?:up|serve|worker|repo|index|key|plan|decision|doc|doctor|signal|ownership|rationale|scip|login-link|export|import|forget-secrets)\b/;

/** Text for a file of the user's repository, which is read on other machines too. */
const ELSEWHERE = 'cli/agents-block.ts';

test('a command is told as the launcher says that it is typed here', () => {
  const before = process.env['SVC_CALLED_AS'];
  onTestFinished(() => {
    if (before === undefined) delete process.env['SVC_CALLED_AS'];
    else process.env['SVC_CALLED_AS'] = before;
  });

  process.env['SVC_CALLED_AS'] = 'npm run -s svc --';

  expect(ownCommand('key list')).toBe('npm run -s svc -- key list');
});

test('no text names a command of svc but through ownCommand', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing/') && file !== ELSEWHERE,
  );
  const named = files.flatMap((file) =>
    readFileSync(join(SRC, file), 'utf8')
      .split('\n')
      .map((line) => line.replace(/^\s*(?:\/\*|\*|\/\/).*/, ''))
      .filter((line) => NAMED.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );

  expect(files.length).toBeGreaterThan(100);
  expect(named).toEqual([]);
});
