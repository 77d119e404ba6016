/** A line that a preprocessor reads, with the lines that it goes on in. */
const DIRECTIVE = /^[ \t]*#[ \t]*(\w+)/;

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ');

/** Comments and literals, in which brackets mean nothing. */
const OPAQUE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

/** A directive that stays, with the lines that it goes on in. */
const DEFINITION = /^[ \t]*#(?:[^\n]*\\\r?\n)*[^\n]*$/gm;

/** What something can end with, and what something else can start behind. */
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
  const code = text.replaceAll(OPAQUE, blank).split('\n');
  const isGone = directiveLines(lines);
  for (const condition of conditionsIn(lines)) hideBranches(code, condition, isGone);
  return lines.map((line, at) => (isGone[at] === true ? line.replaceAll(/[^\r]/g, ' ') : line)).join('\n');
}

/** Which lines are directives, or go on with one. */
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
  const isKept =
    isEnd(code, first, isGone) &&
    directives.slice(0, -1).every((directive, branch) => {
      const rows = code.slice(directive + 1, directives[branch + 1]);
      return isWhole(rows.filter((_, row) => isGone[directive + 1 + row] !== true).join('\n'));
    });
  if (!isKept) isGone.fill(true, second, last);
}

/** Whether what stands before a line has ended there. */
function isEnd(code: readonly string[], line: number, isGone: readonly boolean[]): boolean {
  let before = line - 1;
  while (before >= 0 && (isGone[before] === true || code[before]?.trim() === '')) before -= 1;
  const text = code[before] ?? '';
  const isDefinition = DIRECTIVE.test(text) || code[before - 1]?.trimEnd().endsWith('\\') === true;
  return isDefinition || STARTS.test(text);
}

/** Whether a text can stand between others: its brackets are its own, and it ends where something ends. */
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

/** A macro that has a line of its own: at the start of the line, or indented without arguments. */
const LONE_MACRO = /^(?:[A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?|[ \t]+[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[ \t]*\r?\n)/gm;
/** How a declaration begins, behind empty lines and comments. */
const DECLARED =
  /\s*(?:\/\*(?:[^*]|\*(?!\/))*\*\/\s*|\/\/[^\n]*\s*)*(?:template[ \t]*<|[A-Za-z_][\w:]*[ \t*&]+[A-Za-z_])/y;

/**
 * Without macros that annotate what stands before them (`int a GUARDED_BY(b);`, `void f() LOCKS(a);`), or below them when
 * they have a line of their own.
 */
export function withoutAnnotations(text: string): string {
  return text
    .replaceAll(LONE_MACRO, (macro, at: number) => {
      DECLARED.lastIndex = at + macro.length;
      return DECLARED.test(text) ? blank(macro) : macro;
    })
    .replaceAll(/(?<=\)[ \t\n]{0,40})[A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?(?=\s*[;{])/g, blank)
    .replaceAll(/(?<=\w[ \t]{1,8})[A-Z][A-Z0-9_]{2,}\([^()\n]*\)(?=\s*[;=])/g, blank);
}
