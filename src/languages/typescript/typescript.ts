import {
  parseSync,
  type ParserOptions,
  type Program,
  rawTransferSupported,
  type Comment as SourceComment,
  visitorKeys,
} from 'oxc-parser';
import { FactsBuilder } from '../facts/facts-builder.ts';
import { CommentKind, type FileFacts, type Language, ScopeKind } from '../facts/facts.ts';
import { readClass } from './classes.ts';
import { markExported } from './exports.ts';
import { readExpression, readUsed } from './expressions.ts';
import { readFunction } from './functions.ts';
import { readJsx } from './jsx.ts';
import { countCodeLines } from './metrics.ts';
import { readParameters } from './patterns.ts';
import { readStatement, readStatements } from './statements.ts';
import { readSignature, readType, readTypeParameters } from './types.ts';
import { newFrame, type Visitors, type Walk } from './walk.ts';

/** Languages whose files are read with oxc. */
export type ScriptLanguage = Extract<Language, 'typescript' | 'tsx' | 'javascript'>;

/** The text nests deeper than the parser can follow without risk to the process. */
export class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

/** Open brackets at a time: the parser's stack holds some thousand levels, and it dies with the process when it overflows. */
const DEEPEST_BRACKETS = 1000;

const VISITORS: Visitors = {
  expression: readExpression,
  used: readUsed,
  type: readType,
  typeParameters: readTypeParameters,
  signature: readSignature,
  statement: readStatement,
  block: readStatements,
  parameters: readParameters,
  function: readFunction,
  class: readClass,
  jsx: readJsx,
};

/**
 * The facts of a TypeScript or JavaScript file. Syntax errors are counted, not thrown; what the parser could not make
 * sense of has no facts. `isDeclaration` tells a declaration file (`.d.ts`).
 *
 * @throws TooDeep when the text nests too deeply.
 */
export function extractTypeScript(language: ScriptLanguage, text: string, isDeclaration = false): FileFacts {
  if (nestsTooDeeply(text)) throw new TooDeep('more than 1,000 brackets are open at a time');
  try {
    return extract(language, text, isDeclaration);
  } catch (error) {
    // The stack of this process is used up: by the parser's reader of its tree, or by the walk.
    if (error instanceof RangeError) throw new TooDeep(error.message, { cause: error });
    throw error;
  }
}

function extract(language: ScriptLanguage, text: string, isDeclaration: boolean): FileFacts {
  const { program, comments, errors } = parse(language, text, isDeclaration);
  const facts = new FactsBuilder(language, text);
  facts.errors = errors;
  // The parser either recovers with the whole program, or gives up and leaves nothing of it.
  if (errors > 0 && program.body.length === 0) facts.broken = [0, text.length];
  const moduleFrame = newFrame(-1, 0);
  const walk: Walk = {
    facts,
    text,
    language,
    comments,
    moduleFrame,
    isAmbient: isDeclaration,
    flowScopes: new Set(),
    frame: moduleFrame,
    classFrame: undefined,
    isInNamespace: false,
    visit: VISITORS,
  };
  for (const comment of comments) facts.comments.add(comment.start, comment.end, commentKind(text, comment), -1);
  const scope = facts.scope(-1, ScopeKind.module);
  for (const statement of program.body) readStatement(walk, statement, scope);
  markExported(walk);
  countCodeLines(walk);
  facts.names = identifiersIn(program);
  return facts.finish();
}

/** Keys of a tree that hold names which nothing defines: labels, `new.target`, names for other modules. */
const NAMELESS: Readonly<Record<string, readonly string[]>> = {
  LabeledStatement: ['label'],
  BreakStatement: ['label'],
  ContinueStatement: ['label'],
  TSNamedTupleMember: ['label'],
  MetaProperty: ['meta', 'property'],
  ExportAllDeclaration: ['exported'],
  JSXAttribute: ['name'],
};

