import type { CodePlace } from './code.ts';

/** One of what an enum, a union or a table holds. */
export interface Member {
  name: string;
  /** The text or number that it stands for, as it is written. */
  value?: string;
  /** Its line in the body, counted from 0. */
  at: number;
}

const PYTHON_ENUM = /^\s*class\b[^\n]*\b\w*(?:Enum|Flag|Choices)\b/;
const ENUM = /\benum\b[^{;]*\{/;
/** Texts of which one is meant. */
const UNION = /=\s*\|?\s*((?:["'][^"'\n]+["']\s*\|\s*)+["'][^"'\n]+["'])|\bLiteral\[([^\]]+)\]/;
const LITERAL = /^(?:-?\d[\w.]*|(["'`]).*\1)$/s;

/**
 * What an enum, a union of texts or a table of literals holds, in its order; none of what is anything else, and of a table that holds
 * more than names and literals. Reads source by its brackets, in whatever language. Pure.
 */
export function membersOf({ body }: Pick<CodePlace, 'body'>): Member[] {
  const code = withoutComments(body);
  if (PYTHON_ENUM.test(code)) return assignedIn(code);
  const union = UNION.exec(code);
  const alternatives = union?.[1] ?? union?.[2];
  if (union !== null && alternatives !== undefined) {
    const from = union.index + union[0].indexOf(alternatives);
    return [...alternatives.matchAll(/(["'])(.*?)\1/g)].map(({ 2: name = '', index }) => ({
      name,
      at: lineOf(code, from + index),
    }));
  }
  const opened = ENUM.exec(code);
  return opened === null ? entriesIn(code) : enumeratedIn(code, opened.index + opened[0].length);
}

/** The names that the outermost lines of a class give something. */
function assignedIn(code: string): Member[] {
  const rows = code.split('\n').map((line, at) => ({ at, found: /^(\s+)([A-Za-z]\w*)\s*=\s*(.+?)\s*$/.exec(line) }));
  const depth = rows.find(({ found }) => found !== null)?.found?.[1];
  return rows.flatMap(({ at, found }) =>
    found === null || found[1] !== depth ? [] : [{ name: found[2] ?? '', at, ...valueOf(found[3]) }],
  );
}

function enumeratedIn(code: string, from: number): Member[] {
  return itemsOf(code, from).flatMap(({ text, at }) => {
    const [, name, value] =
      /^\s*(?:case\s+)?([A-Za-z_]\w*)\s*(?:=\s*([^{(]+)|\(\s*("[^"]*"|-?\d+)\s*\))?/.exec(text) ?? [];
    return name === undefined ? [] : [{ name, at, ...valueOf(value ?? /\(\s*("[^"]*"|-?\d+)\s*\)/.exec(text)?.[1]) }];
  });
}

/** The keys or items of a table; none when one of them is anything but a name or a literal. */
function entriesIn(code: string): Member[] {
  const given = /(?<![=!<>])=(?![=>])/.exec(code);
  if (given === null) return [];
  const opening = /[{[(](?!\s*[}\])])/.exec(code.slice(given.index));
  if (opening === null) return [];
  const items = itemsOf(code, given.index + opening.index + 1).filter(({ text }) => text.trim() !== '');
  const members = items.flatMap(({ text, at }) => {
    const [, key, item] =
      /^\s*(?:(["'`]?[\w.$-]+["'`]?)\s*(?::|=>|\bto\b)|(["'`][^"'`]*["'`]|:?[A-Za-z_][\w.]*)\s*$)/.exec(text) ?? [];
    const name = key ?? item;
    return name === undefined ? [] : [{ name: name.replaceAll(/^["'`]|["'`]$/g, ''), at }];
  });
  return members.length === items.length ? members : [];
}

function valueOf(text: string | undefined): { value: string } | Record<string, never> {
  const value = text?.trim().replace(/[,;]$/, '') ?? '';
  return LITERAL.test(value) ? { value } : {};
}

const OPENS = '([{';
const CLOSES = ')]}';

/** What stands between commas from an offset to where its bracket closes, or to a semicolon, each with its line. */
function itemsOf(code: string, from: number): { text: string; at: number }[] {
  const items: { text: string; at: number }[] = [];
  let depth = 0;
  let begin = from;
  let quoted = '';
  const add = (end: number): void => {
    const text = code.slice(begin, end);
    if (text.trim() !== '') items.push({ text, at: lineOf(code, begin + text.search(/\S/)) });
    begin = end + 1;
  };
  for (let at = from; at < code.length; at += 1) {
    const mark = code.charAt(at);
    if (quoted !== '') {
      if (mark === '\\') at += 1;
      else if (mark === quoted) quoted = '';
    } else if (mark === '"' || mark === '`' || (mark === "'" && /\W/.test(code.charAt(at - 1)))) quoted = mark;
    else if (OPENS.includes(mark)) depth += 1;
    else if (CLOSES.includes(mark) && depth > 0) depth -= 1;
    else if (depth === 0 && (CLOSES.includes(mark) || mark === ';')) {
      add(at);
      return items;
    } else if (depth === 0 && mark === ',') add(at);
  }
  return [];
}

function lineOf(code: string, offset: number): number {
  return code.slice(0, offset).split('\n').length - 1;
}

/** Blanks for comments, texts of documentation, attributes and annotations on lines of their own; lines stay where they are. */
function withoutComments(body: string): string {
  return body.replaceAll(
    /"""[\s\S]*?"""|\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*|(?<=^|\s)#(?=[\s!:])[^\n]*|^[ \t]*#\[[^\n]*\][ \t]*$|^[ \t]*@\w+(?:\([^\n]*\))?[ \t]*$/gm,
    (text) => text.replaceAll(/[^\n]/g, ' '),
  );
}
