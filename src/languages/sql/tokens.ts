/** One token of SQL. `word` names and key words, quoted or not; `body` a text between `$$`, as functions have. */
export interface SqlToken {
  kind: 'word' | 'number' | 'string' | 'body' | 'mark';
  /** A word without its quotes and in lower case unless quoted, a mark as it is, '' for the rest. */
  text: string;
  /** Start of the text: behind the quote of a quoted word. */
  start: number;
  end: number;
  isQuoted: boolean;
}

interface SqlTokens {
  tokens: SqlToken[];
  /** Starts and ends of comments, in pairs. */
  comments: number[];
}

const TOKEN =
  /(^[ \t]*[Gg][Oo][ \t]*\r?$)|(--[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S])))|([A-Za-z_\u0080-\uFFFF@#][\w$\u0080-\uFFFF@#]*)|"((?:[^"]|"")*)"?|`([^`]*)`?|\[([A-Za-z_][^\]\n]*)\]|(\$(?:[A-Za-z_]\w*)?\$)|'(?:[^'\\]|''|\\[\s\S])*'?|(\d[\w.]*)|[^\s]/gm;

/** Cuts the part of a text between two offsets into tokens. Linear in its length. */
export function sqlTokens(text: string, from = 0, to = text.length): SqlTokens {
  const tokens: SqlToken[] = [];
  const comments: number[] = [];
  const pattern = new RegExp(TOKEN);
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null && match.index < to; match = pattern.exec(text)) {
    const [whole, batch, comment, word, double, backtick, bracket, dollar, number] = match;
    const start = match.index;
    const end = start + whole.length;
    const quoted = double ?? backtick ?? bracket;
    if (batch !== undefined) tokens.push({ kind: 'mark', text: 'go', start, end, isQuoted: false });
    else if (comment !== undefined) comments.push(start, end);
    else if (word !== undefined) tokens.push({ kind: 'word', text: word.toLowerCase(), start, end, isQuoted: false });
    else if (quoted !== undefined) tokens.push({ kind: 'word', text: quoted, start: start + 1, end, isQuoted: true });
    else if (dollar !== undefined) {
      const close = text.indexOf(dollar, end);
      const bodyEnd = close === -1 ? to : close;
      tokens.push({ kind: 'body', text: '', start: end, end: bodyEnd, isQuoted: false });
      pattern.lastIndex = Math.min(bodyEnd + dollar.length, to);
    } else if (number !== undefined) tokens.push({ kind: 'number', text: '', start, end, isQuoted: false });
    else if (whole.startsWith("'")) tokens.push({ kind: 'string', text: '', start, end, isQuoted: false });
    else tokens.push({ kind: 'mark', text: whole, start, end, isQuoted: false });
  }
  return { tokens, comments };
}

const OPENS = new Set(['begin', 'case', 'loop', 'if']);

/**
 * Cuts tokens into statements at `;`, and at a line with `go` alone. Inside the body of a routine or trigger written without quotes, the statements up
 * to its `end` belong to it.
 */
export function sqlStatements(tokens: readonly SqlToken[]): SqlToken[][] {
  const statements: SqlToken[][] = [];
  let statement: SqlToken[] = [];
  let depth = 0;
  tokens.forEach((token, index) => {
    const isBatchEnd = token.kind === 'mark' && token.text === 'go';
    if (isBatchEnd || (token.kind === 'mark' && token.text === ';' && depth === 0)) {
      if (statement.length > 0) statements.push(statement);
      [statement, depth] = [[], 0];
      return;
    }
    statement.push(token);
    if (token.kind !== 'word' || token.isQuoted || !isRoutine(statement)) return;
    const isAfterEnd = tokens[index - 1]?.text === 'end';
    if (token.text === 'end') depth = Math.max(0, depth - 1);
    else if (depth > 0 ? OPENS.has(token.text) && !isAfterEnd : token.text === 'begin') depth += 1;
  });
  if (statement.length > 0) statements.push(statement);
  return statements;
}

const ROUTINES = new Set(['function', 'procedure', 'trigger']);

function isRoutine(statement: readonly SqlToken[]): boolean {
  return statement[0]?.text === 'create' && statement.slice(1, 8).some(({ text }) => ROUTINES.has(text));
}
