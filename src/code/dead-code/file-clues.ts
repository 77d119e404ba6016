import { type Lines, type LoadedModules, traitsOf } from '../../languages/languages.ts';
import { wordsOf } from '../../text/words.ts';
import { type BuildEntry, namedEntries } from '../entries/package-entries.ts';
import { rulesOf } from './conventions.ts';
import {
  builtNames,
  codeWords,
  marksOf,
  namedByPath,
  namedInCommands,
  namesInStrings,
  quotedNames,
  templateWords,
  type WholeModules,
  wholeModules,
} from './text.ts';

/** Files that say what is built and run; a path in quotes there is an entry. */
const BUILD_FILE =
  /(^|\/)([\w.-]+\.(config|conf|build|bundle)(\.[\w-]+)*|build|rollup|gulpfile|esbuild|package|wrangler|vercel|deno|jsr|project)\.([cm]?[jt]s|jsonc?|ya?ml|toml)$/i;

/** Fewer declarations without a body are part of a program. */
const LEAST_DECLARED = 10;

/** Bits of the marks of a symbol. */
export const Mark = { registered: 1, described: 2, inBlock: 4, traitMethod: 8, overriding: 16 } as const;

/** Clues in one text: plain data that its path, language, text and the lines of its symbols alone decide. What is absent is not there. */
export interface FileClues {
  /** Words in strings and data. */
  quoted?: string[];
  /** Words in templates, components and bodies of macros. */
  inTemplates?: string[];
  /** Words that a document for people marks as code. */
  documented?: string[];
  /** Parts of names that are put together. */
  prefixes?: string[];
  suffixes?: string[];
  /** Symbols that are named by the path of their module. */
  byPath?: string[];
  modules?: WholeModules;
  isTypings?: true;
  loadedModules?: LoadedModules;
  buildEntries?: BuildEntry[];
  isProgram?: true;
  conditional?: string[];
  takesSubclasses?: true;
  /** Bits of `Mark` of each symbol in order. */
  marks?: number[];
}

/** `lines` are those of the symbols of the file, from 1. */
export function cluesOfText(
  { path, language }: { path: string; language: string },
  text: string,
  lines: Int32Array,
): FileClues {
  const [rules, traits] = [rulesOf(language), traitsOf(language)];
  const clues: FileClues = { ...wordsIn(language, text) };
  const byPath = new Set<string>();
  if (rules?.quotesModulePaths === true || traits.text === 'data' || /\bMETA-INF\//.test(path))
    for (const name of namedByPath(text)) byPath.add(name);
  if (traits.text === 'commands' || /(^|\/)Procfile$/.test(path))
    for (const name of namedInCommands(text)) byPath.add(name);
  if (byPath.size > 0) clues.byPath = [...byPath];
  if (traits.importsModules === true) {
    clues.modules = wholeModules(text);
    if (isTypings(text)) clues.isTypings = true;
  }
  const loaded = rules?.loadedModules?.(text);
  if (loaded !== undefined) clues.loadedModules = loaded;
  if (BUILD_FILE.test(path)) clues.buildEntries = namedEntries(text);
  if (rules?.programs?.text.test(text) === true) clues.isProgram = true;
  const conditional = rules?.conditionalPaths?.(path, text) ?? [];
  if (conditional.length > 0) clues.conditional = conditional;
  if (rules?.registersSubclasses?.test(text) === true) clues.takesSubclasses = true;
  const marks = rules === undefined ? [] : marksIn(language, text, lines);
  if (marks.some((bits) => bits !== 0)) clues.marks = marks;
  return clues;
}

function wordsIn(language: string, text: string): FileClues {
  const kind = traitsOf(language).text;
  const [quoted, inTemplates, documented] = [new Set<string>(), new Set<string>(), new Set<string>()];
  if (kind === 'template' || kind === 'markup') addAll(inTemplates, templateWords(kind === 'markup', text));
  else if (kind === 'data') addAll(quoted, wordsOf(text, 'asciiName'));
  else if (kind === 'document') addAll(documented, codeWords(text));
  else for (const names of [quotedNames(text), namesInStrings(text)]) addAll(quoted, names);
  const rules = rulesOf(language);
  if (rules?.looseNames !== undefined) addAll(inTemplates, rules.looseNames(text));
  const { prefixes, suffixes } = rules === undefined ? { prefixes: [], suffixes: [] } : builtNames(text);
  return {
    ...(quoted.size > 0 && { quoted: [...quoted] }),
    ...(inTemplates.size > 0 && { inTemplates: [...inTemplates] }),
    ...(documented.size > 0 && { documented: [...documented] }),
    ...(prefixes.length > 0 && { prefixes }),
    ...(suffixes.length > 0 && { suffixes }),
  };
}

function addAll(into: Set<string>, words: Iterable<string>): void {
  for (const word of words) into.add(word);
}

function marksIn(language: string, text: string, symbolLines: Int32Array): number[] {
  if (symbolLines.length === 0) return [];
  const lines = linesOf(text);
  const [rules, { importsModules }] = [rulesOf(language), traitsOf(language)];
  const registers = (index: number): boolean => marksOf(lines, index) === 'registers';
  return Array.from(symbolLines, (symbolLine) => {
    const line = symbolLine - 1;
    const marks = marksOf(lines, line);
    const isForeign = rules?.isForeign?.(lines, line, registers) === true;
    return (
      (marks === 'registers' || isForeign ? Mark.registered : 0) |
      (marks === 'harmless' ? Mark.described : 0) |
      (importsModules === true && isInside(lines.at(line) ?? '') ? Mark.inBlock : 0) |
      (rules?.isTraitMethod?.(lines, line) === true ? Mark.traitMethod : 0) |
      (saysOverride(lines, line) ? Mark.overriding : 0)
    );
  });
}

/** True if most of what a script exports is declared only. */
function isTypings(text: string): boolean {
  if (!text.includes('declare ')) return false;
  const declared = text.match(/^(?:export )?declare /gm)?.length ?? 0;
  return declared >= LEAST_DECLARED && declared * 2 > (text.match(/^export /gm)?.length ?? 0);
}

/** True if a method says that it overrides another one: `@Override`, `@override`, `override run() {`. */
function saysOverride(lines: Lines, index: number): boolean {
  for (let at = index; at >= 0; at -= 1) {
    const line = (lines.at(at) ?? '').trim();
    if (at !== index && !line.startsWith('@')) return false;
    if (/^@(?:\w+\.)?[oO]verride\b|^(?:[\w@]+ )*override\s/.test(line)) return true;
  }
  return false;
}

/** Words that a declaration begins with, wherever its value goes on. */
const DECLARES =
  /^(?:export|import|async|function|class|abstract|declare|const|let|var|using|type|interface|enum|namespace|module|@)/;
/** A function or class with a name that is a value: `page.layout = function layout() {`, `run(function start() {`. */
const NAMED_VALUE = /\b(?:function\s*\*?|class)\s+[\w$]/;

/** True if what begins on the line of a script is in a block, or is a value with a name of its own. */
function isInside(line: string): boolean {
  if (/^\s|^declare (?:module|global)\b/.test(line)) return true;
  const value = /^export default (?!(?:async\s+)?function\b|(?:abstract\s+)?class\b)(.*)$/.exec(line)?.[1];
  return NAMED_VALUE.test(value ?? (DECLARES.test(line) ? '' : line));
}

/** Lines that are cut out of the text when they are asked for: most never are. */
function linesOf(text: string): Lines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    at: (index) => {
      const start = starts[index];
      return start === undefined ? undefined : text.slice(start, (starts[index + 1] ?? text.length + 1) - 1);
    },
  };
}
