import { readTokens } from '../../languages/languages.ts';
import { readCalls } from './calls.ts';

/** A table that a source names in SQL or to a query builder. */
interface TableUse {
  table: string;
  isWritten: boolean;
  line: number;
}

/** Matches a source that may hold SQL or a query builder. One pass. */
const MAY_USE =
  /\b(?:select\b[\s\S]{0,2000}?\bfrom|insert\s+into|update\b[\s\S]{0,200}?\bset|delete\s+from)\b|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bDB::table\(/i;
/** SQL that makes tables, in a text. */
const CREATED = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?["'`[]?(?:\w+["'`\]]?\.["'`[]?)?([A-Za-z_]\w*)/gi;

/** The tables that SQL in the texts of a source makes. */
export function createdTables({
  language,
  text,
}: {
  language: string;
  text: string;
}): { table: string; line: number }[] {
  if (!/\bcreate\s+table\b/i.test(text)) return [];
  return readTokens(language, text)
    .filter(({ kind }) => kind === 'text')
    .flatMap(({ value, line }) =>
      [...value.matchAll(CREATED)].map(({ 1: table = '', index }) => ({
        table,
        line: line + linesBefore(value, index),
      })),
    );
}

function linesBefore(text: string, index: number): number {
  return text.slice(0, index).split('\n').length - 1;
}

/** A text that begins as a statement does, or goes on with one. */
const STATEMENT = /\b(?:select|insert|update|delete|merge|with|truncate|join|from)\b/i;
/** A table behind the words that SQL has before one, with what is done to it. */
const NAMED =
  /\b(insert\s+(?:ignore\s+|or\s+\w+\s+)?into|replace\s+into|merge\s+into|delete\s+from|update(?:\s+only)?|truncate(?:\s+table)?|from|join)\s+["'`[]?(?:\w+["'`\]]?\.["'`[]?)?([A-Za-z_]\w*)/gi;

const READERS = new Set(['selectFrom', 'innerJoin', 'leftJoin', 'rightJoin']);
const WRITERS = new Set(['insertInto', 'updateTable', 'deleteFrom', 'mergeInto']);

/** The names behind SQL's words in the texts of a source, and those that query builders are given. Who asks knows which are tables. */
export function tableUses({ language, text }: { language: string; text: string }): TableUse[] {
  if (!MAY_USE.test(text)) return [];
  const tokens = readTokens(language, text);
  const uses: TableUse[] = [];
  for (const { kind, value, line } of tokens) {
    if (kind !== 'text' || value.length < 8 || !STATEMENT.test(value)) continue;
    for (const match of value.matchAll(NAMED)) {
      const [, words = '', table = ''] = match;
      uses.push({ table, isWritten: !/^(?:from|join)$/i.test(words), line: line + linesBefore(value, match.index) });
    }
  }
  for (const { name, receiver, args, line } of readCalls(tokens, false)) {
    const isWritten = WRITERS.has(name);
    if (!isWritten && !READERS.has(name) && !(name === 'table' && receiver === 'DB')) continue;
    const [table = ''] = args[0]?.text?.split(/\s+as\s+|\s/) ?? [];
    if (table !== '') uses.push({ table, isWritten, line });
  }
  return uses;
}
