import { TYPESCRIPT_LANGUAGES } from './typescript/language.ts';
import { PYTHON_LANGUAGE } from './python/language.ts';
import { GO_LANGUAGE } from './go/language.ts';
import { JAVA_LANGUAGE } from './java/language.ts';
import { RUST_LANGUAGE } from './rust/language.ts';
import { RUBY_LANGUAGE } from './ruby/language.ts';
import { PHP_LANGUAGE } from './php/language.ts';
import { SWIFT_LANGUAGE } from './swift/language.ts';
import { SCALA_LANGUAGE } from './scala/language.ts';
import { CSHARP_LANGUAGE } from './csharp/language.ts';
import { KOTLIN_LANGUAGE } from './kotlin/language.ts';
import { C_LANGUAGE } from './c/language.ts';
import { BASH_LANGUAGE } from './bash/language.ts';
import { COMPONENT_LANGUAGES } from './component/language.ts';
import { SQL_LANGUAGE } from './sql/language.ts';
import { MARKDOWN_LANGUAGE } from './markdown/language.ts';
import { type FileContent, isDataFile } from './facts/file-content.ts';
import { omittedKind } from '../kernel/path-kinds.ts';
import type { FileFacts } from './facts/facts.ts';
import type { LanguageDefinition, LanguageGroup, Parser, TextTraits } from './walk/language.ts';

export { hasTokens, readTokens, type Token } from './facts/source-tokens.ts';
export type { LanguageGroup, Parser } from './walk/language.ts';
export type { BuildFile, TestCommand, TestRules } from './walk/test-rules.ts';
export type { DeadCodeRules, DeclaredSymbol, Lines, LoadedModules } from './walk/dead-code-rules.ts';

/** Language of a file by its path. */
export interface FileLanguage {
  /** Display name, '' when it is not known. */
  name: string;
  /** Parser that reads it, undefined for text without symbols. */
  parser?: Parser;
  /** A programming language that nothing here reads yet: its files are searched as text. */
  isUnread?: true;
}

/** Larger files are generated or data: they are searched as text, but not parsed, and their words are not ranked. */
export const LARGEST_FILE_BYTES = 1_000_000;

/** Mean length of a line from which on a file counts as minified, in characters. */
const MINIFIED_LINE = 500;
/** Shorter texts are not minified, whatever their lines: a generated list of exports is often one line. */
const SMALLEST_MINIFIED = 20_000;
/** Length of the text that is searched for a mark of its generator, in characters. */
const MARK_WINDOW = 1_000;

const UNKNOWN: FileLanguage = { name: '' };

/** Every language that is read: what is had by language is read from here. */
export const LANGUAGES: readonly LanguageDefinition[] = [
  ...TYPESCRIPT_LANGUAGES,
  PYTHON_LANGUAGE,
  GO_LANGUAGE,
  JAVA_LANGUAGE,
  RUST_LANGUAGE,
  RUBY_LANGUAGE,
  PHP_LANGUAGE,
  SWIFT_LANGUAGE,
  SCALA_LANGUAGE,
  CSHARP_LANGUAGE,
  KOTLIN_LANGUAGE,
  C_LANGUAGE,
  BASH_LANGUAGE,
  ...COMPONENT_LANGUAGES,
  SQL_LANGUAGE,
  MARKDOWN_LANGUAGE,
];

const BY_PARSER: ReadonlyMap<Parser, LanguageDefinition> = new Map(
  LANGUAGES.map((language) => [language.parser, language]),
);

/** Extensions of files that are not read whose comments begin with `#`. */
const HASH_COMMENTS: ReadonlySet<string> = new Set('pl r yaml yml toml'.split(' '));

const UNREAD: readonly [name: string, extensions: string][] = [
  ['Clojure', 'clj cljs cljc'],
  ['Dart', 'dart'],
  ['Elixir', 'ex exs'],
  ['Erlang', 'erl hrl'],
  ['F#', 'fs fsi fsx'],
  ['Groovy', 'groovy'],
  ['Haskell', 'hs lhs'],
  ['Julia', 'jl'],
  ['Lua', 'lua'],
  ['Nim', 'nim'],
  ['OCaml', 'ml mli'],
  ['Objective-C', 'm mm'],
  ['Perl', 'pl pm'],
  ['R', 'r'],
  ['Solidity', 'sol'],
  ['Zig', 'zig'],
];

