import { productFiles } from './layer-units.ts';
import type { BuildFile } from './repository-graph.ts';

/** How programs name their commands: commander and yargs, click, argparse, Cobra, clap's attributes are not read. */
const COMMANDS: Readonly<Record<string, RegExp>> = {
  TypeScript: /\.command\(\s*["'`]([a-z][\w-]*)/g,
  JavaScript: /\.command\(\s*["'`]([a-z][\w-]*)/g,
  Python: /(?:\.add_parser|\.command)\(\s*["']([a-z][\w-]*)/g,
  Go: /\bUse:\s*"([a-z][\w-]*)/g,
};

/** Commands of one file, at most: a file with more is a table of something else. */
const MOST_IN_A_FILE = 40;

/** The commands that programs of a repository offer, with the file that defines each. */
export function findCommands(
  files: readonly BuildFile[],
  read: (file: number) => string,
): { name: string; file: BuildFile }[] {
  return productFiles(files).flatMap((file) => {
    const pattern = COMMANDS[file.language];
    if (pattern === undefined) return [];
    const names = [...new Set([...read(file.id).matchAll(pattern)].map(([, name = '']) => name))];
    return names.length > MOST_IN_A_FILE ? [] : names.map((name) => ({ name, file }));
  });
}
