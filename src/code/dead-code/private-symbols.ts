import { type DeclaredSymbol, readByName } from '../../languages/languages.ts';
import type { SymbolKind } from '../../code-index/format/rows.ts';

const RULES = readByName(({ privateCode }) => privateCode);

const KINDS: ReadonlySet<string> = new Set<SymbolKind>(['function', 'method', 'class', 'interface', 'struct', 'enum']);

/** Private names that a runtime or framework calls. */
const CALLED =
  /^(?:main|init|deinit|initialize|subscript|__\w*|(?:read|write)(?:Object|Resolve|Replace)|On[A-Z]\w*|Awake|Start|Update|FixedUpdate|LateUpdate|Reset|ShouldSerialize\w+|[gs]et\w+Attribute|(?:method|const)_missing|respond_to_missing\?|inherited|included|extended|prepended|method_added)$/;

/** True if dead code of a language is listed for private symbols alone. */
export function tellsPrivateOnly(language: string): boolean {
  return RULES.has(language);
}

/**
 * True if only the file can use a symbol, and its text names it nowhere but where it is declared. A name that a macro or the
 * runtime may build is taken to be used.
 */
export function isUnusedPrivate(language: string, symbol: DeclaredSymbol, text: string): boolean {
  const { kind, name, signature, isExported } = symbol;
  if (isExported || !KINDS.has(kind) || CALLED.test(name) || !/^\w+$/.test(name)) return false;
  // An attribute registers it, or says that something else calls it.
  if (/^(?:@|\[|#\[)/.test(signature)) return false;
  const rules = RULES.get(language);
  if (rules?.isOfFile(symbol) !== true || rules.joinsNames?.test(text) === true) return false;
  return countOf(name, text) === 1 && !isPutTogether(name, text);
}

/** True if a string of the text begins or ends as the name does, beside what is filled in: `"add_{$key}"`, `"#{kind}_page"`. */
function isPutTogether(name: string, text: string): boolean {
  const [prefix] = /^(?:[A-Za-z]+_|[A-Za-z][a-z]+(?=[A-Z]))/.exec(name) ?? [];
  const [suffix] = /(?:_[a-z0-9]+|[A-Z][a-z0-9]+)$/.exec(name) ?? [];
  return (
    (prefix !== undefined && new RegExp(`["'\`]${prefix}["'\`{$#\\\\%]`).test(text)) ||
    (suffix !== undefined && new RegExp(`["'\`})]${suffix}["'\`]`).test(text))
  );
}

function countOf(name: string, text: string): number {
  return text.match(new RegExp(String.raw`(?<![\w$])${name}(?![\w$])`, 'g'))?.length ?? 0;
}