const TEXT: readonly [name: string, extensions: string, traits?: TextTraits][] = [
  ['AsciiDoc', 'adoc asciidoc', { text: 'document', content: 'prose' }],
  ['Astro', 'astro', { text: 'template', importsModules: true }],
  ['Batch', 'bat cmd'],
  ['CSS', 'css'],
  ['CSV', 'csv tsv', { content: 'data' }],
  ['GraphQL', 'graphql graphqls gql'],
  ['HTML', 'html htm xhtml', { text: 'markup' }],
  ['INI', 'ini cfg conf properties', { text: 'data', content: 'data' }],
  ['JSON', 'json json5 jsonc jsonl ndjson geojson har arb webmanifest', { text: 'data', content: 'data' }],
  ['Less', 'less'],
  ['Makefile', 'mk', { text: 'commands' }],
  ['Nix', 'nix'],
  ['PowerShell', 'ps1 psm1'],
  ['Protocol Buffers', 'proto'],
  ['SVG', 'svg', { content: 'data' }],
  ['Sass', 'sass scss'],
  ['Shell', 'fish', { text: 'commands' }],
  ['TOML', 'toml', { text: 'data', content: 'data' }],
  ['Template', 'j2 jinja jinja2 hbs mustache ejs tmpl', { text: 'template' }],
  ['Terraform', 'tf tfvars hcl', { text: 'data' }],
  ['Text', 'txt', { text: 'document', content: 'prose' }],
  ['XML', 'xml xsd xsl plist resx xlf xliff', { text: 'data', content: 'data' }],
  ['YAML', 'yaml yml', { text: 'data', content: 'data' }],
  ['gettext', 'po pot', { content: 'data' }],
  ['reStructuredText', 'rst', { text: 'document', content: 'prose' }],
];

const BY_NAME: ReadonlyMap<string, FileLanguage> = new Map<string, FileLanguage>([
  ['dockerfile', { name: 'Dockerfile' }],
  ['makefile', { name: 'Makefile' }],
  ['gnumakefile', { name: 'Makefile' }],
  ['justfile', { name: 'Makefile' }],
  ['go.mod', { name: 'Go module' }],
  ['go.sum', { name: 'Go module' }],
  ...LANGUAGES.flatMap(({ parser, names: [[name] = ['']], files = [] }) =>
    files.map((file) => [file, { name, parser }] as const),
  ),
]);

const BY_EXTENSION = byExtension();

/** Programs of a first line `#!`, by how their name starts. */
const BY_PROGRAM: readonly (readonly [program: RegExp, language: FileLanguage])[] = [
  ...LANGUAGES.flatMap(({ parser, names: [[name] = ['']], programs }) =>
    programs === undefined ? [] : [[programs, { name, parser }] as const],
  ),
  [/^fish/, { name: 'Shell' }],
  [/^perl/, { name: 'Perl', isUnread: true }],
];

