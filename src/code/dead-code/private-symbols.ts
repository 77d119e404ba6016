import { definitionOf } from '../../languages/languages.ts';
import type { SymbolKind } from '../../code-index/format/rows.ts';

/**
 * Languages of which only the private functions and types are told, and never as certain: too many of their references are
 * found by name alone, and libraries, storyboards and runtimes ask for the rest. How each says that only the file can use
 * what is declared; undefined where the index knows what is private.
 */
const PRIVATE_WORDS: Readonly<Record<string, RegExp | undefined>> = {
  Kotlin: /^(?:\w+ )*private\b/,
  'C#': /^(?:\w+ )*private\b(?! protected\b)(?!.*\bpartial\b)/,
  PHP: /^(?:\w+ )*private\b/,
  Ruby: undefined,
  Swift: /^(?:\w+ )*(?:file)?private\b/,
  C: /^(?:\w+ )*static\b/,
  'C++': /^(?:\w+ )*static\b/,
};

const KINDS: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'class', 'interface', 'struct', 'enum']);

/** What a runtime or framework calls by its name, though it is private. */
const CALLED =
  /^(?:main|init|deinit|initialize|subscript|__\w*|(?:read|write)(?:Object|Resolve|Replace)|On[A-Z]\w*|Awake|Start|Update|FixedUpdate|LateUpdate|Reset|ShouldSerialize\w+|[gs]et\w+Attribute|(?:method|const)_missing|respond_to_missing\?|inherited|included|extended|prepended|method_added)$/;

/** What is asked about a symbol, beside the text of its file. */
interface PrivateSymbol {
  language: string;
  path: string;
  kind: SymbolKind;
  name: string;
  signature: string;
  exported: boolean;
  isMember: boolean;
}

/** Whether dead code of a language is told for private symbols alone. */
export function tellsPrivateOnly(language: string): boolean {
  return Object.hasOwn(PRIVATE_WORDS, language);
}

/**
 * Whether only the file can use a symbol, and its text names it nowhere but where it is declared. A name that a macro or
 * the runtime may put together is taken to be used.
 */
export function isUnusedPrivate(symbol: PrivateSymbol, text: string): boolean {
  const { language, kind, name, signature, exported, isMember } = symbol;
  if (exported || !KINDS.has(kind) || CALLED.test(name) || !/^\w+$/.test(name)) return false;
  // An attribute registers it, or says that something else calls it.
  if (/^(?:@|\[|#\[)/.test(signature)) return false;
  // Macros of C put names together.
  if (!isOfFile(symbol) || (/^C(?:\+\+)?$/.test(language) && text.includes('##'))) return false;
  // A name in several parts with an underscore is how designers wire handlers: `button_Click`.
  if (language === 'C#' && isMember && name.includes('_')) return false;
  return countOf(name, text) === 1 && !isPutTogether(name, text);
}

/** Whether a string of the text begins or ends as the name does, beside what is filled in: `"add_{$key}"`, `"#{kind}_page"`. */
function isPutTogether(name: string, text: string): boolean {
  const [prefix] = /^(?:[A-Za-z]+_|[A-Za-z][a-z]+(?=[A-Z]))/.exec(name) ?? [];
  const [suffix] = /(?:_[a-z0-9]+|[A-Z][a-z0-9]+)$/.exec(name) ?? [];
  return (
    (prefix !== undefined && new RegExp(`["'\`]${prefix}["'\`{$#\\\\%]`).test(text)) ||
    (suffix !== undefined && new RegExp(`["'\`})]${suffix}["'\`]`).test(text))
  );
}

function isOfFile({ language, path, kind, signature, isMember }: PrivateSymbol): boolean {
  const words = PRIVATE_WORDS[language];
  if (language === 'Ruby') return isMember && kind === 'method';
  const compiled = definitionOf(path)?.compiledFiles;
  if (compiled !== undefined) return !isMember && compiled.test(path) && words?.test(signature) === true;
  return words?.test(signature) === true;
}

function countOf(name: string, text: string): number {
  return text.match(new RegExp(String.raw`(?<![\w$])${name}(?![\w$])`, 'g'))?.length ?? 0;
}
