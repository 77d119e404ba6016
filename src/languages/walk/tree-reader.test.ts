import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Language, type Node, Parser, type TreeCursor } from 'web-tree-sitter';
import { MAX_DEPTH } from './tree-reader.ts';
import { childrenOf, Field, type SyntaxTree } from './tree.ts';
import { ParserHost, type TreeLanguage } from './trees.ts';

/** A node as both readers show it: kind, place, range. */
type Shown = string;

const CASES: readonly { name: TreeLanguage; text: string }[] = [
  ...(['python/accounts.py', 'go/server.go', 'java/Ledger.java', 'rust/queue.rs'] as const).map((file) => ({
    // The folder of a fixture is the name of its language.
    name: file.split('/')[0] as TreeLanguage,
    text: readFileSync(new URL(`../../../fixtures/${file}`, import.meta.url), 'utf8'),
  })),
  { name: 'python', text: 'def f(:\n  x = = 1\nclass\n' },
  { name: 'python', text: '# héllo 😀\nx = f"{a!r:>{w}} é" # tail\n\n\n\ny = x\n' },
  { name: 'go', text: 'package p\n\nfunc f( { return }\n' },
  { name: 'java', text: 'class A { int f(  }' },
  { name: 'rust', text: "fn f<'a>(x: &'a str) -> { x." },
  { name: 'rust', text: '' },
];

/** Number of every node type that may be kept: all named ones, and all tokens. */
function everyKind(language: Language): Record<string, number> {
  const kinds: Record<string, number> = {};
  language.types.forEach((type: string | undefined, symbol) => {
    if (type === undefined || isComment(type)) return;
    kinds[language.nodeTypeIsNamed(symbol) ? type : `"${type}"`] ??= Object.keys(kinds).length + 1;
  });
  return kinds;
}

const isComment = (type: string): boolean => /^(?:line_|block_)?comment$|^line_continuation$/.test(type);

function withCursor(cursor: TreeCursor, kinds: Record<string, number>): Shown[] {
  const shown: Shown[] = [];
  const fields: Readonly<Record<string, number>> = Field;
  const walk = (): void => {
    const type = cursor.nodeType;
    if (cursor.nodeIsNamed && isComment(type)) return;
    const kind = type === 'ERROR' ? 0 : kinds[cursor.nodeIsNamed ? type : `"${type}"`];
    shown.push(`${kind} ${fields[cursor.currentFieldName ?? ''] ?? 0} ${cursor.startIndex}-${cursor.endIndex}`);
    if (!cursor.gotoFirstChild()) return;
    do walk();
    while (cursor.gotoNextSibling());
    cursor.gotoParent();
  };
  walk();
  return shown;
}

function fromArrays(tree: SyntaxTree): Shown[] {
  return Array.from({ length: tree.count }, (_, index) => {
    const node = index + 1;
    return `${tree.kind[node]} ${tree.field[node]} ${tree.start[node]}-${tree.end[node]}`;
  });
}

function errorsOf(node: Node): number {
  const own = (node.isError ? 1 : 0) + (node.isMissing ? 1 : 0);
  return node.children.reduce((sum, child) => sum + errorsOf(child), own);
}

test.each(CASES)('reads the same nodes from memory as the public cursor of $name (case %#)', async ({ name, text }) => {
  const host = await ParserHost.open();
  const language = await Language.load(readFileSync(new URL(`../../../grammars/${name}.wasm`, import.meta.url)));
  const parser = new Parser().setLanguage(language);
  const kinds = everyKind(language);
  await host.load(name, kinds);

  const read = host.parse(name, text);
  const nodes = fromArrays(read);
  const parsed = parser.parse(text);

  if (parsed === null) throw new Error('the parser gave nothing');
  const cursor = parsed.walk();
  expect(nodes).toEqual(withCursor(cursor, kinds));
  expect(read.errors).toBe(errorsOf(parsed.rootNode));
  cursor.delete();
  parsed.delete();
  parser.delete();
  host.close();
});

test('comments are listed apart from the nodes, with their ranges', async () => {
  const host = await ParserHost.open();
  await host.load('python', { module: 1 });
  const text = '# a\nx = 1 # b\n';

  const { comments } = host.parse('python', text);

  expect([text.slice(comments[0], comments[1]), text.slice(comments[2], comments[3])]).toEqual(['# a', '# b']);
  expect(comments).toHaveLength(4);
  host.close();
});

test('nodes nested too deeply are cut off and counted', async () => {
  const host = await ParserHost.open();
  await host.load('python', { list: 1 });

  const tree = host.parse('python', `${'['.repeat(2000)}${']'.repeat(2000)}`);

  const depthOf = (node: number): number => Math.max(0, ...childrenOf(tree, node).map(depthOf)) + 1;
  expect(depthOf(1)).toBe(MAX_DEPTH + 1);
  expect(tree.errors).toBe(1);
  host.close();
});
