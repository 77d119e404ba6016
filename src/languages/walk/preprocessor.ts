/** A line that a preprocessor reads, with the lines that it goes on in. */
const DIRECTIVE = /^[ \t]*#[ \t]*(\w+)/;

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ');

/** The lines of a comment inside of a definition end as those of the definition do. */
const blankButContinuations = (text: string): string => text.replaceAll(/(?!\\\r?\n)[^\r\n]/g, ' ');

/** Comments and literals, in which brackets mean nothing. */
const OPAQUE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

/** A directive that stays, with the lines that it goes on in. */
const DEFINITION = /^[ \t]*#(?:[^\n]*\\\r?\n)*[^\n]*$/gm;

/** Ends of text behind which something has ended, and behind which something else can start. */
const ENDS = /(?:^|[;},])\s*$/;
const STARTS = /(?:^|[;{},:])\s*$|^\s*[A-Z][A-Z0-9_]{2,}(?:\([^()]*\))?\s*$/;

/** A condition of the preprocessor: the lines of its directives, the first and the last among them. */
interface Condition {
  directives: number[];
  inside: Condition[];
}

/**
 * A text without the lines of its preprocessor. Of a condition whose branches are whole statements or declarations all
 * branches stay, one after another; of another one, which is text only with what is around it, the first. What is left
 * out becomes spaces, so that everything stays where it is. Definitions (`#define`) stay.
 */
export function withoutBranches(text: string): string {
  const lines = text.split('\n');
  const code = text.replaceAll(OPAQUE, blankButContinuations).split('\n');
  const isGone = directiveLines(lines);
  for (const condition of conditionsIn(lines)) hideBranches(code, condition, isGone);
  return lines.map((line, at) => (isGone[at] === true ? line.replaceAll(/[^\r]/g, ' ') : line)).join('\n');
}

/** Marks the lines that are directives, or go on with one. */
function directiveLines(lines: readonly string[]): boolean[] {
  let isContinued = false;
  return lines.map((line) => {
    const word = DIRECTIVE.exec(line)?.[1];
    const isGone = isContinued || (word !== undefined && word !== 'define' && word !== 'include');
    isContinued = isGone && line.trimEnd().endsWith('\\');
    return isGone;
  });
}

/** The outermost conditions, with those inside. One that is not closed is none. */
function conditionsIn(lines: readonly string[]): Condition[] {
  const outermost: Condition[] = [];
  const open: Condition[] = [];
  for (const [at, line] of lines.entries()) {
    const word = DIRECTIVE.exec(line)?.[1] ?? '';
    if (word.startsWith('if')) open.push({ directives: [at], inside: [] });
    else if (word.startsWith('el')) open.at(-1)?.directives.push(at);
    else if (word === 'endif') {
      const closed = open.pop();
      closed?.directives.push(at);
      if (closed !== undefined) (open.at(-1)?.inside ?? outermost).push(closed);
    }
  }
  return outermost;
}

/** Hides all branches but the first of each condition that has one which is not whole, those inside first. */
function hideBranches(code: readonly string[], { directives, inside }: Condition, isGone: boolean[]): void {
  for (const condition of inside) hideBranches(code, condition, isGone);
  const [first = 0, second] = directives;
  const last = directives.at(-1);
  if (second === undefined || last === undefined || second === last) return;
  const isRetained =
    isEnd(code, first, isGone) &&
    directives.slice(0, -1).every((directive, branch) => {
      const rows = code.slice(directive + 1, directives[branch + 1]);
      return isWhole(rows.filter((_, row) => isGone[directive + 1 + row] !== true).join('\n'));
    });
  if (!isRetained) isGone.fill(true, second, last);
}

/** True if what precedes a line has ended there. */
function isEnd(code: readonly string[], line: number, isGone: readonly boolean[]): boolean {
  let before = line - 1;
  while (before >= 0 && (isGone[before] === true || code[before]?.trim() === '')) before -= 1;
  const text = code[before] ?? '';
  const isDefinition = DIRECTIVE.test(text) || code[before - 1]?.trimEnd().endsWith('\\') === true;
  return isDefinition || STARTS.test(text);
}

/** True if a text can be put between others: its brackets are its own, and it ends where something ends. */
function isWhole(text: string): boolean {
  const code = text.replaceAll(DEFINITION, '');
  let depth = 0;
  for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
    depth += '([{'.includes(bracket) ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0 && ENDS.test(code);
}

