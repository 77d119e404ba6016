import { FactsBuilder } from '../facts/facts-builder.ts';
import { DefinitionFlag, DefinitionKind, Facet, type FileFacts, NodeOp, ScopeKind } from '../facts/facts.ts';
import { readSqlUses } from './uses.ts';
import { sqlStatements, type SqlToken, sqlTokens } from './tokens.ts';
import { writeComments } from '../walk/tree-comments.ts';

/** Kinds of definitions that a statement creates, by its word. */
const CREATED: Readonly<Record<string, number>> = {
  table: DefinitionKind.table,
  view: DefinitionKind.table,
  function: DefinitionKind.function,
  procedure: DefinitionKind.function,
  trigger: DefinitionKind.function,
  index: DefinitionKind.constant,
  sequence: DefinitionKind.variable,
  type: DefinitionKind.type,
  domain: DefinitionKind.type,
  schema: DefinitionKind.module,
};
/** Words between what is created and its name. */
const BEFORE_NAME = new Set(['if', 'not', 'exists', 'concurrently', 'only']);
/** First words of the parts of a table that are no columns. */
const NO_COLUMN = new Set(
  'constraint primary foreign unique check exclude like key index fulltext spatial period partition'.split(' '),
);
/** Farthest position behind `create` of the word for what is created: `create or replace temporary ... view`. */
const FARTHEST_WORD = 12;
/** Any comment right before a statement describes what it creates. */
const COMMENTS = { documentation: /^\/\*\*/, ordinary: /^$/ };
const DEEPEST_BODY = 4;

/** State of reading one file. */
export interface SqlWalk {
  facts: FactsBuilder;
  text: string;
  /** Pairs of definition and offset before which its documentation ends. */
  documented: number[];
  /** Offsets of names that their statement declares: they are no uses. */
  declared: Set<number>;
}

/**
 * Facts of SQL in any dialect: what is created (tables and views with their columns, functions, procedures, triggers,
 * indexes, sequences, types, schemas), and the uses of tables, columns and functions in all statements.
 *
 * No grammar is used: tokens are read statement by statement, so that one that is not understood costs nothing but
 * itself. The documentation of a definition is the comment before its statement. `alter table t add column c` makes `c`
 * a member outside its table (`receiver`).
 */
export function extractSql(text: string): FileFacts {
  const facts = new FactsBuilder('sql', text);
  const walk: SqlWalk = { facts, text, documented: [], declared: new Set() };
  const scope = facts.scope(-1, ScopeKind.module);
  const { tokens, comments } = sqlTokens(text);
  for (const statement of sqlStatements(tokens)) readStatement(walk, statement, scope, 0);
  writeComments({ ...walk, tree: { text, comments } }, COMMENTS);
  return facts.finish();
}

function readStatement(walk: SqlWalk, statement: readonly SqlToken[], scope: number, depth: number): void {
  const inside = walk.facts.scope(scope, ScopeKind.block);
  const [first] = statement;
  let body = inside;
  if (first?.text === 'create') body = readCreate(walk, statement, { scope, inside });
  else if (first?.text === 'alter') addColumns(walk, statement, scope);
  readSqlUses(walk, statement, body);
  if (depth === DEEPEST_BODY) return;
  for (const token of statement) {
    if (token.kind !== 'body') continue;
    const { tokens } = sqlTokens(walk.text, token.start, token.end);
    for (const inner of sqlStatements(tokens)) readStatement(walk, inner, body, depth + 1);
  }
}

/** Defines what a statement creates, and gives the scope of its inside. */
function readCreate(
  walk: SqlWalk,
  statement: readonly SqlToken[],
  { scope, inside }: { scope: number; inside: number },
): number {
  const { facts } = walk;
  const at = statement.findIndex(
    ({ text, kind, isQuoted }, index) =>
      index > 0 && index < FARTHEST_WORD && kind === 'word' && !isQuoted && text in CREATED,
  );
  const named = at === -1 ? undefined : nameAfter(statement, at + 1);
  if (named === undefined) return inside;
  const { token, next } = named;
  walk.declared.add(token.start);
  const kind = CREATED[statement[at]?.text ?? ''] ?? DefinitionKind.table;
  const start = statement[0]?.start ?? 0;
  const definition = facts.define({
    name: walk.text.slice(token.start, token.start + token.text.length),
    kind,
    flags:
      DefinitionFlag.value |
      DefinitionFlag.type |
      DefinitionFlag.exported |
      DefinitionFlag.topLevel |
      (kind === DefinitionKind.function ? DefinitionFlag.callable : 0),
    nameStart: token.start,
    start,
    end: statement.at(-1)?.end ?? start,
    scope,
  });
  walk.documented.push(definition, start);
  const isRoutine = kind === DefinitionKind.function;
  const bodyScope = facts.scope(scope, isRoutine ? ScopeKind.function : ScopeKind.class, definition);
  facts.amend(definition, 'bodyScope', bodyScope);
  facts.amend(definition, 'head', headEnd(statement, next) ?? token.end);
  if (kind === DefinitionKind.table && statement[next]?.text === '(')
    for (const part of partsOf(statement, next)) defineColumn(walk, part, { owner: definition, scope: bodyScope });
  if (isRoutine && statement[next]?.text === '(')
    for (const part of partsOf(statement, next)) defineParameter(walk, part, bodyScope, definition);
  return bodyScope;
}

