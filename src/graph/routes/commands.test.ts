import { expect, test } from 'vitest';
import { readCommands } from './commands.ts';

test.each([
  [
    'TypeScript',
    `const key = program.command('key <name>').description('x');
     key.command('list');
     program.command("run [files...]", 'Runs').action(() => shell.open('stop'));
     export default defineCommand({ meta: { description: 'y', name: 'dev' } });`,
    ['key', 'run', 'dev'],
  ],
  [
    'Python',
    `@click.group(cls=Group)
def cli(): pass
@cli.command()
@click.option(
    "--since", "-s",
    help=("a date (today)"),
)
@click.pass_context
def edit(ctx): pass
@cli.command(name="import", hidden=True)
def import_ics(): pass
@app.command
def sync(): pass
@cli.group(invoke_without_command=True)
def config(): pass
@config.command("show")
def show(): pass
@special_command(
    ".tables",
    "\\\\dt",
)
def list_tables(cur): pass
@register_command()
def hidden(): pass
commands.add_parser("serve", help="x")
year = match.group("year")
`,
    ['edit', 'import', 'sync', 'config', 'tables', 'serve'],
  ],
  ['Go', 'var c = &cobra.Command{\n\tUse:   "pull <name>",\n}\n', ['pull']],
  [
    'Rust',
    `use clap::{Command, Subcommand};
     #[derive(Debug, Subcommand)]
     #[command(rename_all = "kebab-case")]
     pub enum Action { /// Adds.
       #[command(name = "Plus")] AddColor { Name: String }, Mix(MixArgs) }
     enum Other { Blue }
     fn main() { Command::new("tint").subcommand(Command::new("pick")); }`,
    ['tint', 'pick', 'add-color', 'mix'],
  ],
  ['Rust', 'use std::process::Command;\nfn main() { Command::new("git"); }\n', []],
  ['Java', '@Command(description = "x (y)", name = "push")\nclass Push {}', ['push']],
  [
    'PHP',
    `#[AsCommand(name: 'app:load')]\nclass A { protected $signature = 'mail:send\n{user}'; }`,
    ['mail:send', 'app:load'],
  ],
  ['Ruby', `desc "install NAME", "Installs"\ndef install(name); end\n`, ['install']],
])('commands of %s', (language, text, names) => {
  expect([...readCommands({ language, text })]).toEqual(names);
});
