import { expect, test } from 'vitest';
import { extractTypeScript } from '../typescript/typescript.ts';
import { areWellFormed } from './facts-check.ts';
import { Definition, type FileFacts, Reference, Scope } from './facts.ts';
import { TABLES } from './table.ts';

const facts = extractTypeScript(
  'typescript',
  [
    "import { base } from './base.ts';",
    '/** Sums up. */',
    'export function sum(items: number[]): number {',
    '  return items.map((item) => base(item, { deep: true })).reduce((one, other) => one + other, 0);',
    '}',
  ].join('\n'),
);

/** The facts with one value of a table replaced. */
function damageFacts(table: 'scopes' | 'definitions' | 'references', at: number, to: number): FileFacts {
  return { ...facts, [table]: new TABLES[table](facts[table].words.with(at, to)) };
}

const innermost = facts.scopes.count - 1;
const parentOfInnermost = innermost * TABLES.scopes.width + Scope.parent;

test('what an extractor says is well formed', () => {
  expect(areWellFormed(facts)).toBe(true);
});

test.each([
  ['a scope in itself', damageFacts('scopes', parentOfInnermost, innermost)],
  ['a scope that is not there', damageFacts('scopes', parentOfInnermost, 1_000)],
  ['a name that is not there', damageFacts('references', Reference.name, facts.strings.length)],
  ['an owner below none', damageFacts('definitions', Definition.owner, -2)],
  ['a type that is no node', damageFacts('definitions', Definition.type, facts.nodes.length)],
  ['an operation that is none', { ...facts, nodes: facts.nodes.with(0, 31) }],
  ['a pool that ends within a node', { ...facts, nodes: facts.nodes.slice(0, -1) }],
  ['a table that ends within a row', { ...facts, members: new TABLES.members(facts.members.words.slice(0, -1)) }],
])('facts with %s are not', (_, broken) => {
  expect(areWellFormed(broken)).toBe(false);
});

test('of the words of nodes only positions may be anything', () => {
  const free = [...facts.nodes.keys()].filter((at) =>
    areWellFormed({ ...facts, nodes: facts.nodes.with(at, 2 ** 31 - 1) }),
  );

  expect(free.map((at) => facts.nodes[at])).toEqual([0, 0, 1, 0, 0, 1]);
});
