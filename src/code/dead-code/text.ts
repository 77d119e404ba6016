import { definitionOf, type Lines } from '../../languages/languages.ts';
import { loadedFiles } from './loaded-files.ts';
import { wordsOf } from '../../text/words.ts';

/** Decorators, annotations and attributes that register nothing: what has them is called like any other code. */
const HARMLESS = new RegExp(
  `^(?:@(?:(?:[\\w.]*\\.)?(?:property|staticmethod|classmethod|cached_property|abstractmethod|overload|lru_cache|cache|` +
    `contextmanager|asynccontextmanager|final|override|dataclass|wraps|deprecated|total_ordering|runtime_checkable|unique)|` +
    `Override|SuppressWarnings|Deprecated|Nullable|NonNull|NotNull|Nonnull|CanIgnoreReturnValue|VisibleForTesting|` +
    `FunctionalInterface|SafeVarargs)\\b|#!?\\[(?:derive|allow|expect|warn|deny|inline|cfg|must_use|doc|deprecated|` +
    `track_caller|cold|non_exhaustive|repr|default)\\b` +
    `|#!?\\[cfg_attr\\(.*,\\s*(?:derive|allow|expect|warn|deny|inline|must_use|doc|deprecated|repr)\\b)`,
);

/** Most lines that decorators of one symbol go over. */
const LONGEST_HEAD = 40;

/** Marks on the line of a symbol or above it: none, marks that only describe it, or one that registers it. */
type Marks = 'none' | 'harmless' | 'registers';

