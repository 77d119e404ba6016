import { namesScripts, scriptsOf } from '../../code/map/map.ts';
import type { Component } from './components.ts';
import type { BuildFile, GraphInput } from './repository-graph.ts';
import type { TextFindings } from './text-findings.ts';

interface Command {
  name: string;
  file: BuildFile;
}

/**
 * Patterns by which programs name their commands: commander, yargs and citty, click and argparse, Cobra, clap, picocli, Artisan
 * and Symfony, Thor.
 */
const COMMANDS: Readonly<Record<string, RegExp>> = {
  TypeScript: /\.command\(\s*["'`]([a-z][\w:-]*)|\bdefineCommand\(\s*\{\s*meta:\s*\{\s*name:\s*["'`]([a-z][\w:-]*)/g,
  Python:
    /(?:\.add_parser|\.command|\.group)\(\s*(?:name\s*=\s*)?["']([a-z][\w-]*)|@(?!click\b|typer\b)[\w.]+\.(?:command|group)\(\s*\)\s*(?:@[^\n]*\n\s*)*(?:async\s+)?def\s+([a-z]\w*)/g,
  Go: /\bUse:\s*"([a-z][\w-]*)/g,
  Rust: /\b(?:Command|SubCommand|App)::(?:new|with_name)\(\s*"([a-z][\w-]*)/g,
  Java: /@Command\([^)]*?\bname\s*=\s*"([a-z][\w:-]*)/g,
  Kotlin: /@Command\([^)]*?\bname\s*=\s*"([a-z][\w:-]*)/g,
  PHP: /\$signature\s*=\s*['"]([a-z][\w:-]*)|#\[AsCommand\(\s*(?:name:\s*)?['"]([a-z][\w:-]*)/g,
  Ruby: /^\s*desc\s+["']([a-z][\w-]*)/gm,
};
const SAME: Readonly<Record<string, string>> = { JavaScript: 'TypeScript' };

/** Names of commands that have commands of their own, in code: what is put on them is a part of what they do. */
const PARENTS: Readonly<Record<string, RegExp>> = {
  TypeScript: /\b(?:const|let|var)\s+(\w+)\s*=\s*\w+\s*\.command\(/g,
  Python: /@(?!click\b|typer\b)[\w.]+\.group\([^)]*\)\s*(?:@[^\n]*\n\s*)*def\s+(\w+)/g,
};

/** Subcommands of clap are the variants of an enum: `#[derive(Subcommand)] enum Commands { AddUser { … } }`. */
const CLAP_ENUM =
  /#\[derive\([^)]*\bSubcommand\b[^)]*\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?enum\s+\w+\s*\{/g;

/** Files that are commands by where they are: Django's. */
const PLACED = /(?:^|\/)management\/commands\/([a-z]\w*)\.py$/;

/** Commands of one file, at most: a file with more is a table of something else. */
const MOST_IN_A_FILE = 40;

/** Guard of a program that `python -m` runs. */
const IS_PROGRAM = /^if __name__ == ["']__main__["']/m;
const PYTHON_PROGRAM = /(?:^|\/)([^/]+?)(?:\/__main__)?\.py$/;

/**
 * The commands that programs of a repository offer, with the file that defines each. A command that is called as a package is the
 * program itself, and one of several names in a program (`list` of `repo list` and `key list`) does nothing by itself.
 */
export function findCommands(input: GraphInput, findings: TextFindings, components: readonly Component[]): Command[] {
  const programs = new Set(components.flatMap(({ isPackage, name }) => (isPackage ? [programName(name)] : [])));
  const isProgram = (name: string): boolean => programs.has(programName(name));
  const scripts = scriptCommands(input, findings);
  // A single script is the program of its package.
  const all = [...codeCommands(input, findings), ...(scripts.length > 1 ? scripts : [])];
  const places = Map.groupBy(all, ({ name }) => name);
  return [...places].flatMap(([name, [first, ...others]]) => {
    const isOne = others.every(({ file }) => file === first?.file);
    return first === undefined || !isOne || isProgram(name) ? [] : [first];
  });
}

/** `github.com/acme/mail/v2` starts as `mail`, `pip-tools` also as `piptools`. */
function programName(name: string): string {
  return name
    .replace(/\/v\d+$/, '')
    .replace(/^.*\//, '')
    .replaceAll(/[-_.]/g, '')
    .toLowerCase();
}

function codeCommands({ files, product }: GraphInput, findings: TextFindings): Command[] {
  const paths = new Set(files.map(({ path }) => path));
  return product.flatMap((file) => {
    const { path, language } = file;
    const pattern = COMMANDS[SAME[language] ?? language];
    if (pattern === undefined) return [];
    const names = findings.of('commands', file.id, (text) => {
      const parents = parentsIn(text, language);
      const own = [...text.matchAll(pattern)].filter(({ index }) => !parents.has(receiverAt(text, index)));
      const all = new Set(own.flatMap((match) => match.slice(1).find(Boolean) ?? []));
      if (language === 'Rust') for (const name of clapVariants(text)) all.add(name);
      if (all.size > MOST_IN_A_FILE) return undefined;
      const [, program] = language === 'Python' && IS_PROGRAM.test(text) ? (PYTHON_PROGRAM.exec(path) ?? []) : [];
      if (program !== undefined) all.add(program);
      return all.size === 0 ? undefined : [...all];
    });
    const own = PYTHON_PROGRAM.exec(path)?.[1];
    // A script beside a package is no command of it: `manage.py`, `setup.py`.
    const isInPackage = paths.has(path.replace(/[^/]*$/, '__init__.py'));
    const placed = PLACED.exec(path)?.[1];
    const all = [
      ...(names ?? []).filter((name) => name !== own || isInPackage),
      ...(placed === undefined ? [] : [placed]),
    ];
    return [...new Set(all)].map((name) => ({ name, file }));
  });
}

function parentsIn(text: string, language: string): Set<string> {
  const pattern = PARENTS[SAME[language] ?? language];
  return new Set(pattern === undefined ? [] : [...text.matchAll(pattern)].map(([, name = '']) => name));
}

/** The name that a call is made on: `repo` of `repo.command(` at its dot, and of `@repo.command(` at its sign. */
function receiverAt(text: string, index: number): string {
  return (
    /^@?(\w+)\./.exec(text.slice(index, index + 80))?.[1] ??
    /(\w+)\s*$/.exec(text.slice(Math.max(0, index - 80), index))?.[1] ??
    ''
  );
}

/** The variants of clap's enums as clap writes them: `AddUser` is `add-user`. */
function clapVariants(text: string): string[] {
  return [...text.matchAll(CLAP_ENUM)].flatMap((match) => {
    const names: string[] = [];
    let depth = 0;
    const tokens = text.slice(match.index + match[0].length).matchAll(/[{}()]|\/\/[^\n]*|#\[[^\]]*\]|\b[A-Z]\w*/g);
    for (const [token] of tokens) {
      if (token === '{' || token === '(') depth += 1;
      else if (token === '}' || token === ')') depth -= 1;
      else if (depth === 0 && /^[A-Z]/.test(token))
        names.push(token.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-').toLowerCase());
      if (depth < 0) break;
    }
    return names;
  });
}

/** The commands that installing a Python package makes, with the file of the module that each starts. */
function scriptCommands({ files, product }: GraphInput, findings: TextFindings): Command[] {
  return files
    .filter(({ path }) => namesScripts(path))
    .flatMap(({ id, path }) => {
      const scripts = findings.of('scripts', id, (text) => {
        const entries = scriptsOf(path, text).map(({ name, module }) => ({ name, module }));
        return entries.length === 0 ? undefined : entries;
      });
      return (scripts ?? []).flatMap(({ name, module }) => {
        const start = module.replaceAll('.', '/');
        const isStart = ({ path: own }: BuildFile): boolean =>
          `/${own.replace(/(?:\/__(?:init|main)__)?\.\w+$/, '')}`.endsWith(`/${start}`);
        const file = product.find(isStart);
        return file === undefined ? [] : [{ name, file }];
      });
    });
}
