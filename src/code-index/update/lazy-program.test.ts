import { expect, test } from 'vitest';
import { Extractors } from '../../languages/extract/extract.ts';
import { groupOf, languageOfText } from '../../languages/languages.ts';
import { headOf } from '../program/file-head.ts';
import { resolveFiles } from '../resolve/resolve.ts';
import { countSymbols, lazyProgram } from './lazy-program.ts';

const GO = {
  'cart/cart.go': 'package cart\n\ntype Cart struct{}\n\nfunc New() *Cart { return &Cart{} }\n',
  'cart/tax.go': 'package cart\n\nfunc (c *Cart) Tax() int { return 1 }\n',
  'go.mod': 'module example.org/shop\n',
  'main.go': 'package main\n\nimport "example.org/shop/cart"\n\nfunc main() { cart.New().Tax() }\n',
  'mail/mail.go': 'package mail\n\ntype Mail struct{}\n\nfunc (m *Mail) Tax() int { return 2 }\n',
};
const JAVA = {
  'shop/Cart.java': 'package shop;\nclass Cart { int tax() { return 1; } }\n',
  'shop/Mail.java': 'package shop;\nclass Mail { int tax() { return 2; } }\n',
  'shop/Main.java': 'package shop;\nclass Main { int run(Cart cart) { return cart.tax(); } }\n',
};

/** Bits of names: each is one of a member and of something else. */
const symbolNames = (): Uint8Array => new Uint8Array(100).fill(3);

/** Resolves one file of a program, and returns the paths of the files that were loaded for it. */
async function loadedFor(path: string, sources: Record<string, string>): Promise<string[]> {
  const extractors = new Extractors();
  const paths = Object.keys(sources).toSorted();
  const files: Parameters<typeof lazyProgram>[0][number][] = [];
  for (const each of paths) {
    const text = sources[each] ?? '';
    const { parser } = languageOfText(each, text);
    const facts = parser === undefined ? undefined : await extractors.extract(parser, text);
    if (facts === undefined || parser === undefined) files.push({ path: each, definitions: 0, symbols: 0 });
    else
      files.push({
        path: each,
        definitions: facts.definitions.count,
        symbols: countSymbols(each, facts),
        group: groupOf(parser),
        facts: () => facts,
        head: () => headOf(facts),
      });
  }
  const { program, table, loaded } = lazyProgram(files);
  const scope = { program, table, configs: new Map(Object.entries(sources)), symbolNames };
  await resolveFiles(scope, new Set([paths.indexOf(path)]), { signal: new AbortController().signal });
  return paths.filter((_, file) => loaded.has(file));
}

test('of Go the files of a package are loaded when one of its types is used, of Java those of the types', async () => {
  expect(await loadedFor('main.go', GO)).toEqual(['cart/cart.go', 'cart/tax.go', 'main.go']);
  expect(await loadedFor('shop/Main.java', JAVA)).toEqual(['shop/Cart.java', 'shop/Main.java']);
});
