/**
 * Line of a text together with the lines that belong to it: those that are indented deeper (units of their own) and those that
 * go on at the same depth (`} else {`, a closing bracket, `.then()`). `parts` has both, in order.
 */
export interface IndentUnit {
  parts: (Line | IndentUnit)[];
  /** Indentation of its first line. */
  indent: number;
  /** True if all of it so far only announces what comes next: annotations, attributes. */
  isPrefix: boolean;
}

/** Start and end of a line in the text, without its line break. */
export interface Line {
  start: number;
  end: number;
}

/** Tokens over several lines: their inside is indented as it likes. */
const LONG_TOKEN = /"""[\s\S]*?"""|'''[\s\S]*?'''|\/\*[\s\S]*?\*\//g;
/** Lines without a place of their own: comments and the lines of a preprocessor, but not attributes. */
const LOOSE = /^(#(?!\[)|\/\/|--\s)/;
/** Start of a line that goes on with what is before it at the same depth. */
const GOES_ON =
  /^([)\]}>.,?:=|+%{]|&&|\/\s|(else|elif|elsif|catch|except|finally|rescue|ensure|end|done|fi|esac|where)\b|(\w+\s+)*constructor\b|(?!try|default|do|loop)\w+:\s*(\/\/.*)?$)/;
const ANNOUNCES = /^(@\w|#\[|\[[A-Z]\w*(\(.*\))?\]\s*$|template\s*<[^{;]*$)/;
/** An annotation with its declaration on one line announces nothing more. */
const DECLARES = /[{;=]\s*$|\b(fun|class|val|var|def|func|fn)\b/;
const TAB = 4;

export function isUnit(part: Line | IndentUnit): part is IndentUnit {
  return 'parts' in part;
}

/** The units of a text that stand in no other one. Linear in the text. */
export function indentUnits(text: string): IndentUnit[] {
  const root: IndentUnit = { parts: [], indent: -1, isPrefix: false };
  const around: IndentUnit[] = [root];
  const inToken = linesInTokens(text);
  let last = root;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    const written = text.slice(start, end).trim();
    if (written === '') continue;
    if (last !== root && (inToken.has(start) || LOOSE.test(written))) {
      last.parts.push({ start, end });
      continue;
    }
    const indent = indentOf(text, start);
    while ((around.at(-1)?.indent ?? -1) > indent) around.pop();
    const before = around.at(-1) ?? root;
    if (before.indent === indent && (before.isPrefix || GOES_ON.test(written))) {
      before.parts.push({ start, end });
      before.isPrefix &&= announces(written);
      last = before;
      continue;
    }
    if (before.indent === indent) around.pop();
    const outer = around.at(-1) ?? root;
    if (outer !== root && written.endsWith('{') && !isDeeper(text, end, indent)) {
      endHead(outer, { start, end });
      last = outer;
      continue;
    }
    last = { parts: [{ start, end }], indent, isPrefix: announces(written) };
    outer.parts.push(last);
    around.push(last);
  }
  return root.parts.filter(isUnit);
}

/** True if the next line that is not empty is indented deeper, or closes what the one before opened. */
function isDeeper(text: string, from: number, indent: number): boolean {
  const next = /[^\n]*\S/g;
  next.lastIndex = from;
  const [line = ''] = next.exec(text) ?? [];
  return indentOf(line, 0) > indent || /^\s*[}\])]/.test(line);
}

/** `class A :`, `B(),`, `C {` on lines of their own: what opens the body ends the head of the unit around it. */
function endHead(unit: IndentUnit, line: Line): void {
  const own = unit.parts.findLastIndex((part) => !isUnit(part));
  const head = unit.parts.splice(own + 1).flatMap((part) => (isUnit(part) ? linesOf(part) : [part]));
  unit.parts.push(...head, line);
}

function announces(written: string): boolean {
  return ANNOUNCES.test(written) && !DECLARES.test(written);
}

function indentOf(text: string, start: number): number {
  let indent = 0;
  for (let at = start; ; at += 1) {
    if (text[at] === ' ') indent += 1;
    else if (text[at] === '\t') indent += TAB;
    else return indent;
  }
}

/** Starts of the lines that begin inside of a token. */
function linesInTokens(text: string): ReadonlySet<number> {
  const starts = new Set<number>();
  for (const { 0: token, index } of text.matchAll(LONG_TOKEN))
    for (let at = token.indexOf('\n'); at !== -1; at = token.indexOf('\n', at + 1)) starts.add(index + at + 1);
  return starts;
}

/** The lines of a unit and of all in it, in order. */
export function linesOf(unit: IndentUnit): Line[] {
  return unit.parts.flatMap((part) => (isUnit(part) ? linesOf(part) : [part]));
}