/** Keys of the children of a node, by its type: without those of `NAMELESS`. */
const CHILD_KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(visitorKeys).map(([type, keys]) => [
    type,
    keys.filter((key) => NAMELESS[type]?.includes(key) !== true),
  ]),
);

/** Fields of all nodes; children are under the keys of their type. */
interface TreeNode extends Readonly<Record<string, unknown>> {
  type: string;
  start: number;
  end: number;
}

/** Starts and ends of the identifiers in a tree, in pairs. Elements of a page (`<a>`) are none. */
function identifiersIn(program: Program): number[] {
  const identifiers: number[] = [];
  const waiting: TreeNode[] = [];
  const add = (child: unknown): void => {
    if (Array.isArray(child)) for (const item of child) add(item);
    // Under the keys of children are nodes, lists of them and null.
    else if (child) waiting.push(child as TreeNode);
  };
  add(program);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { type, start, end, name } = node;
    const isElement = type === 'JSXIdentifier' && /^[a-z]/.test(String(name));
    if (type.endsWith('Identifier') && !isElement) identifiers.push(start, end);
    for (const key of CHILD_KEYS.get(type) ?? []) add(node[key]);
  }
  return identifiers;
}

interface Parsed {
  program: Program;
  comments: readonly SourceComment[];
  errors: number;
}

/** Syntaxes that are tried, the second when the first gives errors: `.js` may hold JSX, Flow-free types, or a script. */
const SYNTAX = {
  typescript: ['ts', 'tsx'],
  tsx: ['tsx'],
  javascript: ['jsx', 'ts'],
} as const;

function parse(language: ScriptLanguage, text: string, isDeclaration: boolean): Parsed {
  const [first, second] = isDeclaration ? (['dts'] as const) : SYNTAX[language];
  const parsed = parseAs(first, text, 'module');
  if (parsed.errors === 0) return parsed;
  // A script may use what a module may not (`await` as a name, octal numbers, `with`).
  const script = language === 'javascript' ? parseAs(first, text, 'script') : undefined;
  const other = second === undefined ? undefined : parseAs(second, text, 'module');
  return [parsed, script, other].reduce<Parsed>(
    (best, attempt) => (attempt !== undefined && isBetter(attempt, best) ? attempt : best),
    parsed,
  );
}

/** Fewer errors, or more of the program in spite of them: an unrecoverable error leaves it empty. */
function isBetter(attempt: Parsed, best: Parsed): boolean {
  const [here, there] = [attempt.program.body.length, best.program.body.length];
  return (here > 0 && there === 0) || (attempt.errors < best.errors && (here > 0 || there === 0));
}

function parseAs(lang: 'ts' | 'tsx' | 'jsx' | 'dts', text: string, sourceType: 'module' | 'script'): Parsed {
  // The raw transfer of the tree is twice as fast; the types of the parser do not name the option.
  const options: ParserOptions & { experimentalRawTransfer: boolean } = {
    lang,
    sourceType,
    astType: 'ts',
    preserveParens: false,
    experimentalRawTransfer: rawTransferSupported(),
  };
  const { program, comments, errors } = parseSync('file', text, options);
  return { program, comments, errors: errors.length };
}

function commentKind(text: string, { type, start, end }: SourceComment): number {
  if (type === 'Line') return CommentKind.line;
  // `/***/` and `/****` lines are ornaments.
  const isDocumentation = text.charCodeAt(start + 2) === STAR && text.charCodeAt(start + 3) !== STAR && end - start > 4;
  return isDocumentation ? CommentKind.documentation : CommentKind.block;
}

const STAR = 42;
/** Counts brackets wherever they stand: in strings and comments they balance out or do not reach the limit. */
function nestsTooDeeply(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // ( [ { open, ) ] } close.
    if (code === 40 || code === 91 || code === 123) {
      depth += 1;
      if (depth > DEEPEST_BRACKETS) return true;
    } else if (depth > 0 && (code === 41 || code === 93 || code === 125)) depth -= 1;
  }
  return false;
}
