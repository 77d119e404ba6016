import { type Call, readCalls } from './calls.ts';
import { assignedTo, findLabelled, textOfKey } from './parsed-routes.ts';
import { readTokens, type Token } from '../../languages/languages.ts';

interface CommandSource {
  tokens: readonly Token[];
  calls: readonly Call[];
}

type Names = (string | undefined)[];

/** Texts that may declare commands, and the reader of their names, by language. */
const LANGUAGES: Readonly<Record<string, { mayHold: RegExp; read: (source: CommandSource) => Names }>> = {
  TypeScript: { mayHold: /\.command\(|\bdefineCommand\(/, read: scriptCommands },
  Python: { mayHold: /\badd_parser\(|@[\w.]+\.(?:command|group)\b|@\w*_command\(/, read: pythonCommands },
  Go: { mayHold: /\bUse:/, read: ({ tokens }) => textsAfter(tokens, 'Use', ':') },
  Rust: { mayHold: /\bclap\b/, read: clapCommands },
  Java: { mayHold: /@Command\(/, read: picocliCommands },
  PHP: { mayHold: /\$signature\b|#\[AsCommand\b/, read: phpCommands },
  Ruby: { mayHold: /^\s*desc\b/m, read: ({ calls }) => firstTexts(calls, ['desc']) },
};
const SAME: Readonly<Record<string, string>> = { JavaScript: 'TypeScript', Kotlin: 'Java' };

/** True if commands are read of a language. */
export function readsCommands(language: string): boolean {
  return LANGUAGES[SAME[language] ?? language] !== undefined;
}

/**
 * Returns the names of the commands that a source declares with commander, yargs, citty, click, Typer, argparse, Cobra, clap,
 * picocli, Artisan, Symfony or Thor, each once. Linear in the text.
 */
export function readCommands({ language, text }: { language: string; text: string }): Set<string> {
  const own = LANGUAGES[SAME[language] ?? language];
  if (own?.mayHold.test(text) !== true) return new Set();
  const tokens = readTokens(language, text);
  const names = own.read({ tokens, calls: readCalls(tokens, language === 'Ruby') });
  // `add <name>` is `add`.
  return new Set(names.flatMap((name) => /^[./\\!]?([a-z][\w:-]*)/.exec(name ?? '')?.[1] ?? []));
}

function firstTexts(calls: readonly Call[], names: readonly string[]): Names {
  return calls.flatMap(({ name, args }) => (names.includes(name) ? [args[0]?.text] : []));
}

/** The texts that are set to a name: `Use: "add"`, `$signature = 'add'`. */
function textsAfter(tokens: readonly Token[], name: string, sign: string): Names {
  return tokens.flatMap(({ value }, at) => {
    const text = value === name && tokens[at + 1]?.value === sign ? tokens[at + 2] : undefined;
    return text?.kind === 'text' ? [text.value] : [];
  });
}

/** Commander and yargs: `.command('add <name>')`; citty: `defineCommand({ meta: { name } })`. */
function scriptCommands({ tokens, calls }: CommandSource): Names {
  const commands = calls.filter(({ name, receiver }) => name === 'command' && receiver !== '');
  // What is put on a command is a part of it.
  const parents = new Set(commands.flatMap((call) => assignedTo(tokens, call) ?? []));
  const own = commands.filter(({ receiver }) => !parents.has(receiver));
  const defined = calls.filter(({ name }) => name === 'defineCommand');
  return [...firstTexts(own, ['command']), ...defined.map(({ args }) => textOfKey(args[0]?.tokens ?? [], 'name'))];
}

/** Click and Typer: `@cli.command()`, named as the function below it where it states no name; argparse: `add_parser('add')`. */
function pythonCommands({ tokens, calls }: CommandSource): Names {
  const marks = calls.filter(({ name, isMark, args }) => isMark && isCommandMark(name, args[0]?.text));
  const groups = marks.filter((mark) => mark.name === 'group' && isInGroup(mark));
  const parents = new Set(groups.map((mark) => functionBelow(tokens, mark)));
  const own = marks.filter(({ receiver }) => !parents.has(receiver));
  const named = own.map((mark) => {
    const [first] = mark.args;
    const stated = first?.label === '' ? first.text : findLabelled(mark, 'name')?.text;
    return stated ?? (isInGroup(mark) ? functionBelow(tokens, mark) : undefined);
  });
  return [...named, ...firstTexts(calls, ['add_parser'])];
}

/** `@cli.command()`; of a decorator that a program made for its own prompt its text is the name: `@special_command('.tables')`. */
function isCommandMark(name: string, text: string | undefined): boolean {
  return name === 'command' || name === 'group' || (name.endsWith('_command') && text !== undefined);
}

/** False for `@click.group()`, which makes the program itself. */
function isInGroup({ receiver }: Call): boolean {
  return receiver !== 'click' && receiver !== 'typer';
}

/** The name of the function that a decorator belongs to, below other decorators. */
function functionBelow(tokens: readonly Token[], { end }: Call): string | undefined {
  const at = tokens.findIndex(({ value, kind }, index) => index > end && kind === 'word' && value === 'def');
  return tokens[at + 1]?.value;
}

const CLAP_MAKERS: ReadonlySet<string> = new Set(['Command', 'SubCommand', 'App']);

/** Clap: `Command::new("add")`, and the variants of an enum: `#[derive(Subcommand)] enum Commands { AddUser { … } }`. */
function clapCommands({ tokens, calls }: CommandSource): Names {
  const made = calls.filter(({ receiver }) => CLAP_MAKERS.has(receiver));
  const enums = calls.filter(
    ({ isMark, name, args }) =>
      isMark && name === 'derive' && args.some((own) => own.tokens.some(({ value }) => value === 'Subcommand')),
  );
  return [...firstTexts(made, ['new', 'with_name']), ...enums.flatMap(({ end }) => variantsAfter(tokens, end))];
}

/** The variants of the next enum as clap spells them: `AddUser` is `add-user`. */
function variantsAfter(tokens: readonly Token[], from: number): string[] {
  const start = tokens.findIndex(({ value }, at) => at > from && value === 'enum');
  const names: string[] = [];
  let depth = 0;
  for (let at = start + 1; at > 0 && at < tokens.length; at += 1) {
    const { kind, value } = tokens[at] ?? { kind: 'sign', value: '' };
    if (kind === 'sign' && '([{'.includes(value)) depth += 1;
    else if (kind === 'sign' && ')]}'.includes(value)) depth -= 1;
    else if (kind === 'word' && depth === 1 && /^[A-Z]/.test(value))
      names.push(value.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-').toLowerCase());
    if (depth === 0 && value === '}') break;
  }
  return names;
}

/** Picocli: `@Command(name = "add")`. */
function picocliCommands({ calls }: CommandSource): Names {
  return calls.flatMap((call) => (call.isMark && call.name === 'Command' ? [findLabelled(call, 'name')?.text] : []));
}

/** Artisan: `$signature = 'add'`; Symfony: `#[AsCommand('add')]`, `#[AsCommand(name: 'add')]`. */
function phpCommands({ tokens, calls }: CommandSource): Names {
  return [...textsAfter(tokens, '$signature', '='), ...firstTexts(calls, ['AsCommand'])];
}
