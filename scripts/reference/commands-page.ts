import type { Argument, Command, Option } from 'commander';
import type { CommandContext } from '../../src/cli/command.ts';
import { buildProgram } from '../../src/cli/commands.ts';
import { operationCommands } from '../../src/cli/published-operations.ts';
import { code, page, table } from './markdown.ts';

const INTRODUCTION = `Every command takes \`--help\`. Those that read or change data also take \`--data-dir <folder>\`, and \`--json\` for one JSON
document on standard output. Results go to standard output; progress and errors, each with the command that helps, to standard error. The exit code is 0, 1 for
an error, 2 for wrong usage. Which service a command asks: [artifacts.md](artifacts.md#a-service-elsewhere).`;

const QUESTIONS = `Each action of the tools is a command with the same text, budget and grades as over MCP. Its options are the arguments of the tool in
[tools.md](tools.md), as \`--max-tokens\` for \`max_tokens\`; an option of several values can be repeated. Questions are about the repository
of the checkout that you are in (\`--repo <name>\` names another, \`--repo '*'\` all), and paths start in the folder that you are in.
\`next=…\` in the first line is the cursor of the next page: \`--cursor <it>\`. \`impact\` and \`tests\` also take \`--diff <ref>\`: what differs
between a ref and the files as they are now.`;

const COMMON = new Set(['--data-dir', '--json', '--help', '--version']);

/** Every command of \`svc\`. */
export function commandsPage(): string {
  const silent = { version: '', out: () => {}, err: () => {} };
  // No command runs here, so nothing else of the context is used.
  const program = buildProgram(silent as unknown as CommandContext, () => {});
  const questions = operationCommands();
  const names = new Set(questions.map(({ name }) => name));
  const rows = questions.map(({ name, description, operation, action = '', subject }) => [
    code(`svc ${name} [${subject}]`),
    description,
    code(`${operation} ${action}`.trim()),
  ]);
  const others = program.commands.filter((command) => !names.has(command.name())).flatMap(leavesOf);
  return page(
    'Commands',
    INTRODUCTION,
    '## Questions',
    QUESTIONS,
    table(['command', 'what it shows', 'call'], rows),
    '## Other commands',
    ...others.map(section),
  );
}

/** The commands below a group, or the command itself. */
function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function section(command: Command): string {
  const options = command.options.filter(({ long, hidden }) => !hidden && !COMMON.has(long ?? ''));
  const words = [fullName(command), ...command.registeredArguments.map(argumentText)].join(' ');
  const rows = options.map((option) => [code(option.flags), optionText(option)]);
  const parts = [`### ${fullName(command)}`, `${code(words)}: ${command.description()}`];
  return [...parts, ...(rows.length === 0 ? [] : [table(['option', 'meaning'], rows)])].join('\n\n');
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function optionText({ description, argChoices, defaultValue }: Option): string {
  const choices = argChoices === undefined ? '' : ` (${argChoices.join(', ')})`;
  const usual =
    defaultValue === undefined || defaultValue === false ? '' : `; default: ${JSON.stringify(defaultValue)}`;
  return `${description}${choices}${usual}`;
}
