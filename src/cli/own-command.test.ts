import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { asTyped, ownCommand } from './own-command.ts';

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

test('a hint of the service is printed as it can be typed, whoever named the command', () => {
  const before = process.env['SVC_CALLED_AS'];
  onTestFinished(() => {
    if (before === undefined) delete process.env['SVC_CALLED_AS'];
    else process.env['SVC_CALLED_AS'] = before;
  });

  process.env['SVC_CALLED_AS'] = 'node /srv/svc/bin/svc.mjs';

  expect(asTyped('Add one: svc repo add <url>. Or `svc up`.')).toBe(
    'Add one: node /srv/svc/bin/svc.mjs repo add <url>. Or `node /srv/svc/bin/svc.mjs up`.',
  );
  expect(asTyped(`Start it: ${ownCommand('up')}.`)).toBe('Start it: node /srv/svc/bin/svc.mjs up.');
  expect(asTyped('Use one of: svc (TypeScript), web.')).toBe('Use one of: svc (TypeScript), web.');
});

test('no text of a command names svc but through ownCommand, and nothing below the command line knows how it is typed', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing/') && file !== ELSEWHERE,
  );
  const linesOf = (file: string): string[] =>
    readFileSync(join(SRC, file), 'utf8')
      .split('\n')
      .map((line) => line.replace(/^\s*(?:\/\*|\*|\/\/).*/, ''));
  const matching = (chosen: string[], pattern: RegExp): string[] =>
    chosen.flatMap((file) =>
      linesOf(file)
        .filter((line) => pattern.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  const ofCommands = files.filter((file) => file.startsWith('cli/'));
  const others = files.filter((file) => !file.startsWith('cli/'));

  expect(others.length).toBeGreaterThan(100);
  expect(matching(ofCommands, NAMED)).toEqual([]);
  expect(matching(others, /\bownCommand\b|SVC_CALLED_AS/)).toEqual([]);
});
