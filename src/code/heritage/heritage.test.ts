import { afterAll, beforeAll, expect, test } from 'vitest';
import { withIndexed } from '../../testing/indexed-code.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { findDefinitions } from '../symbols/store-symbols.ts';
import { implementations } from './heritage.ts';

const FILES = {
  'a.go': [
    'package x',
    'type Reader interface {',
    '\tRead(p []byte) (n int, err error)',
    '\tCloser',
    '}',
    'type Closer interface { Close() error }',
    'type Sized[T any] interface { Size(T) int }',
  ].join('\n'),
  'b.go': [
    'package x',
    'type File struct { name string }',
    'func (f *File) Read(buf []byte) (int, error) { return 0, nil }',
    'func (f *File) Close() error { return nil }',
    'type Logged struct { *File; n int }',
    'type Wrong struct {}',
    'func (w Wrong) Read(buf string) (int, error) { return 0, nil }',
    'func (w Wrong) Close() error { return nil }',
    'func (w Wrong) Size(of string) int { return 0 }',
  ].join('\n'),
  'lib.rs': [
    'pub trait Shape { fn area(&self) -> f64; }',
    'pub trait Marker {}',
    'pub struct Circle;',
    'impl Shape for Circle { fn area(&self) -> f64 { 1.0 } }',
    'impl<T> Shape for Vec<T> { fn area(&self) -> f64 { 1.0 } }',
    'impl Marker for Circle {}',
    'fn show(one: &dyn Shape) -> f64 { one.area() }',
  ].join('\n'),
  'a.ts': [
    'export interface Handler { handle(): void }',
    'export interface Named extends Handler { name: string }',
    'export const one: Handler = { handle() {} };',
    'export class Two implements Handler { handle() {} }',
    'export class Three extends Two { handle() {} }',
    'export class Four extends Three {}',
  ].join('\n'),
  'A.java': [
    'interface Run { void run(); }',
    'class All {',
    '  Run first = new Run() { public void run() {} };',
    '  void both() {',
    '    use(new Run() { public void run() {} }, new Run() { public void run() {} });',
    '  }',
    '}',
  ].join('\n'),
};

let db: ShardDatabase;
let close: () => void;
let closed: Promise<void>;

beforeAll(async () => {
  await new Promise<void>((ready) => {
    closed = withIndexed(
      FILES,
      (opened) =>
        new Promise<void>((done) => {
          db = opened;
          close = done;
          ready();
        }),
    );
  });
});

afterAll(async () => {
  close();
  await closed;
});

/** `line name relation grade` of each, with the depth beyond the first. */
function of(query: string, page = { limit: 100, offset: 0 }): string[] {
  const symbols = findDefinitions(db, { query, limit: 10 }).rows.map(({ id }) => id);
  return implementations(db, { symbols, ...page }).rows.map(
    ({ line, qualified, relation, grade, depth }) =>
      `${line} ${qualified} ${relation} ${grade}${depth === 1 ? '' : ` ${depth}`}`,
  );
}

test('of a type: what is made from it at any depth', () => {
  expect(of('Handler')).toEqual([
    '2 Named extends resolved',
    '3 one/handle implements resolved',
    '4 Two implements resolved',
    '5 Three implements resolved 2',
    '6 Four implements resolved 3',
  ]);
  expect(of('Two')).toEqual(['5 Three extends resolved', '6 Four extends resolved 2']);
});

test('of a member: the members that override it, not those of a sibling', () => {
  expect(of('Handler/handle')).toEqual([
    '3 one/handle implements resolved',
    '4 Two/handle implements resolved',
    '5 Three/handle overrides resolved 2',
  ]);
  expect(of('Two/handle')).toEqual(['5 Three/handle overrides resolved']);
  expect(of('Three/handle')).toEqual([]);
});

test('anonymous classes are told by their members, two in one function twice', () => {
  expect(of('Run')).toEqual([
    '3 All/first/run implements resolved',
    '5 All/both/run implements resolved',
    '5 All/both/run implements resolved',
  ]);
});

test('Go: what has all methods of an interface with their types, lent ones too', () => {
  expect(of('Reader')).toEqual(['2 File implements resolved', '5 Logged implements resolved']);
  expect(of('Reader/Read')).toEqual(['3 File/Read implements resolved']);
  expect(of('Closer')).toEqual([
    '2 Reader extends resolved',
    '2 File implements resolved',
    '5 Logged implements resolved',
    '6 Wrong implements resolved',
  ]);
});

test('Go: of an interface with type parameters only the names can be compared', () => {
  expect(of('Sized')).toEqual(['6 Wrong implements name']);
});

test('Rust: blocks that implement a trait, for types of others and without members too', () => {
  expect(of('Shape')).toEqual(['4 Circle implements resolved', '5 Vec implements resolved']);
  expect(of('Marker')).toEqual(['6 Circle implements resolved']);
  expect(of('Shape/area')).toEqual(['4 Circle/area implements resolved', '5 area implements resolved']);
});

test('what a symbol is made from is told apart, and pages together are the whole', () => {
  const [two] = findDefinitions(db, { query: 'Two', limit: 1 }).rows;
  const [file] = findDefinitions(db, { query: 'File', limit: 1 }).rows;
  const aboveOf = (id = -1): string[] =>
    implementations(db, { symbols: [id], limit: 1, offset: 0 }).above.map(({ name }) => name);

  expect(aboveOf(two?.id)).toEqual(['Handler']);
  expect(aboveOf(file?.id)).toEqual(['Reader', 'Closer']);
  for (const limit of [1, 2, 3]) {
    const pages = [0, 1, 2, 3, 4, 5].flatMap((page) => of('Handler', { limit, offset: page * limit }));
    expect(pages).toEqual(of('Handler'));
  }
});

/** Symbols that a query means, and how it was understood. */
const describeMatches = (query: string): string[] => {
  const { match, rows } = findDefinitions(db, { query, limit: 9 });
  return rows.map(({ qualified }) => `${match} ${qualified}`);
};

test('a member that a type inherits is found under the type, that of the nearest base', () => {
  expect(describeMatches('Four/handle')).toEqual(['inherited Three/handle']);
  expect(describeMatches('Named.handle')).toEqual(['inherited Handler/handle']);
  expect(describeMatches('Four/name')).toEqual([]);
});
