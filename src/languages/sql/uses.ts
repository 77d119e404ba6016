import { DefinitionFlag, DefinitionKind, NodeOp, ReferenceHow, UseFlag } from '../facts/facts.ts';
import type { SqlWalk } from './sql.ts';
import type { SqlToken } from './tokens.ts';

const READ = UseFlag.value | UseFlag.read;
const WRITE = UseFlag.value | UseFlag.write;
const CALL = UseFlag.value | UseFlag.call;
const TYPE = UseFlag.value | UseFlag.typeUse;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Words that a table's name follows, and what is done to the table. */
const TABLE_AFTER: ReadonlyMap<string, number> = new Map([
  ['from', READ],
  ['join', READ],
  ['using', READ],
  ['into', WRITE],
  ['update', WRITE],
  ['truncate', WRITE],
  ['table', WRITE],
  ['view', WRITE],
  ['references', TYPE],
]);
const BEFORE_INTO = words('insert ignore replace merge overwrite');
/** Words that may stand between those and the name. */
const SKIPPED = words('only lateral table if not exists or replace ignore');
/** Words that may follow a table's name and are no alias of it. */
const NO_ALIAS = words(
  'where on using join inner left right full cross natural outer group order having limit offset union except ' +
    'intersect set values select returning as with for when then window fetch default add drop alter rename column ' +
    'do execute begin is cascade restrict to in and or not end if loop return tablesample partition enable disable owner ' +
    'into from lateral after before instead each deferrable match constraint references check primary key unique null',
);
/** Words that are no columns. Those of expressions only: a name that no table has costs nothing. */
const NO_COLUMN = words(
  'select distinct all from where and or not null is in like ilike between case when then else end as on group by order ' +
    'having limit offset asc desc true false insert into values update set delete returning union except intersect exists ' +
    'any some cast interval current_date current_timestamp default with recursive create table view or replace if join left ' +
    'right inner outer full cross using nulls first last over partition rows range unbounded preceding following begin ' +
    'declare return returns language for each row execute function procedure trigger before after',
);

/** State of one statement while it is read. */
interface Reading {
  walk: SqlWalk;
  statement: readonly SqlToken[];
  scope: number;
  /** Tables of the statement, by name. */
  tables: Set<string>;
  /** Tokens whose meaning is decided. */
  done: Set<SqlToken>;
}

/**
 * Notes the uses in one statement: tables behind `from`, `join`, `into` and the like, functions before parentheses,
 * columns with a table or alias before them, and columns alone when the statement names one table only. An alias and the
 * name of a `with` query are variables of the statement.
 */
export function readSqlUses(walk: SqlWalk, statement: readonly SqlToken[], scope: number): void {
  const reading: Reading = { walk, statement, scope, tables: new Set(), done: new Set() };
  defineQueries(reading);
  statement.forEach((token, index) => {
    const flags = token.kind === 'word' && !token.isQuoted ? TABLE_AFTER.get(token.text) : undefined;
    // `select a into b` sets a variable.
    const isVariable = token.text === 'into' && !BEFORE_INTO.has(statement[index - 1]?.text ?? '');
    if (flags !== undefined && !isVariable) readTables(reading, index + 1, tableFlags(statement, index, flags));
    else if (token.text === 'on' && isIndexOrTrigger(statement)) readTables(reading, index + 1, TYPE);
  });
  statement.forEach((token, index) => {
    if (token.kind === 'word' && !reading.done.has(token) && !walk.declared.has(token.start))
      readName(reading, token, index);
  });
}

/** `delete from t` and `drop table t` change the table; `create table t` and `from (` are none of it. */
function tableFlags(statement: readonly SqlToken[], index: number, flags: number): number {
  return statement[index]?.text === 'from' && statement[index - 1]?.text === 'delete' ? WRITE : flags;
}

function isIndexOrTrigger(statement: readonly SqlToken[]): boolean {
  return (
    statement[0]?.text === 'create' && statement.slice(1, 5).some(({ text }) => text === 'index' || text === 'trigger')
  );
}

/** `with a as (...), b as (...)`: names that hide tables. */
function defineQueries({ statement, walk, scope, done }: Reading): void {
  if (!statement.some(({ text }) => text === 'with')) return;
  statement.forEach((token, index) => {
    const before = statement[index - 1]?.text ?? '';
    const isNamed = token.kind === 'word' && statement[index + 1]?.text === 'as' && statement[index + 2]?.text === '(';
    if (isNamed && (before === 'with' || before === 'recursive' || before === ',')) {
      define(walk, token, scope, 0);
      done.add(token);
    }
  });
}

