import { Field } from '../walk/tree.ts';
import { sameFor, skip } from '../walk/tree-walk.ts';
import { RUBY_CALLS, RUBY_EXPRESSIONS } from './expressions.ts';
import { RUBY_DEFINITIONS } from './definitions.ts';
import { either, tableExtractor } from '../walk/table-walk.ts';
import { literal, transparent } from '../walk/tree-handlers.ts';

/** Start of a heredoc, with its quotes and its label. Behind a name or a number `<<` appends, unless a `~` or `-` follows. */
const OPENER = /(?:<<[~-]|(?<![\w)\]}]\s*)<<)(?<quote>["'`]?)(?<label>[A-Z_a-z]\w*)\k<quote>/y;
/** Literals that hide what is in them; one with code inside is read up to that. */
const OPAQUE = /'(?:[^'\\]|\\.)*'|"(?:[^"\\#\n]|\\.|#(?!\{))*"|\?["'#]|\$["']/y;
/** Interpolations nest no deeper in code that people write. */
const DEEPEST = 50;

interface Heredoc {
  label: string;
  hasCode: boolean;
  /** It is in the code of another one. */
  isNested: boolean;
}

/**
 * A text of the same length in which a heredoc inside of the interpolation of another one, which the grammar does not
 * know, is an empty string, with the code that it interpolates as statements below. Linear in the text.
 */
function rewriteRuby(text: string): string {
  if (!/<<[~-]?["'`]?[A-Z_a-z]/.test(text) || !text.includes('#{')) return text;
  const written = text.split('');
  readCode({ text, written }, 0, 0);
  return written.join('');
}

interface Source {
  text: string;
  written: string[];
}

function write({ written }: Source, start: number, part: string): void {
  for (let index = 0; index < part.length; index += 1) written[start + index] = part[index] ?? ' ';
}

/** Reads code from an offset to the `}` that closes it, or to the end when it is in no heredoc, and gives the offset there. */
function readCode(source: Source, from: number, depth: number): number {
  const { text } = source;
  const waiting: Heredoc[] = [];
  let open = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? '';
    OPAQUE.lastIndex = OPENER.lastIndex = at;
    const opener = character === '<' ? OPENER.exec(text) : null;
    if (opener !== null) {
      const { label = '', quote = '' } = opener.groups ?? {};
      waiting.push({ label, hasCode: quote !== "'", isNested: depth > 0 });
      if (depth > 0) write(source, at, '""'.padEnd(opener[0].length));
      at += opener[0].length - 1;
    } else if (OPAQUE.test(text)) at = OPAQUE.lastIndex - 1;
    else if (character === '#' && text[at + 1] !== '{') at = endOfLine(text, at) - 1;
    else if (character === '{') open += 1;
    else if (character === '}') {
      if (depth > 0 && open === 0) return at;
      open = Math.max(0, open - 1);
    } else if (character === '\n')
      for (const heredoc of waiting.splice(0)) at = readBody(source, at + 1, { heredoc, depth }) - 1;
  }
  return text.length;
}

/** Reads the body of a heredoc from the start of its first line, and gives the end of the line with its label. */
function readBody(source: Source, from: number, { heredoc, depth }: { heredoc: Heredoc; depth: number }): number {
  const { text } = source;
  const { label, hasCode, isNested } = heredoc;
  for (let at = from; at < text.length;) {
    const end = endOfLine(text, at);
    const isLast = text.slice(at, end).trim() === label;
    const code = hasCode && !isLast && depth < DEEPEST ? text.indexOf('#{', at) : -1;
    const next = code !== -1 && code < end ? code : end;
    if (isNested) write(source, at, ' '.repeat(next - at));
    if (isLast) return end;
    if (next === code) {
      at = readCode(source, code + 2, depth + 1) + 1;
      if (isNested) {
        write(source, code, '; ');
        write(source, at - 1, ';');
      }
    } else at = end + 1;
  }
  return text.length;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/**
 * Ruby. Methods and constants are members of their class or module; `attr_reader` and its like, variables of instances
 * (`@x`) and members of `Struct.new` are properties. `C.new` is an instance of C. What a method ends with is what it
 * returns. A module may be `module` as well as a base (`include`); what `extend` gives is a `spread` facet.
 * `require_relative 'x'` is a module reference `./x`, `require 'x'` one of `x`.
 */
export const RUBY = tableExtractor({
  language: 'ruby',
  visits: {
    ...RUBY_DEFINITIONS,
    ...RUBY_CALLS,
    ...RUBY_EXPRESSIONS,
    parenthesized_statements: transparent,
    ...Object.fromEntries(['begin', 'then', 'block_body'].map((type) => [type, transparent])),
    if: either(Field.consequence, Field.alternative),
    unless: either(Field.consequence, Field.alternative),
    conditional: either(Field.consequence, Field.alternative),
    string: literal('String'),
    integer: literal('Integer'),
    float: literal('Float'),
    simple_symbol: literal('Symbol'),
    true: literal('Boolean'),
    false: literal('Boolean'),
    ...sameFor('nil hash_key_symbol global_variable', skip),
  },
  kinds: [
    'block_argument argument_list block_parameters lambda_parameters method_parameters left_assignment_list',
    'destructured_parameter keyword_parameter optional_parameter splat_parameter hash_splat_parameter',
    'block_parameter string_content exception_variable rest_assignment destructured_left_assignment bare_symbol',
    'superclass setter',
  ],
  roles: {
    branch: 'if unless',
    elseBranch: 'elsif',
    otherwise: 'else',
    ternary: 'if_modifier unless_modifier conditional',
    loop: 'while_modifier until_modifier while until for',
    catch: 'rescue rescue_modifier',
    switch: 'case case_match',
    case: 'when in_clause',
    binary: 'binary',
    closure: 'block do_block',
    none: 'lambda',
  },
  operators: ['"&&"', '"||"', '"and"', '"or"'],
  rewrite: rewriteRuby,
  comments: { documentation: /^=begin/, ordinary: /^#(!|\s*(frozen_string_literal|encoding|rubocop|typed|:nodoc:))/ },
});
