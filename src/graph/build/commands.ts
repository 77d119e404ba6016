import { namesScripts, scriptsOf } from '../../code/map/map.ts';
import { readCommands, readsCommands } from '../routes/routes.ts';
import type { Component } from './components.ts';
import type { BuildFile, GraphInput } from './repository-graph.ts';
import type { TextFindings } from './text-findings.ts';

interface Command {
  name: string;
  file: BuildFile;
}

/** Files that are commands by where they are: Django's. */
const PLACED = /(?:^|\/)management\/commands\/([a-z]\w*)\.py$/;

/** Commands of one file, at most: a file with more is a table of something else. */
const MOST_IN_A_FILE = 40;

/** Guard of a program that `python -m` runs. */
const IS_PROGRAM = /^if __name__ == ["']__main__["']/m;
/** Names of the file that starts a program: they are no commands of it. */
const IS_WHOLE = /^(?:main|app|cli|run)$/;
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
    if (!readsCommands(language)) return [];
    const names = findings.of('commands', file.id, (text) => {
      const all = readCommands({ language, text });
      if (all.size > MOST_IN_A_FILE) return undefined;
      const [, program] = language === 'Python' && IS_PROGRAM.test(text) ? (PYTHON_PROGRAM.exec(path) ?? []) : [];
      if (program !== undefined && !IS_WHOLE.test(program)) all.add(program);
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
