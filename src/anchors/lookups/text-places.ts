import { sha256 } from '../../kernel/ids.ts';
import { createHash } from 'node:crypto';
import { hasHashComments } from '../../languages/languages.ts';

/** Shingles that a sketch keeps, and their length in tokens; bodies with fewer tokens than `SHORTEST` have none. */
const SKETCH_SIZE = 24;
const SHINGLE_TOKENS = 5;
const SHORTEST = 16;
/** Lines that the parameters of a member may take. */
const MOST_PARAMETER_LINES = 40;
/** Longest body that is read, in lines. */
const LONGEST_BODY = 2_000;
/** Pattern of the words before the name of a member: modifiers and types, not words that make it a call. */
const MODIFIERS = String.raw`(?:(?!return\b|await\b|new\b|else\b|throw\b)[\w$<>\[\],.?&*@]+\s+)*`;
/** Marks hashes that were made of text, without a parser. */
const PREFIX = 'text:';

/** A thing in a text that is written like a definition. */
interface TextLocation {
  name: string;
  /** Definitions around it by indentation, outermost first, as far as they are written like one too. */
  scope: string[];
  line: number;
  syntax: string;
  sketch: number[];
  /** Its lines, as they are written. */
  body: string[];
}

/** True if a hash was made of text: it cannot be compared with one of syntax. */
export function isTextSyntax(syntax: string | null): boolean {
  return syntax?.startsWith(PREFIX) === true;
}

/**
 * Definitions of a name that the index does not have as symbols: functions in functions, members of object literals,
 * functions that are assigned. Found by how their line is written; a body ends where the indentation does. The hash is
 * over its words and signs: white space, comments, quotes and trailing commas do not count.
 */
export function textPlaces(lines: readonly string[], name: string, path: string): TextLocation[] {
  const patterns = definitionsOf(name);
  return lines.flatMap((line, index) => {
    if (!line.includes(name) || !(patterns.some((pattern) => pattern.test(line)) || opensMember(lines, index, name)))
      return [];
    const body = bodyAt(lines, index);
    const tokens = tokensOf(body.join('\n'), path);
    const syntax = PREFIX + sha256(tokens.join('\0')).slice(0, 16);
    return [{ name, scope: scopeOf(lines, index), line: index + 1, syntax, sketch: sketchOf(tokens), body }];
  });
}

function definitionsOf(name: string): RegExp[] {
  const word = `(?<![\\w$.#])#?['"]?${name.replaceAll(/[^\w]/g, String.raw`\$&`)}['"]?(?![\\w$])`;
  const member = word.replace('(?<![\\w$.#])', '(?<![\\w$])');
  return [
    // Declared by a keyword.
    new RegExp(
      String.raw`\b(?:function\s*\*?|def|fn|func|fun|class|interface|struct|trait|type|enum|const|let|var)\s+(?:\([^)]*\)\s*)?${word}`,
    ),
    // A member: modifiers and types, the name, parameters, the beginning of a body.
    new RegExp(
      String.raw`^\s*${MODIFIERS}${word}\s*(?:<[^>]*>)?\s*\((?:[^()]|\([^()]*\))*\)\s*(?:(?::|->|throws\b)[^{;]*)?\{`,
    ),
    // A function as the value of a property, a variable or a member.
    new RegExp(String.raw`${member}\s*[:=]\s*(?:async\b\s*)?(?:function\b|\(|<|[\w$]+\s*=>)`),
  ];
}

/** True if a member begins on a line whose parameters are on lines of their own, up to `) {`. */
function opensMember(lines: readonly string[], index: number, name: string): boolean {
  const line = lines[index] ?? '';
  const head = line.trimEnd();
  if (!head.endsWith(`${name}(`) || !new RegExp(`^\\s*${MODIFIERS}$`).test(head.slice(0, -name.length - 1)))
    return false;
  const indent = indentOf(line);
  const close = lines
    .slice(index + 1, index + MOST_PARAMETER_LINES)
    .find((before) => before.trim() !== '' && indentOf(before) <= indent);
  return close !== undefined && /^\s*\).*\{\s*$/.test(close);
}

/** The lines of the body that begins on a line: up to where the indentation comes back, closing brackets included. */
function bodyAt(lines: readonly string[], start: number): string[] {
  const indent = indentOf(lines[start] ?? '');
  let end = start + 1;
  for (let at = start + 1; at < Math.min(lines.length, start + LONGEST_BODY); at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    if (indentOf(line) > indent) {
      end = at + 1;
      continue;
    }
    if (!/^\s*(?:[)\]}]|end\b)/.test(line)) break;
    end = at + 1;
    // A head over several lines ends with a bracket too, and opens the body.
    if (!/[:{(]\s*$|=>\s*$/.test(line)) break;
  }
  return lines.slice(start, end);
}

function scopeOf(lines: readonly string[], start: number): string[] {
  const scope: string[] = [];
  let indent = indentOf(lines[start] ?? '');
  for (let at = start - 1; at >= 0 && indent > 0; at -= 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || indentOf(line) >= indent || /^\s*[)\]}]/.test(line)) continue;
    indent = indentOf(line);
    const [, name] =
      /(?:\b(?:function\s*\*?|def|fn|func|fun|class|interface|struct|trait|impl|enum|const|let|var)\s+|^\s*(?:[\w$]+\s+)*)([A-Za-z_$][\w$]*)/.exec(
        line,
      ) ?? [];
    if (name !== undefined && !/^(?:if|for|while|switch|return|else|try|with|match)$/.test(name)) scope.unshift(name);
  }
  return scope;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The words and signs of a text, without comments; quotes and trailing commas are one. */
export function tokensOf(text: string, path: string): string[] {
  const comments = hasHashComments(path) ? /(?<!["'\w])#[^\n]*/g : /\/\*[\s\S]*?\*\/|(?<![:"'`\\])\/\/[^\n]*/g;
  const words = text.replaceAll(comments, ' ').match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
  return words
    .filter((word, at) => word !== ';' && !(word === ',' && /^[)\]}]$/.test(words[at + 1] ?? '')))
    .map((word) => (word === "'" || word === '`' ? '"' : word));
}

function sketchOf(tokens: readonly string[]): number[] {
  if (tokens.length < SHORTEST) return [];
  const shingles = new Set<number>();
  for (let at = SHINGLE_TOKENS; at <= tokens.length; at += 1) {
    const digest = createHash('sha256')
      .update(tokens.slice(at - SHINGLE_TOKENS, at).join('\0'))
      .digest();
    shingles.add(digest.readInt32BE(0));
  }
  return [...shingles].toSorted((a, b) => a - b).slice(0, SKETCH_SIZE);
}