/** The decorators, annotations and attributes of the symbol on line `index`. */
export function marksOf(lines: Lines, index: number): Marks {
  let marks = markOn((lines.at(index) ?? '').trim());
  for (let at = index - 1, open = 0; at >= Math.max(0, index - LONGEST_HEAD) && marks !== 'registers'; at -= 1) {
    const text = (lines.at(at) ?? '').trim();
    open = Math.max(0, open - countOpenBrackets(text));
    if (/^(?:@|#!?\[)/.test(text)) {
      marks = markOn(text);
      open = 0;
    } else if (open === 0 && !/^(?:\/\/|\/?\*|#(?!\[))/.test(text)) return marks;
  }
  return marks;
}

/** Brackets that a line opens and does not close; negative when it closes more. Brackets in texts count, which is seldom wrong. */
function countOpenBrackets(line: string): number {
  let open = 0;
  for (const character of line) {
    if (character === '(' || character === '[' || character === '{') open += 1;
    else if (character === ')' || character === ']' || character === '}') open -= 1;
  }
  return open;
}

function markOn(line: string): Marks {
  if (!/^(?:@\w|#!?\[)/.test(line) || line.startsWith('@interface')) return 'none';
  return HARMLESS.test(line) ? 'harmless' : 'registers';
}

/** Names in quotes: parts of strings such as `name`, `module.name`, `module:name`. */
export function* quotedNames(text: string): Generator<string> {
  for (const [, , string = ''] of text.matchAll(/(["'`])([\w$]+(?:[.:#/][\w$]+)*)\1/g)) yield* string.split(/[.:#/]/);
}

/** Names that look like no word of a language, `sendMail`, `send_mail` or `_mail`, in strings of several words and in templates. */
export function* namesInStrings(text: string): Generator<string> {
  // One step at a time, so that every character is looked at a few times at most, whatever the text.
  for (const [string] of text.matchAll(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g)) {
    if (!/[\s(<{]/.test(string)) continue;
    for (const name of wordsOf(string, 'asciiName')) if (/[a-z][A-Z]|\w_\w|^_+[A-Za-z]/.test(name)) yield name;
  }
}

/** Words that a document for people marks as code: between backquotes, over lines too, and in directives of reStructuredText. */
export function* codeWords(text: string): Generator<string> {
  for (const [code] of text.matchAll(/`[^`]+`|^\.\. \w+:: .*$/gm))
    for (const word of wordsOf(code, 'asciiWord')) yield word;
}

/** The words of a template that may name code. In markup prose stands between the tags: only those and what is in braces count. */
export function* templateWords(isMarkup: boolean, text: string): Generator<string> {
  for (const part of isMarkup ? markedParts(text) : [text]) for (const word of wordsOf(part, 'asciiName')) yield word;
}

/** Tags, scripts and styles, what is in braces, and imports. */
function* markedParts(text: string): Generator<string> {
  let isCode = false;
  const [prose = '', ...pieces] = text.split('<');
  yield* bracesIn(prose);
  for (const piece of pieces) {
    if (piece.startsWith('!--')) continue;
    const end = piece.indexOf('>');
    const tag = end < 0 ? piece : piece.slice(0, end);
    const tail = end < 0 ? '' : piece.slice(end + 1);
    if (/^\/?(?:script|style)\b/i.test(tag)) isCode = !tag.startsWith('/');
    yield tag;
    if (isCode) yield tail;
    else yield* bracesIn(tail);
  }
}

function* bracesIn(text: string): Generator<string> {
  for (const [part] of text.matchAll(/\{[^{}]*\}|^(?:import|export)\b.*$/gm)) yield part;
}

/** True if a signature sets a member of an object, `store.same = (a, b) =>`, but for what a module of CommonJS exports. */
export function isSetOnObject(signature: string): boolean {
  return /^(?!(?:module\.)?exports\b)[\w$]+(?:\.[#\w$]+)+\s*=/.test(signature);
}

/**
 * True if making the value of a constant runs something: a call, `new` or a tagged template that is not inside a function that
 * is the value. `declaration` is its text from the name on.
 */
export function runsAtLoad(declaration: string): boolean {
  const value = /(?<![=!<>])=(?![=>])([\s\S]*)/.exec(declaration)?.[1]?.trim() ?? '';
  if (/^(?:async\s+)?(?:function\b|class\b|[\w$]+\s*=>|<[^>]*>\s*\([\s\S]*=>)/.test(value)) return false;
  const head = value.replace(/^async\s+/, '');
  if (head.startsWith('(') && /^\s*(?:=>|:)/.test(head.slice(closingBracket(head) + 1))) return false;
  const code = value.replaceAll(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/.*$/gm, '""');
  return /[\w$)\]]\s*(?:<[^()]*>)?\s*\(|\bnew\s+[\w$]|[\w$]`/.test(code);
}

/** True if a class runs code where it is defined: a block or a call of its own. */
export function runsWhenDefined(declaration: string): boolean {
  return /^\s*static\s*(?:\{|[\w$#]+\s*=.*\()/m.test(declaration);
}

/** The lines of a declaration, from its name on. */
export function declarationIn(text: string, { line, end, name }: { line: number; end: number; name: string }): string {
  const declaration = text
    .split('\n')
    .slice(line - 1, end)
    .join('\n');
  return declaration.slice(Math.max(0, declaration.indexOf(name)));
}

/** True if the name of a class at a column of a line is a value itself: no member of it, no type, nothing to make one of. */
export function isWholeRead(text: string, column: number, length: number): boolean {
  const [before, after] = [text.slice(0, column).trimEnd(), text.slice(column + length).trimStart()];
  return !/^(?:\.|::|\?\.|\()/.test(after) && !/\b(?:instanceof|extends|new|isinstance\([^()]*,)$/.test(before);
}

/** Offset where the bracket closes that a text begins with; the end of the text when none does. */
function closingBracket(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/**
 * Pieces of names that are put together when the program runs: `handlers[\`on${event}\`]`, `getattr(self, "visit_" + x)`,
 * `f"do_{verb}"`. Prefixes and suffixes of 2 letters and more.
 */
export function builtNames(text: string): { prefixes: string[]; suffixes: string[] } {
  // Looking for a part that must be there is many times cheaper than for the whole, and most texts have none.
  const hasHole = text.includes('${');
  const isLed = text.includes('_{');
  const isCut = text.includes('_"') || text.includes("_'") || text.includes('_%');
  const prefixes = [
    ...(hasHole ? text.matchAll(/\[\s*`([\w$]{2,})\$\{/g) : []),
    ...text.matchAll(/\[\s*["']([\w$]{2,})["']\s*\+/g),
    ...(text.includes('attr(') ? text.matchAll(/attr\([^"'()]*,\s*f?["']([\w$]{2,})(?:["']\s*[+%]|\{|%)/g) : []),
    ...(isLed ? text.matchAll(/\bf["'](\w{2,}_)\{[^}]*\}["']/g) : []),
    ...(isCut ? text.matchAll(/["'](\w{2,}_)(?:%s["']\s*%|["']\s*\+\s*\w)/g) : []),
  ].map(([, prefix = '']) => prefix);
  const suffixes = hasHole
    ? [...text.matchAll(/\[\s*`\$\{[^}`]*\}([\w$]{2,})`\s*\]/g)].map(([, suffix = '']) => suffix)
    : [];
  return { prefixes, suffixes };
}

/** Modules that a script imports whole, and those that it re-exports whole. */
export interface WholeModules {
  /** Specifiers of modules that escape as a value: nobody can tell which of their exports are used. */
  escaping: string[];
  /** Specifiers of `export * from`. */
  handedOn: string[];
  /** Specifiers that a builder may replace by a folder: `@/parts/one`, `~/one`, `@site/src/one`. */
  aliased: string[];
  /** Globs of files that are loaded by names put together when the program runs. */
  loaded: string[];
}

const ALIASED = /\b(?:from|import|require)\s*\(?\s*["']([@~#$][\w$.-]*\/[^"'\n]+)["']/g;

export function wholeModules(text: string): WholeModules {
  const escaping: string[] = [];
  for (const [match, name = '', specifier = ''] of text.matchAll(
    /\bimport\s+(?:type\s+)?\*\s*as\s+([\w$]+)\s+from\s*["']([^"'\n]+)["']/g,
  )) {
    const whole = new RegExp(`(?<![\\w$.])${name.replaceAll('$', String.raw`\$`)}(?![\\w$]|\\s*\\??\\.)`);
    if (whole.test(text.replace(match, ''))) escaping.push(specifier);
  }
  for (const [, specifier = ''] of text.matchAll(/\bexport\s*\*\s*as\s+[\w$]+\s+from\s*["']([^"'\n]+)["']/g))
    escaping.push(specifier);
  for (const [, specifier = ''] of text.matchAll(/\bimport\(\s*["'`]([^"'`\n]+)["'`]\s*[,)]/g))
    escaping.push(specifier);
  const handedOn = [...text.matchAll(/\bexport\s*(?:type\s*)?\*\s*from\s*["']([^"'\n]+)["']/g)].map(
    ([, specifier = '']) => specifier,
  );
  const aliased = [...text.matchAll(ALIASED)].map(([, alias = '']) => alias);
  return { escaping, handedOn, aliased, loaded: loadedFiles(text) };
}

/**
 * Symbols that a text names by the path of their module or package: `celery.worker.strategy:default` anywhere, and
 * `com.shop.guard.Guard` in quotes or alone on its line. Gives `celery/worker/strategy#default`.
 */
export function* namedByPath(text: string): Generator<string> {
  for (const [, colon, dots] of text.matchAll(
    /(?<!\w|\w\.)([A-Za-z_]\w*(?:\.\w+)+:[A-Za-z_]\w*)|(?:["']|^)([A-Za-z_]\w*(?:\.\w+){2,})(?:["']|\s*$)/gm,
  )) {
    const parts = (colon ?? dots ?? '').split(/[.:]/);
    yield `${parts.slice(0, -1).join('/')}#${parts.at(-1) ?? ''}`;
  }
}

/**
 * Symbols that a script of a shell, a Makefile or the like starts: `shop.server:app`, `python -c "from shop.jobs import run"`.
 */
export function* namedInCommands(text: string): Generator<string> {
  yield* namedByPath(text);
  for (const [, path = '', name = ''] of text.matchAll(/\bfrom\s+(\w+(?:\.\w+)*)\s+import\s+(\w+)/g))
    yield `${path.replaceAll('.', '/')}#${name}`;
}

/**
 * Symbols that texts name by the path of their module, `celery/worker/strategy#default`, by the name itself: most names are in
 * none, and for most symbols that is all that is checked.
 */
export class NamedPaths {
  readonly #paths = new Map<string, Set<string>>();

  add(named: string): void {
    const at = named.indexOf('#');
    const [path, name] = [named.slice(0, at), named.slice(at + 1)];
    const paths = this.#paths.get(name);
    if (paths === undefined) this.#paths.set(name, new Set([path]));
    else paths.add(path);
  }

  /** All names with their paths. */
  all(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#paths;
  }

  /** True if some path means what has this name in a file. */
  has(file: string, name: string): boolean {
    const paths = this.#paths.get(name);
    if (paths === undefined) return false;
    const parts = (definitionOf(file)?.modulePath?.(file) ?? file).split('/');
    return parts.some((_, from) => parts.length - from > 1 && paths.has(parts.slice(from).join('/')));
  }
}

const CALL = /\s*\(/y;

/** Counts calls by a name: where it is before a parenthesis. A pattern for each name would cost more to compile than the search does. */
export function countCalls(text: string, name: string): number {
  if (name === '') return 0;
  let count = 0;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    CALL.lastIndex = at + name.length;
    if (!/[\w$]/.test(text.charAt(at - 1)) && CALL.test(text)) count += 1;
  }
  return count;
}