/** A name, with or without a schema before it, and the token behind it. */
function nameAfter(
  statement: readonly SqlToken[],
  from: number,
): { token: SqlToken; next: number; path: SqlToken[] } | undefined {
  let at = from;
  while (BEFORE_NAME.has(statement[at]?.text ?? '')) at += 1;
  const path: SqlToken[] = [];
  for (; statement[at]?.kind === 'word'; at += 2) {
    const token = statement[at];
    if (token !== undefined) path.push(token);
    if (statement[at + 1]?.text !== '.') break;
  }
  const token = path.at(-1);
  return token === undefined ? undefined : { token, next: at + 1, path };
}

/** The head of a function ends where its body begins, that of a table where its columns begin. */
function headEnd(statement: readonly SqlToken[], next: number): number | undefined {
  const body = statement.find(
    ({ kind, text }, index) => index >= next && (kind === 'body' || text === 'as' || text === 'begin'),
  );
  if (body !== undefined) return body.start;
  return statement[next]?.text === '(' ? statement[next]?.start : undefined;
}

/** The parts between commas inside the parentheses that open at a token. */
function partsOf(statement: readonly SqlToken[], open: number): SqlToken[][] {
  const parts: SqlToken[][] = [];
  let part: SqlToken[] = [];
  let depth = 0;
  for (let at = open; at < statement.length; at += 1) {
    const token = statement[at];
    if (token === undefined) break;
    if (token.text === '(' && token.kind === 'mark') depth += 1;
    if (token.text === ')' && token.kind === 'mark') depth -= 1;
    if (depth === 0 || (depth === 1 && token.text === ',')) {
      if (part.length > 0) parts.push(part);
      part = [];
      if (depth === 0) break;
    } else if (depth > 1 || token.text !== '(') part.push(token);
  }
  return parts;
}

function defineColumn(walk: SqlWalk, part: readonly SqlToken[], at: { owner: number; scope: number }): void {
  const [name] = part;
  if (name?.kind !== 'word' || (!name.isQuoted && NO_COLUMN.has(name.text))) return;
  const { value, exported, topLevel } = DefinitionFlag;
  walk.declared.add(name.start);
  walk.facts.define({
    name: walk.text.slice(name.start, name.start + name.text.length),
    kind: DefinitionKind.property,
    flags: value | exported | topLevel,
    nameStart: name.start,
    start: name.start,
    end: part.at(-1)?.end ?? name.end,
    scope: -1,
    owner: at.owner,
  });
}

const MODES = new Set(['in', 'out', 'inout', 'variadic']);

function defineParameter(walk: SqlWalk, part: readonly SqlToken[], scope: number, definition: number): void {
  const at = MODES.has(part[0]?.text ?? '') ? 1 : 0;
  const name = part[at];
  // A parameter may be a type alone.
  if (name?.kind !== 'word' || part[at + 1]?.kind !== 'word') return;
  walk.declared.add(name.start);
  const parameter = walk.facts.define({
    name: name.text,
    kind: DefinitionKind.parameter,
    flags: DefinitionFlag.value,
    nameStart: name.start,
    start: name.start,
    end: name.end,
    scope,
  });
  walk.facts.facet(definition, Facet.parameter, walk.facts.node(NodeOp.Parameter, 0, parameter));
}

/** `alter table t add [column] c type`. */
function addColumns(walk: SqlWalk, statement: readonly SqlToken[], scope: number): void {
  const { facts } = walk;
  const at = statement.findIndex(({ text }) => text === 'table');
  const named = at === -1 ? undefined : nameAfter(statement, at + 1);
  if (named === undefined) return;
  for (let index = named.next; index < statement.length; index += 1) {
    if (statement[index]?.text !== 'add') continue;
    const from = statement[index + 1]?.text === 'column' ? index + 2 : index + 1;
    const column = nameAfter(statement, from)?.token;
    if (column === undefined || (!column.isQuoted && NO_COLUMN.has(column.text))) continue;
    walk.declared.add(column.start);
    const definition = facts.define({
      name: walk.text.slice(column.start, column.start + column.text.length),
      kind: DefinitionKind.property,
      flags: DefinitionFlag.value | DefinitionFlag.exported | DefinitionFlag.topLevel,
      nameStart: column.start,
      start: statement[0]?.start ?? column.start,
      end: statement.at(-1)?.end ?? column.end,
      scope: -1,
    });
    const table = facts.string(named.token.text);
    facts.facet(definition, Facet.receiver, facts.node(NodeOp.TypeName, scope, [table], []));
  }
}
