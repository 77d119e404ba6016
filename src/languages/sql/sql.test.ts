import { expect, test } from 'vitest';
import { describeFacts, type Section } from '../../testing/describe-facts.ts';
import { extractSql } from './sql.ts';

const lines = (text: string, ...sections: Section[]): string[] =>
  describeFacts(extractSql(text), sections).map((line) => line.replace(/ \d+:\d+/, ''));

test.each([
  ['CREATE TEMP TABLE IF NOT EXISTS a.b (c int);', ['table b', 'property c']],
  ['create table `x` (`order` int, primary key (`order`));', ['table x', 'property order']],
  ['create or replace materialized view v as select 1;', ['table v']],
  ['create unique index concurrently i on t (c);', ['constant i']],
  ['create function f(a int, text) returns int as $$ select 1; $$;', ['function f', 'parameter a']],
  ['create type k as enum (1);', ['type k']],
  ['create schema if not exists s;', ['module s']],
  ['create sequence q start 1;', ['variable q']],
  ['alter table t add column c int, add d int, add constraint e check (1);', ['property c', 'property d']],
  ['create user u;', []],
])('%s defines %j', (text, expected) => {
  expect(lines(text, 'definitions').map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(expected);
});

test('what is done to a table follows from the words before it', () => {
  const text =
    'select 1 from a join b on true; insert into c values (1); update d set e = 1; delete from f; drop table if exists g; call h();';

  expect(lines(text, 'references')).toEqual([
    'reference a value+read',
    'reference b value+read',
    'reference c value+write',
    'reference d value+write',
    'reference f value+write',
    'reference g value+write',
    'reference h value+call',
  ]);
});

test('comments may span lines, and hide what is in them', () => {
  const text = '/* a\ncreate table b (c int);\ngo\n*/\n-- d\n-- e\ncreate table f (g int); /* open\nselect 1 from h';

  expect(lines(text, 'definitions', 'references')).toEqual([
    'table f value+type+exported+topLevel',
    'property g value+exported+topLevel in f',
  ]);
  expect(describeFacts(extractSql(text), ['comments'])).toEqual([
    'comment block 1:0-4:2',
    'comment documentation 5:0-5:4 of f',
    'comment documentation 6:0-6:4 of f',
    'comment block 7:24-8:15',
  ]);
});

test('a line with go alone ends a statement', () => {
  expect(
    lines('select 1\nGO\ncreate table [a].[b] ([c] int)\n go\ndrop table b\n', 'definitions', 'references'),
  ).toEqual([
    'table b value+type+exported+topLevel',
    'property c value+exported+topLevel in b',
    'reference b value+write',
  ]);
});

test('functions and parts of dates behind from are no tables', () => {
  expect(
    lines(
      "select extract(year from now()) from generate_series(1, 2) s, t where substring(n from 1) = ''",
      'references',
    ),
  ).not.toContain('reference now value+read');
});

test('the body of a routine belongs to it, in quotes or not', () => {
  const text = 'create procedure p()\nbegin\n  if 1 then\n    update a set b = 1;\n  end if;\nend;\nselect c from d;\n';
  const facts = extractSql(text);

  expect(describeFacts(facts, ['references'])).toEqual(['reference a 4:11 value+write', 'reference d 7:14 value+read']);
  expect(text.slice(facts.definitions.start(0), facts.definitions.end(0))).toMatch(
    /^create procedure[^;]*;[^;]*;\nend$/,
  );
});

test('nothing that is no SQL breaks the reading', () => {
  for (const text of [
    '',
    ';;;',
    "'",
    '"',
    '$$',
    '$a$ $$',
    '/*',
    '--',
    '((((',
    'create',
    'create table',
    'from',
    'select from from',
    '\0',
  ])
    expect(extractSql(text).errors).toBe(0);
  expect(extractSql(`select ${'('.repeat(1e5)}`).references.count).toBe(0);
  expect(extractSql(`insert into t values ${'(1), '.repeat(1e5)}`).references.count).toBeGreaterThan(0);
});