/** Without macros that export: `class API Name {`, of which the grammar takes the macro for the name, and `API int f();`. */
export function withoutExportMacros(text: string): string {
  const lines = text.replaceAll(/^[A-Z][A-Z0-9_]*(?:EXPORT|API|EXTERN|PUBLIC|INLINE)(?=[ \t]+[A-Za-z_])/gm, blank);
  return lines.replaceAll(
    /\b((?:class|struct|union)\s+)([A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?)(?=\s+[A-Za-z_]\w*\s*(?:final\s*)?[:{])/g,
    (_, keyword: string, macro: string) => keyword + blank(macro),
  );
}

/** Words of the language that stand before the name of a function, those that are a type, and those before the name of one. */
const SPECIFIERS = words(
  'static inline extern const volatile constexpr consteval constinit register restrict virtual explicit friend mutable typedef thread_local _Noreturn __inline __inline__ __extension__',
);
const TYPES = words('void char short int long float double signed unsigned bool _Bool auto wchar_t');
const NAMED_TYPES = words('struct union enum class typename');
/** Words that begin a line which is no declaration. */
const STATEMENTS = words(
  'return else case goto throw delete new sizeof using namespace template operator public private protected default do if while for switch co_return co_await co_yield',
);
/** Three words or more at the start of a line, behind which parameters stand: the last one is the name. */
const HEADS = /^[ \t]*(?:[A-Za-z_]\w*(?:[ \t*]+|[ \t*]*\r?\n)){2,8}[A-Za-z_]\w*[ \t]*(?=\()/gm;

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** A word in capitals between another word and a `*`: in an expression no two words stand side by side. */
const QUALIFIER = /(?<word>[A-Za-z_]\w*)(?<space>[ \t]+)(?<macro>[A-Z][A-Z0-9_]{2,})(?=[ \t]*\*)/g;
const CAPITALS = /^[A-Z][A-Z0-9_]*$/;

/**
 * Without macros beside the type of a function (`API_INLINE Item *next(...)`) or of a pointer (`Item FAR *next`). A
 * declaration has one type: beside one of the language all other words are macros, else all but the last that is not
 * in capitals.
 */
export function withoutSpecifierMacros(text: string): string {
  return text
    .replaceAll(HEADS, withoutMacros)
    .split('\n')
    .map((line) => (DIRECTIVE.test(line) ? line : line.replaceAll(QUALIFIER, withoutQualifier)))
    .join('\n');
}

function withoutMacros(head: string): string {
  const wordMatches = [...head.matchAll(/\w+/g)].slice(0, -1);
  const texts = wordMatches.map(([word]) => word);
  if (texts.some((word) => STATEMENTS.has(word))) return head;
  const unknown = wordMatches.filter(({ 0: word }, at) => !isKnown(word) && !NAMED_TYPES.has(texts[at - 1] ?? ''));
  const hasType = texts.some((word) => TYPES.has(word) || NAMED_TYPES.has(word));
  const type = hasType ? undefined : (unknown.findLast(({ 0: word }) => !CAPITALS.test(word)) ?? unknown.at(-1));
  let result = head;
  for (const macro of unknown)
    if (macro !== type)
      result = result.slice(0, macro.index) + blank(macro[0]) + result.slice(macro.index + macro[0].length);
  return result;
}

function withoutQualifier(match: string, word: string, space: string, macro: string): string {
  const isType = TYPES.has(word) || (!isKnown(word) && !STATEMENTS.has(word));
  return isType ? word + space + blank(macro) : match;
}

function isKnown(word: string): boolean {
  return SPECIFIERS.has(word) || TYPES.has(word) || NAMED_TYPES.has(word);
}

/** A macro that has a line of its own: at the start of the line, or indented without arguments. */
const LONE_MACRO = /^(?:[A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?|[ \t]+[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[ \t]*\r?\n)/gm;
/** Start of a declaration, behind empty lines and comments. */
const DECLARED =
  /\s*(?:\/\*(?:[^*]|\*(?!\/))*\*\/\s*|\/\/[^\n]*\n\s*)*(?:template[ \t]*<|[A-Za-z_][\w:]*[ \t*&]+[A-Za-z_])/y;

/** End of a type behind macros that stand for its members, and the text before those: an enum is none of this. */
const TYPE_ENDS = /\s*(?:\/\*(?:[^*]|\*(?!\/))*\*\/\s*|\/\/[^\n]*\n\s*)*(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+\b\s*)*\}/y;
const MEMBERS_BEFORE = /(?:;|\b(?:struct|union|class)\b[^;{}()=]*\{)(?:\s*\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b)*\s*$/;
/** Characters that are looked at before a macro. */
const LOOKED_AT = 200;

/** A macro with a line of its own: what is below it does not annotate it. */
const MACRO_LINE = /(?:^|\n)[ \t]*[A-Z][A-Z0-9_]{2,}\([^()\n]*\)[ \t]*\r?\n\s*$/;

/** Without a `\` before an empty line: the definition ends there, and the grammar takes what follows into it. */
export function withoutEmptyContinuations(text: string): string {
  return text.replaceAll(/\\(?=\r?\n[ \t]*\r?\n)/g, ' ');
}

/**
 * Without macros that annotate what stands before them (`int a GUARDED_BY(b);`, `void f() LOCKS(a);`), or below them when
 * they have a line of their own.
 */
export function withoutAnnotations(text: string): string {
  return text
    .replaceAll(LONE_MACRO, (macro, at: number) => {
      DECLARED.lastIndex = TYPE_ENDS.lastIndex = at + macro.length;
      const before = text.slice(Math.max(0, at - LOOKED_AT), at).replaceAll(OPAQUE, blank);
      const isMember = TYPE_ENDS.test(text) && MEMBERS_BEFORE.test(before);
      return isMember || DECLARED.test(text) ? blank(macro) : macro;
    })
    .replaceAll(
      /(?<=\)[ \t\n]{0,40})[A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?(?=\s*[;{])/g,
      (macro, at: number, whole: string) =>
        MACRO_LINE.test(whole.slice(Math.max(0, at - LOOKED_AT), at)) ? macro : blank(macro),
    )
    .replaceAll(/(?<=\w[ \t]{1,8})[A-Z][A-Z0-9_]{2,}\([^()\n]*\)(?=\s*[;=])/g, blank);
}

/** A call of a macro as a statement, at the start of a line. */
const MACRO_CALL = /^[A-Z][A-Z0-9_]{2,}\((?:[^;{}()]|\([^;{}()]*\)){0,400}\)[^;{}]{0,200};/gm;
/** A type of the language, which no call takes. */
const TYPE_ARGUMENT =
  /(?<=[(,]\s*)(?:const[ \t]+)?(?:(?:unsigned|signed|long|short)[ \t]+)*(?:void|char|short|int|long|float|double|signed|unsigned|bool)(?:[ \t]+const)?[ \t]*[*&]*(?=\s*[,)])/g;
/** A call that gives a macro an operator, on a line of its own. */
const OPERATOR_CALL =
  /^[ \t]*[A-Z][A-Z0-9_]{2,}\([^()\n]*[,(][ \t]*(?:[<>=!]=|<=>|[<>+\-*/%&|^])[ \t]*\);?(?=[ \t]*\r?$)/gm;
/** Parameters of a template, up to its body. */
const TEMPLATE = /\btemplate\s*<[^;{}]{1,600}/g;
const TEMPLATE_MACRO =
  /(?<=[<,]\s*)[A-Z][A-Z0-9_]{2,}\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)(?=\s*[,>])/g;
/** The head of a class with its bases. */
const BASES =
  /\b(?:struct|class)\s+\w+(?:<[^;{}()]{0,200}>)?\s*(?:\/\/[^\n]*\n\s*)*:(?!:)(?:[^;{}]|\{\}){1,600}(?=\{)/g;
const COMPUTED = /\b(?!(?:decltype|sizeof|alignof|operator)\b)\w+\s*\((?:[^(){};]|\([^(){};]*\))*\)/g;

const nothing = (text: string): string => `0${blank(text.slice(1))}`;

/**
 * The text with a plain value or type in the place of what the grammar takes for an error that swallows much of a file:
 * types among the arguments of a macro (`FLAG(int, size, 8);`), macros among the parameters of a template, and what is
 * computed in a list of bases (`: integral<bool, bool(A::value)>`). A macro that is given an operator is left out.
 */
export function withPlainArguments(text: string): string {
  return text
    .replaceAll(OPERATOR_CALL, blank)
    .replaceAll(MACRO_CALL, (call) => call.replaceAll(TYPE_ARGUMENT, nothing))
    .replaceAll(TEMPLATE, (head) => head.replaceAll(TEMPLATE_MACRO, (macro) => `int${blank(macro.slice(3))}`))
    .replaceAll(BASES, (head) => head.replaceAll(/(?<=>)\{\}/g, blank).replaceAll(COMPUTED, nothing));
}
