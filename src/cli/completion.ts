import type { Command } from 'commander';
import { ServiceError } from '../kernel/errors.ts';

/** Shells that there is a script for. */
const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Words behind which others follow: of a command or a group of commands. */
interface CommandNode {
  /** Words typed so far, without options: `repo add`. */
  words: string;
  subcommands: { name: string; description: string }[];
  options: { flag: string; description: string }[];
}

/**
 * The script that makes a shell complete the commands and options of a program; paths where nothing else fits.
 *
 * @throws ServiceError `bad_argument` for another shell.
 */
export function completionScript(program: Command, shell: string): string {
  const nodes = collectNodes(program, []);
  if (shell === 'bash') return bashScript(program.name(), nodes);
  if (shell === 'zsh') return `${ZSH_START}${bashScript(program.name(), nodes)}`;
  if (shell === 'fish') return fishScript(program.name(), nodes);
  throw new ServiceError('bad_argument', `There is no completion for "${shell}".`, {
    fix: `Use ${SHELLS.join(', ')}.`,
  });
}

/** Completion is not there before `compinit`, which a shell without settings has not called. */
const ZSH_START = `autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
`;

function collectNodes(command: Command, words: readonly string[]): CommandNode[] {
  const visible = command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help');
  const options = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long === undefined || long === null ? [] : [{ flag: long, description }]));
  const subcommands = visible.map((child) => ({ name: child.name(), description: child.description() }));
  return [
    { words: words.join(' '), subcommands, options },
    ...visible.flatMap((child) => collectNodes(child, [...words, child.name()])),
  ];
}

function bashScript(name: string, nodes: readonly CommandNode[]): string {
  const cases = nodes.map(({ words, subcommands, options }) => {
    const next = subcommands.map((subcommand) => subcommand.name).join(' ');
    return `    '${words}') words='${next}' flags='${options.map(({ flag }) => flag).join(' ')}' ;;`;
  });
  return `_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} place= words= flags= word
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case " ${nodes
      .map(({ words }) => words)
      .filter((words) => words !== '')
      .map((words) => words.replace(' ', ':'))
      .join(' ')} " in
      *" \${place:+\${place/ /:}:}$word "*) place=\${place:+$place }$word ;;
    esac
  done
  case $place in
${cases.join('\n')}
  esac
  if [[ $current == -* ]]; then words=$flags; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -z $words ]]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _${name} ${name}
`;
}

function fishScript(name: string, nodes: readonly CommandNode[]): string {
  const top = nodes[0]?.subcommands.map((subcommand) => subcommand.name).join(' ') ?? '';
  const lines = nodes.flatMap(({ words, subcommands, options }) => {
    const [first, second] = words.split(' ');
    const next = subcommands.map((subcommand) => subcommand.name).join(' ');
    const at =
      words === ''
        ? `not __fish_seen_subcommand_from ${top}`
        : `__fish_seen_subcommand_from ${first}${second === undefined ? '' : `; and __fish_seen_subcommand_from ${second}`}`;
    const open = next === '' || words === '' ? at : `${at}; and not __fish_seen_subcommand_from ${next}`;
    return [
      ...subcommands.map(
        (subcommand) =>
          `complete -c ${name} -f -n ${quote(open)} -a ${subcommand.name} -d ${quote(subcommand.description)}`,
      ),
      ...options.map(
        (option) => `complete -c ${name} -n ${quote(at)} -l ${option.flag.slice(2)} -d ${quote(option.description)}`,
      ),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
