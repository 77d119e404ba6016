import type { BuildFile, GraphInput } from './repository-graph.ts';
import type { TextFindings } from './text-findings.ts';

/** How programs name their commands: commander and yargs, click, argparse, Cobra, clap's attributes are not read. */
const COMMANDS: Readonly<Record<string, RegExp>> = {
  TypeScript: /\.command\(\s*["'`]([a-z][\w-]*)/g,
  JavaScript: /\.command\(\s*["'`]([a-z][\w-]*)/g,
  Python: /(?:\.add_parser|\.command)\(\s*["']([a-z][\w-]*)/g,
  Go: /\bUse:\s*"([a-z][\w-]*)/g,
};

/** Commands of one file, at most: a file with more is a table of something else. */
const MOST_IN_A_FILE = 40;

/** What `python -m` runs. */
const IS_PROGRAM = /^if __name__ == ["']__main__["']/m;
const PYTHON_PROGRAM = /(?:^|\/)([^/]+?)(?:\/__main__)?\.py$/;

/** The commands that programs of a repository offer, with the file that defines each; modules of Python packages that run by themselves are some. */
export function findCommands(
  { files, product }: GraphInput,
  findings: TextFindings,
): { name: string; file: BuildFile }[] {
  const paths = new Set(files.map(({ path }) => path));
  return product.flatMap((file) => {
    const { path, language } = file;
    const pattern = COMMANDS[language];
    if (pattern === undefined) return [];
    const names = findings.of('commands', file.id, (text) => {
      const all = new Set([...text.matchAll(pattern)].map(([, name = '']) => name));
      if (all.size > MOST_IN_A_FILE) return undefined;
      const [, program] = language === 'Python' && IS_PROGRAM.test(text) ? (PYTHON_PROGRAM.exec(path) ?? []) : [];
      if (program !== undefined) all.add(program);
      return all.size === 0 ? undefined : [...all];
    });
    const own = PYTHON_PROGRAM.exec(path)?.[1];
    // A script beside a package is no command of it: `manage.py`, `setup.py`.
    const isInPackage = paths.has(path.replace(/[^/]*$/, '__init__.py'));
    return (names ?? []).flatMap((name) => (name === own && !isInPackage ? [] : [{ name, file }]));
  });
}
