import type { Command } from 'commander';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../platform/config.ts';
import { testFolder } from '../testing/git.ts';
import type { CommandContext } from './command.ts';
import { buildProgram } from './commands.ts';
import { AGENTS_BLOCK } from './agents-block.ts';
import { HINTED_COMMANDS } from './own-command.ts';

/** Commands that are no client of a service. */
const OWN = new Set([
  'up',
  'serve',
  'worker',
  'doctor',
  'export',
  'restore',
  'forget-secrets',
  'login',
  'logout',
  'completion',
]);

/** A context in an empty folder without a service, and whether data was opened in it. */
function emptyContext(): { context: CommandContext; opened: string[] } {
  const cwd = testFolder();
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const opened: string[] = [];
  const open = (): Promise<never> => {
    opened.push('data');
    return Promise.reject(new Error('opened'));
  };
  const dataDir = join(cwd, 'data');
  const context: CommandContext = {
    root: cwd,
    cwd,
    out: () => {},
    err: () => {},
    isTerminal: false,
    version: '0.0.0',
    configDir: join(cwd, 'config'),
    dataPlaces: () => ({ dataDir, others: [] }),
    readConfig: async () => readConfig({ SVC_DATA_DIR: dataDir }),
    openDatabase: open,
    openService: open,
    stop: new AbortController().signal,
  };
  return { context, opened };
}

/** The words of every command that does something, with the commands themselves. */
function leavesOf(command: Command, words: readonly string[] = []): { words: string[]; command: Command }[] {
  if (command.commands.length === 0) return [{ words: [...words], command }];
  return command.commands.flatMap((child) => leavesOf(child, [...words, child.name()]));
}

/** Words that fill what the command demands. */
function neededWords({ registeredArguments, options }: Command): string[] {
  const values = registeredArguments.filter(({ required }) => required).map(() => 'x.md');
  const flags = options
    .filter(({ mandatory }) => mandatory)
    .flatMap(({ long, required }) => [long ?? '', ...(required ? ['x'] : [])]);
  return [...values, ...flags];
}

test('no command makes data but those that add something', async () => {
  const making: string[] = [];
  const all = leavesOf(buildProgram(emptyContext().context, () => {}));
  for (const { words, command } of all.filter((leaf) => !OWN.has(leaf.words[0] ?? ''))) {
    const { context, opened } = emptyContext();
    writeFileSync(join(context.cwd, 'x.md'), 'text\nOne\n');
    const program = buildProgram(context, () => {});
    await program.parseAsync([...words, ...neededWords(command)], { from: 'user' }).catch(() => {});
    if (opened.length > 0) making.push(words.join(' '));
    expect({ words, files: readdirSync(context.cwd) }).toEqual({ words, files: ['x.md'] });
  }

  expect(making.toSorted((a, b) => a.localeCompare(b))).toEqual([
    'competitor add',
    'decision import',
    'doc add',
    'key create',
    'plan add',
    'repo add',
    'repo follow',
    'signal github',
    'signal import',
  ]);
});

test('hints may name every command', () => {
  const names = buildProgram(emptyContext().context, () => {}).commands.map((command) => command.name());

  expect(names.toSorted((a, b) => a.localeCompare(b))).toEqual(HINTED_COMMANDS.toSorted((a, b) => a.localeCompare(b)));
});

test('every command that agents are given is one of the program, with arguments that it takes', () => {
  const { commands } = buildProgram(emptyContext().context, () => {});
  const named = [...AGENTS_BLOCK.matchAll(/`svc ([\w-]+)/g)].map(([, name = '']) => name);

  expect(named.length).toBeGreaterThanOrEqual(10);
  expect(named.filter((name) => !commands.some((command) => command.name() === name))).toEqual([]);
});
