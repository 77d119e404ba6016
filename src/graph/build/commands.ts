import { productFiles } from './layer-units.ts';
import type { BuildFile } from './repository-graph.ts';
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

/** The commands that programs of a repository offer, with the file that defines each. */
export function findCommands(files: readonly BuildFile[], findings: TextFindings): { name: string; file: BuildFile }[] {
  return productFiles(files).flatMap((file) => {
    const pattern = COMMANDS[file.language];
    if (pattern === undefined) return [];
    const names = findings.of('commands', file.id, (text) => {
      const all = [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))];
      return all.length === 0 || all.length > MOST_IN_A_FILE ? undefined : all;
    });
    return (names ?? []).map((name) => ({ name, file }));
  });
}
