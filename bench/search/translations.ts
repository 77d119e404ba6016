import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** A text of an interface in another language, and in English. */
export type Pair = readonly [foreign: string, english: string];

/** A public project whose interface is translated: where, at which commit, and in which format. */
export interface Translated {
  repository: string;
  commit: string;
  /** `{}` stands for the language. The other of two files holds English, where one file does not hold both. */
  files: { pattern: string; format: 'po' | 'xlf' | 'ts' | 'php'; english?: string }[];
}

/** The texts of a project in a language, without what changes from use to use. */
export function readPairs(mirror: string, { repository, commit, files }: Translated, language: string): Pair[] {
  const gitDir = join(mirror, repository.replace('/', '+'), 'repo');
  const git = (...args: string[]): string =>
    execFileSync('git', ['--git-dir', gitDir, ...args], { maxBuffer: 1e8, encoding: 'utf8' });
  const paths = git('ls-tree', '-r', '--name-only', commit).split('\n');
  return files.flatMap(({ pattern, format, english }) => {
    const named = new RegExp(`^${pattern.replace('{}', language)}$`);
    return paths
      .filter((path) => named.test(path))
      .flatMap((path) => {
        const text = git('show', `${commit}:${path}`);
        if (format !== 'php') return PARSERS[format](text);
        const other = path.replace(new RegExp(`^lang/${language}/`), english ?? '');
        return paths.includes(other) ? joinPairs(text, git('show', `${commit}:${other}`)) : [];
      });
  });
}

const PARSERS: Record<'po' | 'xlf' | 'ts', (text: string) => Pair[]> = {
  po: (text) =>
    text.split(/\n\s*\n/).flatMap((entry): Pair[] => {
      if (/^#,.*fuzzy/m.test(entry) || /^#~/m.test(entry)) return [];
      const english = poText(entry, 'msgid');
      const foreign = poText(entry, 'msgstr') || poText(entry, String.raw`msgstr\[0\]`);
      return english === '' || foreign === '' ? [] : [[foreign, english]];
    }),
  xlf: (text) => pairsBetween(text, /<source>([\s\S]*?)<\/source>\s*<target[^>]*>([\s\S]*?)<\/target>/g),
  ts: (text) =>
    pairsBetween(
      text,
      /<source>([\s\S]*?)<\/source>(?:(?!<source>)[\s\S])*?<translation(?! type)[^>]*>([\s\S]*?)<\/translation>/g,
    ),
};

function poText(entry: string, key: string): string {
  const lines = new RegExp(`^${key} ((?:"(?:[^"\\\\]|\\\\.)*"\\s*)+)`, 'm').exec(entry)?.[1] ?? '';
  return Array.from(lines.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, part = '']) =>
    part.replaceAll(/\\n/g, ' ').replaceAll(/\\(.)/g, '$1'),
  ).join('');
}

function pairsBetween(text: string, pattern: RegExp): Pair[] {
  return Array.from(text.matchAll(pattern), ([, english = '', foreign = '']) => [
    plainText(foreign),
    plainText(english),
  ]);
}

function plainText(xml: string): string {
  const marks: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", amp: '&' };
  return xml
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|quot|apos|#39|amp);/g, (_, name: string) => marks[name] ?? ' ');
}

function joinPairs(foreign: string, english: string): Pair[] {
  const known = phpTexts(english);
  return [...phpTexts(foreign)].flatMap(([key, text]): Pair[] => {
    const other = known.get(key);
    return other === undefined ? [] : [[text, other]];
  });
}

function phpTexts(php: string): Map<string, string> {
  const lines = php.matchAll(/'([\w-]+)'\s*=>\s*'((?:[^'\\]|\\.)*)'/g);
  return new Map(Array.from(lines, ([, key = '', text = '']) => [key, text]));
}
