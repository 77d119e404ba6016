import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import { visibleLines } from '../kernel/visible.ts';
import type { Client } from './client.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { type Argument, type OperationCommand, operationCommands } from './published-operations.ts';

/** Arguments that commands set themselves. */
const OWN = new Set(['action', 'format']);
/** Actions whose query may be a range of commits. */
const OF_DIFFS = new Set(['impact', 'tests', 'compare']);
/** Its file descriptor. */
const STANDARD_INPUT = 0;
/** Actions whose query may be a location in a file. */
const OF_LOCATIONS = new Set(['definition', 'usages', 'implementations', 'dependencies', 'impact', 'tests']);
/** Operations that are about the repository of the checkout unless another is named. */
const OF_A_REPOSITORY = new Set(['code-tool', 'commit-tool']);
/** `src/a.ts`, with a line, a range of lines, or a line and a column from 1, as compilers print them. */
const LOCATION = /^(.+?)(?::(\d+)(?:-(\d+)|:(\d+))?)?$/;

/**
 * Adds a command for each action, `svc usages sendMail --limit 5`, with the arguments of the action as options. It prints the
 * text that MCP clients get, or the JSON form.
 */
export function addOperationCommands<Flags extends { json?: boolean }>(
  program: Command,
  tools: PlanCommandTools<Flags>,
): void {
  for (const operation of operationCommands()) {
    const { description, heading, name, subject } = operation;
    const command = new LazyCommand(name, (lazy) => describeOptions(lazy, operation)).copyInheritedSettings(program);
    program.addCommand(tools.common(command.helpGroup(heading).description(description)));
    const piped = readsDiff(operation.action) ? '; - reads a diff from standard input' : '';
    command.argument(`[${subject}]`, `${operation.arguments[subject]?.description ?? ''}${piped}`);
    command.action((given: string | undefined, flags: Flags & Record<string, unknown>) =>
      tools.withClient(flags, async (client) => {
        const values = await argumentsOf(operation, given, { flags, tools, client });
        const path = `/v1/tools/${operation.operation}`;
        if (flags.json === true) return tools.show(flags, await client.send('POST', path, values), () => '');
        const text = await client.text('POST', path, values);
        return tools.show(flags, {}, () => visibleLines(text));
      }),
    );
  }
}

/** True if the subject of an action may be the text of a diff. */
function readsDiff(action: string | undefined): boolean {
  return action === 'impact' || action === 'tests';
}

/** A command whose options are made when they are read: five hundred of them take 10 ms, and a call needs those of one command. */
class LazyCommand extends Command {
  #addOptions: ((command: Command) => void) | undefined;

  constructor(name: string, addOptions: (command: Command) => void) {
    super(name);
    this.#addOptions = addOptions;
  }

  override parseOptions(given: string[]): ReturnType<Command['parseOptions']> {
    this.#complete();
    return super.parseOptions(given);
  }

  override createHelp(): ReturnType<Command['createHelp']> {
    this.#complete();
    return super.createHelp();
  }

  #complete(): void {
    const add = this.#addOptions;
    this.#addOptions = undefined;
    add?.(this);
  }
}

function describeOptions(command: Command, { action = '', arguments: parameters, subject }: OperationCommand): void {
  for (const [key, argument] of Object.entries(parameters))
    if (!OWN.has(key) && key !== subject) command.addOption(optionOf(key, argument));
  if (OF_DIFFS.has(action)) command.option('--diff <ref>', 'what differs between a ref and the files as they are now');
  if (action === 'themes') command.option('--new', 'subjects that appeared lately, as svc new-subjects');
}

function optionOf(key: string, { default: usual, description = '', enum: choices, items, type }: Argument): Option {
  const parts = [
    description,
    items?.enum === undefined ? '' : items.enum.join(', '),
    type === 'array' ? 'can be repeated' : '',
    usual === undefined || choices !== undefined ? '' : `default: ${JSON.stringify(usual)}`,
  ];
  const flag = type === 'boolean' ? flagOf(key) : `${flagOf(key)} <${type === 'integer' ? 'number' : 'value'}>`;
  const option = new Option(flag, parts.filter((part) => part !== '').join('; '));
  if (choices !== undefined) return option.choices(choices);
  if (type !== 'array') return option;
  return option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
}

function flagOf(key: string): string {
  return `--${key.replaceAll('_', '-')}`;
}

/** The arguments of a call: what was typed, paths from the root of the checkout, and its repository. */
async function argumentsOf<Flags>(
  { action = '', arguments: parameters, operation, subject }: OperationCommand,
  given: string | undefined,
  { client, flags, tools }: { client: Client; flags: Record<string, unknown>; tools: PlanCommandTools<Flags> },
): Promise<Record<string, unknown>> {
  const { cwd, repositoryHere } = tools;
  const values: Record<string, unknown> = {};
  for (const [key, { type }] of Object.entries(parameters)) {
    const value = flags[key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (value !== undefined && !OWN.has(key)) values[key] = type === 'integer' ? numberOf(key, value) : value;
  }
  if (action !== '') values['action'] = flags['new'] === true ? 'new' : action;
  if (given === '-' && readsDiff(action)) values[subject] = readDiff();
  else if (given !== undefined) values[subject] = OF_LOCATIONS.has(action) ? await readLocation(cwd, given) : given;
  const { diff } = flags;
  if (typeof diff === 'string') values[subject] = diff === 'HEAD' ? '..' : `${diff}..`;
  const { path, repo: named } = values;
  // The root is the whole repository, which is what no path means.
  if (typeof path === 'string') values['path'] = (await pathFromRoot(cwd, path)) || undefined;
  if (!OF_A_REPOSITORY.has(operation)) return values;
  const repo = await repositoryHere(client, { repo: typeof named === 'string' ? named : undefined });
  return repo === undefined ? values : { ...values, repo };
}

/** The difference that `git diff` was made to print here. @throws ServiceError `bad_argument` when nothing comes. */
function readDiff(): string {
  const text = readFileSync(STANDARD_INPUT, 'utf8');
  if (text.trim() !== '') return text;
  throw new ServiceError('bad_argument', 'Standard input is empty: no line differs.', {
    fix: 'Pipe a difference into it, as `git diff main` prints it.',
  });
}

/** A location in a file of this checkout by its path from the root; anything else as it is. */
async function readLocation(cwd: string, given: string): Promise<string> {
  const [, file = given, line, to, column] = LOCATION.exec(given) ?? [];
  const fullPath = resolve(cwd, file);
  if (!existsSync(fullPath) || !statSync(fullPath).isFile()) return given;
  const path = await pathFromRoot(cwd, file);
  if (line === undefined) return path;
  if (to !== undefined) return `${path}:${line}-${to}`;
  // The service counts columns from 0, as editors do.
  return column === undefined ? `${path}:${line}` : `${path}:${line}:${Math.max(0, Number(column) - 1)}`;
}

/** Path of a file from the root of its repository. Loaded by the commands that need it alone: it runs git. */
async function pathFromRoot(cwd: string, path: string): Promise<string> {
  return (await import('./find-repo.ts')).pathFromRoot(cwd, path);
}

/** @throws ServiceError `bad_argument` when it is no whole number. */
function numberOf(key: string, value: unknown): number {
  const number = Number(value);
  if (Number.isInteger(number)) return number;
  throw new ServiceError('bad_argument', `${flagOf(key)} is no whole number: ${String(value)}.`, {
    fix: `Give a number, for example ${flagOf(key)} 20.`,
  });
}