function define({ facts }: SqlWalk, token: SqlToken, scope: number, value: number): void {
  const definition = facts.define({
    name: token.text,
    kind: DefinitionKind.variable,
    flags: DefinitionFlag.value,
    nameStart: token.start,
    start: token.start,
    end: token.end,
    scope,
  });
  facts.amend(definition, 'value', value);
}

/** Reads the tables from a token on: `a, b as c` behind `from`, one behind the others. */
function readTables(reading: Reading, from: number, flags: number): void {
  const { statement, walk, scope, done, tables } = reading;
  const isList = statement[from - 1]?.text === 'from';
  for (let at = from; ;) {
    while (SKIPPED.has(statement[at]?.text ?? '') && statement[at]?.isQuoted === false) at += 1;
    while (statement[at]?.kind === 'word' && statement[at + 1]?.text === '.') {
      const schema = statement[at];
      if (schema !== undefined) done.add(schema);
      at += 2;
    }
    const token = statement[at];
    if (token?.kind !== 'word' || done.has(token) || (!token.isQuoted && NO_ALIAS.has(token.text))) return;
    // `extract(year from x)`, `substring(x from 1)`, a function that gives rows: no table.
    if (statement[at + 1]?.text === '(' && isList) return;
    done.add(token);
    if (!walk.declared.has(token.start)) refer(reading, token, flags);
    tables.add(token.text);
    at += 1;
    if (statement[at]?.text === 'as') at += 1;
    const alias = statement[at];
    if (alias?.kind === 'word' && (alias.isQuoted || !NO_ALIAS.has(alias.text)) && statement[at + 1]?.text !== '.') {
      define(walk, alias, scope, walk.facts.node(NodeOp.Identifier, walk.facts.string(token.text), scope));
      done.add(alias);
      at += 1;
    }
    if (!isList || statement[at]?.text !== ',') {
      if (statement[at]?.text === '(') readColumns(reading, at, token, flags);
      return;
    }
    at += 1;
  }
}

/** `insert into t (a, b)`, `references t (a)`. */
function readColumns(reading: Reading, open: number, table: SqlToken, flags: number): void {
  const { statement, done } = reading;
  if (statement[0]?.text === 'create' && flags === WRITE) return;
  for (let at = open + 1; at < statement.length && statement[at]?.text !== ')'; at += 1) {
    const token = statement[at];
    if (token?.kind !== 'word' || statement[at + 1]?.text === '(') continue;
    done.add(token);
    access(reading, token, table.text, flags === TYPE ? READ : flags);
  }
}

function readName(reading: Reading, token: SqlToken, index: number): void {
  const { statement, tables } = reading;
  const next = statement[index + 1];
  const before = statement[index - 1];
  if (before?.text === '.' || (next?.text === '.' && statement[index + 2]?.kind === 'word')) {
    if (next?.text === '.') readQualified(reading, token, index);
    return;
  }
  if (next?.text === '(') {
    if (token.isQuoted || !NO_COLUMN.has(token.text)) refer(reading, token, CALL);
    return;
  }
  if (!token.isQuoted && NO_COLUMN.has(token.text)) return;
  const [only, ...others] = tables;
  if (only !== undefined && others.length === 0) access(reading, token, only, usedAs(statement, index));
}

/** `set a = 1` and what follows up to `where` writes. */
function usedAs(statement: readonly SqlToken[], index: number): number {
  if (statement[0]?.text !== 'update' || statement[index + 1]?.text !== '=') return READ;
  const before = statement[index - 1]?.text;
  const isSet = !statement.slice(0, index).some(({ text }) => text === 'where');
  return isSet && (before === 'set' || before === ',') ? WRITE : READ;
}

/** `t.a`, `schema.t.a`, `schema.f(`: the last two names matter. */
function readQualified(reading: Reading, first: SqlToken, index: number): void {
  const { statement, done } = reading;
  const path = [first];
  let at = index;
  while (statement[at + 1]?.text === '.' && statement[at + 2]?.kind === 'word') {
    const token = statement[at + 2];
    if (token !== undefined) path.push(token);
    at += 2;
  }
  for (const token of path) done.add(token);
  const last = path.at(-1) ?? first;
  if (statement[at + 1]?.text === '(') {
    refer(reading, last, CALL);
    return;
  }
  const table = path.at(-2) ?? first;
  refer(reading, table, READ);
  access(reading, last, table.text, usedAs(statement, at));
}

function refer({ walk, scope }: Reading, token: SqlToken, flags: number): void {
  walk.facts.references.add(walk.facts.string(token.text), token.start, scope, flags, ReferenceHow.scoped, 0, 0);
}

function access({ walk, scope }: Reading, token: SqlToken, table: string, flags: number): void {
  const { facts } = walk;
  const receiver = facts.node(NodeOp.Identifier, facts.string(table), scope);
  facts.members.add(facts.string(token.text), token.start, receiver, flags, scope);
}
