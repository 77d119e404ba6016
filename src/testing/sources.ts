import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeExtensions, LANGUAGES } from '../languages/languages.ts';

/** A file of code, read and scanned once. Paths are from the root of the checkout, with `/`. */
interface Source {
  file: string;
  text: string;
  lines: number;
  /** True if it is a test, or serves tests only. */
  isTest: boolean;
  imports: Import[];
  /** Every path from the file that it names, imported or not. */
  paths: string[];
  /** Names that it declares and exports. */
  exports: string[];
}

interface Import {
  /** The file that is named. */
  to: string;
  /** The statement without the path: `import type { Page } from `; undefined where it is loaded when it is needed. */
  statement: string | undefined;
}

/** A path from the file that names it, and its prefix when it is imported. */
const PATH = /(?:(\bfrom |\bimport |\bimport\(\s*))?'(\.{1,2}\/[^'\n]+)'/g;
const EXPORTED = /^export (?:declare )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;

/** Names of parsers, as a string. What is had by language is read from `languages.ts`, or from a record that has each as a key. */
const LANGUAGE_NAME = new RegExp(`(?<!from )'(${LANGUAGES.map(({ parser }) => parser).join('|')})'`, 'g');
const SHOWN = LANGUAGES.flatMap(({ names }) => names.map(([name]) => name.replaceAll('+', String.raw`\+`))).join('|');
/** The name of a language that people read, as a string, in a query, or as the key of a record. */
const SHOWN_NAME = new RegExp(`'(${SHOWN})'|^ +(${SHOWN}): `, 'gm');
/** The ending of any file, as a string or in a pattern: `'.go'`, `/\.rs$/`, `\.(?:java|kt)`. Names of files are not meant. */
const ENDING = /'\.([\w.+]+)'|(?<![\w\])?+:(])\\\.(\(\?:[^()\n]+\)(?!\w)|\w+)/g;
const EXTENSIONS: ReadonlySet<string> = new Set(codeExtensions());

/** The files of code below a folder of the checkout, tests and declarations too. */
export function readSources(root: string, folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('node_modules'))
    .map((name) => scan(join(folder, name), readFileSync(join(root, folder, name), 'utf8')));
}

function scan(file: string, text: string): Source {
  const imports: Import[] = [];
  const paths: string[] = [];
  const folder = dirname(file);
  for (const { index, 1: keyword, 2: path = '' } of text.matchAll(PATH)) {
    const to = join(folder, path);
    paths.push(to);
    if (keyword === undefined) continue;
    const start = Math.max(text.lastIndexOf('\nimport ', index), text.lastIndexOf('\nexport ', index), -1);
    imports.push({ to, statement: keyword.startsWith('import(') ? undefined : text.slice(start + 1, index) });
  }
  return {
    file,
    text,
    lines: text.split('\n').length - 1,
    isTest: /\.test\.tsx?$/.test(file) || file.startsWith('src/testing/'),
    imports,
    paths,
    exports: Array.from(text.matchAll(EXPORTED), ([, name = '']) => name),
  };
}

/** Exports of the files of `of` that no other file names, as `<file> exports <name>`. */
export function unusedExports(of: readonly Pick<Source, 'file' | 'exports'>[], all: readonly Source[]): string[] {
  const named = new Map<string, Set<string>>();
  // What is loaded when it is needed, or as a whole, is named further below, or by who asks for it by name.
  const loaded = new Map<string, string[]>();
  for (const { text, imports } of all)
    for (const { to, statement } of imports) {
      if (statement === undefined || statement.includes('*')) loaded.set(to, [...(loaded.get(to) ?? []), text]);
      else named.set(to, (named.get(to) ?? new Set()).union(new Set(statement.split(/\W+/))));
    }
  const isNamed = (file: string, name: string): boolean => {
    if (named.get(file)?.has(name) === true) return true;
    const texts = loaded.get(file);
    if (texts === undefined) return false;
    const word = new RegExp(`\\b${name}\\b`);
    const slice = file.split('/', 2).join('/');
    const isNear = (other: Source): boolean => other.file !== file && other.file.startsWith(`${slice}/`);
    return texts.some((text) => word.test(text)) || all.some((other) => isNear(other) && word.test(other.text));
  };
  return of.flatMap(({ file, exports }) =>
    exports.filter((name) => !isNamed(file, name)).map((name) => `${file} exports ${name}`),
  );
}

/** Languages by the names that people read. */
export function languagesShownIn(text: string): string[] {
  return Array.from(text.matchAll(SHOWN_NAME), ([, quoted, key]) => quoted ?? key ?? '');
}

/** Names and endings of files of languages. */
export function languagesIn(text: string): string[] {
  const endings = Array.from(text.matchAll(ENDING), ([, plain, pattern = '']) =>
    plain === undefined ? pattern.replaceAll(/^\(\?:|[?)]/g, '').split('|') : [plain],
  );
  return [
    ...Array.from(text.matchAll(LANGUAGE_NAME), ([, name = '']) => name),
    ...endings.flat().filter((ending) => EXTENSIONS.has(ending)),
  ];
}
