import { LANGUAGES } from '../../src/languages/languages.ts';
import type { LanguageDefinition } from '../../src/languages/walk/language.ts';
import { code, table } from './markdown.ts';

const HEAD = ['language', 'files', 'parser', 'overloads apart', 'dead code', 'runs tests'];
const OWN_PARSERS = new Set(['sql', 'markdown']);

/** Returns the table of the languages and their abilities, from their declarations. */
export function languageTable(): string {
  // The forms of a language (declaration files, JSX) are one row.
  const rows = Map.groupBy(LANGUAGES.flatMap(rowsOf), ({ name }) => name);
  const lines = Array.from(rows, ([name, parts]) => {
    const files = parts.flatMap((part) => part.files).map(code);
    return [name, files.join(' '), parts[0]?.parser ?? '', ...(parts[0]?.abilities ?? [])];
  });
  return table(HEAD, lines);
}

interface Row {
  name: string;
  files: string[];
  parser: string;
  abilities: string[];
}

function rowsOf(language: LanguageDefinition): Row[] {
  const { names, files = [], hasOverloads, deadCode, privateCode, tests } = language;
  const dead = deadCode !== undefined ? 'all' : privateCode !== undefined ? 'private' : '';
  const abilities = [hasOverloads === true ? 'yes' : '', dead, tests === undefined ? '' : 'yes'];
  return names.map(([name, extensions], index) => ({
    name,
    files: [...extensions.split(' ').map((extension) => `.${extension}`), ...(index === 0 ? files : [])],
    parser: parserOf(language),
    abilities,
  }));
}

function parserOf({ parser, reader, group }: LanguageDefinition): string {
  if ('tree' in reader) return 'tree-sitter';
  if (OWN_PARSERS.has(parser)) return 'own';
  return group === undefined || parser === 'declaration' || parser === 'tsx' || parser === 'javascript'
    ? 'oxc'
    : 'oxc, own';
}
