import { execFileSync, spawnSync } from 'node:child_process';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { completionScript } from './completion.ts';

const program = new Command('svc');
program.command('status').description("What's here");
const repo = program.command('repo').description('Repositories');
repo.command('add').option('--name <name>', 'its name').option('--wait', 'until it is indexed');
repo.command('list');

/** Returns what bash offers for the last of these words. */
function completeWords(...words: string[]): string {
  const script = `${completionScript(program, 'bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMPREPLY=(); _svc; echo "\${COMPREPLY[*]}"`;
  return execFileSync('bash', ['-c', script, 'bash', 'svc', ...words], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  }).trim();
}

test('bash completes commands, those of a group, options, and else files', () => {
  expect(completeWords('')).toBe('status repo');
  expect(completeWords('re')).toBe('repo');
  expect(completeWords('repo', '')).toBe('add list');
  expect(completeWords('repo', 'add', '--')).toBe('--name --wait --help');
  expect(completeWords('repo', 'add', '--wait', '--n')).toBe('--name');
  expect(completeWords('repo', 'add', 'completion.te')).toBe('completion.test.ts');
});

const HAS_ZSH = spawnSync('zsh', ['--version']).error === undefined;

test.skipIf(!HAS_ZSH)('zsh completes the same where it has no completion yet', () => {
  // Stands for what only a terminal has; words and places are those that bashcompinit gives.
  const script = `compinit() { compdef() { :; } }; ${completionScript(program, 'zsh')}
emulate ksh; COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMPREPLY=(); _svc; echo "\${COMPREPLY[*]}"`;
  const zsh = (...words: string[]): string =>
    execFileSync('zsh', ['-f', '-c', script, 'zsh', 'svc', ...words], { encoding: 'utf8' }).trim();

  // Of these zsh itself takes what fits.
  expect(zsh('re')).toBe('status repo');
  expect(zsh('repo', 'ad')).toBe('add list');
  expect(zsh('repo', 'add', '--wa')).toBe('--name --wait --help');
});

test('zsh uses the same script, fish has one of its own, others none', () => {
  expect(completionScript(program, 'zsh')).toContain(completionScript(program, 'bash'));
  expect(completionScript(program, 'fish').split('\n')).toEqual(
    expect.arrayContaining([
      "complete -c svc -f -n 'not __fish_seen_subcommand_from status repo' -a status -d 'What\\'s here'",
      "complete -c svc -f -n '__fish_seen_subcommand_from repo; and not __fish_seen_subcommand_from add list' -a list -d ''",
      "complete -c svc -n '__fish_seen_subcommand_from repo; and __fish_seen_subcommand_from add' -l wait -d 'until it is indexed'",
    ]),
  );
  expect(() => completionScript(program, 'csh')).toThrow(expect.objectContaining({ code: 'bad_argument' }));
});