/** Languages whose files are markup, or hold it. */
const MARKUP_PARSERS: ReadonlySet<Parser> = new Set(
  LANGUAGES.filter(({ isMarkup, isComponent, isProse }) => isMarkup ?? isComponent ?? isProse).map(
    ({ parser }) => parser,
  ),
);
const XML_START = /^\s*<(?:\?xml\b|!doctype\b)/i;
/** Tests of whether a text is in a format that the extension before the last one names. */
const FORMAT_TESTS: Readonly<Record<string, (text: string) => boolean>> = {
  XML: (text) => /^\s*<[a-z!]/i.test(text),
  HTML: (text) => /^\s*<[a-z!]/i.test(text),
  SVG: (text) => /^\s*<[a-z!]/i.test(text),
  JSON: isJson,
  INI: (text) => text.split('\n').every((line) => /^\s*(?:[#;!].*|\[.*\]|[\w.-]+\s*[=:].*)?\s*$/.test(line)),
};

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The first lines of snapshots, as test runners write them. */
const SNAPSHOT_MARK = /^(?:\/\/ (?:Jest|Vitest|Bun) Snapshot v\d|# serializer version: \d)/;
/** Mark of a generated file. What a tool begins for people to go on with is theirs. */
const GENERATED_MARK =
  /@generated\b|\bdo not edit\b|\bauto-?generated\b|\bgenerated by\b(?! ['"`]?(?:django-admin start|cookiecutter|create-|rails new|ng new|cargo new|npm init|yeoman))/i;

const BINARY: ReadonlySet<string> = new Set(
  (
    'png jpg jpeg gif webp avif ico bmp tif tiff psd heic pdf zip gz tgz bz2 xz zst 7z rar tar jar war class so dylib dll ' +
    'exe o a lib wasm node pyc pyo whl woff woff2 ttf otf eot mp3 mp4 m4a ogg wav flac webm mov avi sqlite db bin dat parquet'
  ).split(' '),
);

/** The definition of a language that is read. */
export function languageOf(parser: Parser): LanguageDefinition {
  const language = BY_PARSER.get(parser);
  if (language === undefined) throw new Error(`${parser} is in no list of languages`);
  return language;
}

/** The definition of the language of a path; undefined for files that are not read. */
export function definitionOf(path: string): LanguageDefinition | undefined {
  const { parser } = languageOfPath(path);
  return parser === undefined ? undefined : languageOf(parser);
}

const TRAITS: ReadonlyMap<string, TextTraits> = new Map([
  ...[...LANGUAGES.flatMap(({ names }) => names), ...TEXT].flatMap(([name, , traits]) =>
    traits === undefined ? [] : [[name, traits] as const],
  ),
  ['Dockerfile', { text: 'commands' }],
  ['Go module', { content: 'data' }],
]);

/** Returns the traits of the files of a language as texts, by its display name. */
export function traitsOf(language: string): TextTraits {
  return TRAITS.get(language) ?? {};
}

/**
 * Returns the content of a text file: by its format, and for code by its syntax. `facts` are those of its parser; a file of
 * code without them is code.
 */
export function contentOf(
  language: string,
  facts: Pick<FileFacts, 'literalLines' | 'codeLines' | 'metrics'> | undefined,
): FileContent {
  const { content } = traitsOf(language);
  if (content !== undefined) return content;
  if (facts === undefined) return 'code';
  const { literalLines, codeLines, metrics } = facts;
  return isDataFile({ literalLines, codeLines, functions: metrics.count }) ? 'data' : 'code';
}

/** Collects a value of each language, by its display names. */
export function readByName<Value>(
  read: (language: LanguageDefinition) => Value | undefined,
): ReadonlyMap<string, Value> {
  const byName = new Map<string, Value>();
  for (const language of LANGUAGES) {
    const value = read(language);
    if (value !== undefined) for (const [name] of language.names) byName.set(name, value);
  }
  return byName;
}

/** Languages of which something holds, by the names that people read. */
export function namesOfLanguages(has: (language: LanguageDefinition) => boolean): ReadonlySet<string> {
  return new Set(LANGUAGES.filter(has).flatMap(({ names }) => names.map(([name]) => name)));
}

/** Extensions of code that is read, without dots. */
export function codeExtensions(): string[] {
  return LANGUAGES.filter(({ isProse }) => isProse !== true).flatMap(({ names }) =>
    names.flatMap(([, extensions]) => extensions.split(' ')),
  );
}

/** True if a file only passes on what others define, by its name. */
export function isBarrel(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return LANGUAGES.some(({ barrels }) => barrels?.test(name) === true);
}

/** True if `#` starts a comment in a file. */
export function hasHashComments(path: string): boolean {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return definitionOf(path)?.hasHashComments ?? HASH_COMMENTS.has(extension);
}

/** The family of languages whose files can name each other that what is read so belongs to. */
export function groupOf(parser: Parser): LanguageGroup;
export function groupOf(parser: Parser | undefined): LanguageGroup | undefined;
export function groupOf(parser: Parser | undefined): LanguageGroup | undefined {
  // Only forms of a language have another group, which they name.
  return parser === undefined ? undefined : (languageOf(parser).group ?? (parser as LanguageGroup));
}

/** The families whose names files of a family see: its own, and the one that it shares names with. */
export function listVisibleGroups(group: LanguageGroup): ReadonlySet<LanguageGroup> {
  const { sharesNamesWith } = languageOf(group);
  return new Set(sharesNamesWith === undefined ? [group] : [group, sharesNamesWith]);
}

/** The language of a path alone. Files without an extension may tell by their first line: see `languageOfText`. */
export function languageOfPath(path: string): FileLanguage {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const first = name.indexOf('.');
  const language = BY_NAME.get(name) ?? (name.startsWith('dockerfile') ? BY_NAME.get('dockerfile') : undefined);
  if (language !== undefined || first === -1) return language ?? UNKNOWN;
  const last = name.lastIndexOf('.');
  const double = name.lastIndexOf('.', last - 1);
  const long = double === -1 ? undefined : BY_EXTENSION.get(name.slice(double + 1));
  return long ?? BY_EXTENSION.get(name.slice(last + 1)) ?? UNKNOWN;
}

/**
 * The language of a file whose text is at hand. The first line of one without an extension says it (`#!/usr/bin/env python3`). What
 * an extension says is wrong where the text is plainly of a format of data: translations by Qt (`app_de.ts`) are XML, and so is
 * `strings.xml.ru`, whose last extension names a human language.
 */
export function languageOfText(path: string, text: string): FileLanguage {
  const hasExtension = path.includes('.', path.lastIndexOf('/') + 1);
  if (hasExtension) {
    const language = languageOfPath(path);
    return isOfMarkup(language) ? language : (formatOfText(path, text) ?? language);
  }
  const fromPath = languageOfPath(path);
  if (fromPath.name !== '' || !text.startsWith('#!')) return fromPath;
  const line = text.slice(2, text.indexOf('\n') === -1 ? 200 : text.indexOf('\n'));
  const words = line
    .trim()
    .split(/\s+/)
    .map((word) => word.slice(word.lastIndexOf('/') + 1));
  const program = words[0] === 'env' ? words.find((word) => word !== 'env' && !word.startsWith('-')) : words[0];
  return BY_PROGRAM.find(([start]) => start.test(program ?? ''))?.[1] ?? UNKNOWN;
}

/** Reports whether the files of a language may begin as XML does, or are no code that something reads. */
function isOfMarkup({ parser }: FileLanguage): boolean {
  return parser === undefined || MARKUP_PARSERS.has(parser);
}

/** The format of data that a text is in, whatever its last extension; undefined where it may be code. */
function formatOfText(path: string, text: string): FileLanguage | undefined {
  if (XML_START.test(text)) return BY_EXTENSION.get('xml');
  const [inner = ''] = path.toLowerCase().split('.').slice(-2, -1);
  const format = path.includes('/', path.lastIndexOf(`.${inner}.`)) ? undefined : BY_EXTENSION.get(inner);
  const fits = format === undefined ? undefined : FORMAT_TESTS[format.name];
  return fits?.(text) === true ? format : undefined;
}

/** True if a tool wrote the file, or it is a copy of somebody else's: by its path, its name, or its head. */
export function isGenerated(path: string, text: string): boolean {
  return omittedKind(path) !== undefined || SNAPSHOT_MARK.test(text) || GENERATED_MARK.test(text.slice(0, MARK_WINDOW));
}

/** True if a path is that of an image, archive, program or the like, whose bytes need not be read. */
export function isBinaryPath(path: string): boolean {
  return BINARY.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

/** Reports whether a text is minified: longer than a screenful, in lines that nobody reads. */
export function isMinified(text: string, lines: number): boolean {
  return text.length >= SMALLEST_MINIFIED && text.length / lines > MINIFIED_LINE;
}

function byExtension(): ReadonlyMap<string, FileLanguage> {
  const languages = new Map<string, FileLanguage>();
  const add = (extensions: string, language: FileLanguage): void => {
    for (const extension of extensions.split(' ')) languages.set(extension, language);
  };
  for (const [name, extensions] of TEXT) add(extensions, { name });
  for (const [name, extensions] of UNREAD) add(extensions, { name, isUnread: true });
  for (const { parser, names } of LANGUAGES) for (const [name, extensions] of names) add(extensions, { name, parser });
  return languages;
}
