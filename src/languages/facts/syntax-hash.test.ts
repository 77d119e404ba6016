import { expect, test } from 'vitest';
import { Extractors } from '../extract/extract.ts';
import type { Parser } from '../languages.ts';
import type { FileFacts } from './facts.ts';
import { sketchAt, syntaxNumber } from './syntax-hash.ts';

const extractors = new Extractors();
const fileHash = async (parser: Parser, text: string): Promise<number> =>
  syntaxNumber((await extractors.extract(parser, text)).syntax, 0);

async function sketch(lines: string[]): Promise<number[]> {
  const facts = await extractors.extract('typescript', `function f(input: string) {\n${lines.join('\n')}\n}`);
  return [...sketchAt(facts, rowOf(facts, 'f'))];
}

function common(sketched: number[], otherSketch: number[]): number {
  return sketched.filter((shingle) => otherSketch.includes(shingle)).length / sketched.length;
}

/** Token, first and last line of each fingerprint by its hash. */
function prints({ fingerprints }: FileFacts): Map<number, number[]> {
  return new Map(
    Array.from({ length: fingerprints.count }, (_, row) => [
      fingerprints.hash(row),
      [fingerprints.token(row), fingerprints.line(row), fingerprints.endLine(row)],
    ]),
  );
}

/** The row of `facts.syntax` for the definition of a name. */
function rowOf({ syntax, definitions, strings }: FileFacts, name: string): number {
  for (let row = 1; row < syntax.count; row += 1)
    if (strings[definitions.name(syntax.definition(row))] === name) return row;
  throw new Error(`nothing is named ${name}`);
}

async function symbolHash(parser: Parser, text: string, name: string): Promise<number> {
  const facts = await extractors.extract(parser, text);
  return syntaxNumber(facts.syntax, rowOf(facts, name));
}

test.for<[parser: Parser, source: string, otherSource: string]>([
  ['typescript', 'const a = "x";\nf(a);', "const a = 'x' // why\n\nf( a, )\n"],
  ['typescript', `const a = "it's";`, `const a = 'it\\'s'`],
  ['typescript', 'list.map((x) => x + 1);', 'list\n  .map(x => x+1)'],
  ['typescript', 'type A = "a" | "b";', 'type A =\n  | "a"\n  | "b"'],
  ['typescript', 'const o = {\n  a: [1, 2],\n  b,\n};', 'const o = { a: [1, 2,], b }'],
  ['typescript', 'class A {\n  b = 1;\n  c() { return 1; }\n}', 'class A { b = 1\n c() { return 1 }\n}'],
  ['typescript', 'a();\n(b)();', 'a()\n;(b)()'],
  ['typescript', 'const t = `${ a /* c */ } // x`;', 'const t = `${a} // x`'],
  [
    'tsx',
    'const a = <p className="x">don\'t stop</p>;',
    'const a = (x) as never'.replace('(x) as never', "<p className='x'>\n  don't\n  stop\n</p>"),
  ],
  ['javascript', 'const r = /[/"]+/g; f(r)', 'const r = /[/"]+/g\nf(r);'],
  [
    'python',
    'def f(a, b):\n    return a + b\n',
    'def f(\n        a,\n        b,\n):\n\n  # sum\n  return (a + b)\n'.replace('(a + b)', 'a + b'),
  ],
  ['python', 'x = "a"\ny = {"b": 1}\n', "x = 'a'; y = {\n    'b': 1,\n}\n"],
  ['python', 'def f():\n    """What it does."""\n    return 1\n', 'def f():\n    return 1\n'],
  ['go', 'package a\n\nfunc f() { g(); h() }\n', 'package a\nfunc f() {\n\tg()\n\th() // twice\n}\n'],
  ['rust', "fn f<'a>(x: &'a str) { g(x) }", "fn f<'a>(\n    x: &'a str,\n) {\n    g(x)\n}"],
  ['java', 'class A { int f() { return 1; } }', 'class A {\n  /** One. */\n  int f() {\n    return 1;\n  }\n}'],
])('%s: how %j is written does not count', async ([parser, source, otherSource]) => {
  expect(await fileHash(parser, source)).toBe(await fileHash(parser, otherSource));
});

test.for<[parser: Parser, source: string, otherSource: string]>([
  ['typescript', 'const a = "x y"', 'const a = "x  y"'],
  ['typescript', 'const a = "x"', 'const a = `x`'],
  ['typescript', 'a();\n(b)()', 'a()\n(b)()'],
  ['typescript', 'function f() { return\n1 }', 'function f() { return 1 }'],
  ['typescript', 'while (a()); b()', 'while (a()) b()'],
  ['typescript', 'for (; a; );', 'for (a; ; );'],
  ['typescript', 'f([1, , 2])', 'f([1, 2])'],
  ['typescript', 'a - -b', 'a-- - b'],
  ['typescript', 'f(a, b)', 'f(b, a)'],
  ['typescript', 'f((a) => b)', 'f((a, b) => b)'],
  ['python', 'if a:\n    b()\nc()\n', 'if a:\n    b()\n    c()\n'],
  ['python', 'a = (1,)\n', 'a = (1)\n'],
  ['python', 'a = b\n-c\n', 'a = b - c\n'],
  ['python', 'f("""a""")\n', 'f("""a \n""")\n'],
  ['rust', 'fn f() -> i32 { 1 }', 'fn f() -> i32 { 1; }'],
  ['rust', 'fn f() { g(r#"a"b"#) }', 'fn f() { g(r#"a"c"#) }'],
  ['java', "class A { char a = '\"'; int b; }", "class A { char a = '\"'; long b; }"],
  ['go', 'package a\nvar b = `c`\n', 'package a\nvar b = "c"\n'],
])('%s: %j is not %j', async ([parser, source, otherSource]) => {
  expect(await fileHash(parser, source)).not.toBe(await fileHash(parser, otherSource));
});

test('the hash of a symbol depends neither on its name nor on its place', async () => {
  const body = '(n: number): number { if (n > 1) { return NAME(n - 1); } return 0; }';
  const written = (name: string): string => `function ${name}${body.replace('NAME', name)}`;
  const before = await symbolHash('typescript', written('count'), 'count');

  expect(await symbolHash('typescript', `const x = 1;\n\nclass A {}\n${written('countDown')}`, 'countDown')).toBe(
    before,
  );
  expect(await symbolHash('typescript', written('count').replace('return 0', 'return 1'), 'count')).not.toBe(before);

  const method = 'def METHOD(self):\n    if self.a:\n        return 1\n    return 2\n';
  const inside = `class A:\n${method.replaceAll(/^/gm, '    ').replace('METHOD', 'g').trimEnd()}\n`;
  expect(await symbolHash('python', inside, 'g')).toBe(await symbolHash('python', method.replace('METHOD', 'f'), 'f'));
});

test('the likeness of two sketches tells a small change from another function', async () => {
  const lines = Array.from({ length: 20 }, (_, at) => `  const v${at} = read(input, ${at}) + other${at % 3}();`);
  const base = await sketch(lines);

  expect(base).toHaveLength(24);
  expect(base).toEqual(base.toSorted((a, b) => a - b));
  expect(common(base, await sketch(lines.with(3, '  const w = read(input, 77);')))).toBeGreaterThan(0.7);
  expect(common(base, await sketch(lines.map((_, at) => `  for (const x of list${at}) emit(x);`)))).toBeLessThan(0.1);
});

test('two files that share 27 tokens in a row share a fingerprint with its lines', async () => {
  const shared = Array.from({ length: 6 }, (_, at) => `call(${at}, value);`).join('\n');
  const before = await extractors.extract('typescript', `const a = 1;\n${shared}\nconst b = 2;`);
  const other = await extractors.extract('typescript', `\n\nlet z;\nlet y;\n${shared}`);
  const shares = [...prints(before)].filter(([hash]) => prints(other).has(hash));
  expect(shares.length).toBeGreaterThan(0);
  for (const [hash, [, line = 0, end = 0]] of shares) {
    expect(line).toBeGreaterThanOrEqual(2);
    expect(end).toBeLessThanOrEqual(7);
    expect(prints(other).get(hash)?.slice(1)).toEqual([line + 3, end + 3]);
  }
});

test.for(['`', '"', "'", '/*', '`${', '((((', '}}}', '/', '\\', 'r#"', '"""', '\u{1F600}', ','])(
  'text that is no program has a hash: %j',
  async (text) => {
    for (const parser of ['typescript', 'python', 'rust', 'go', 'java'] as const)
      expect(await fileHash(parser, text.repeat(3))).toBeGreaterThanOrEqual(0);
  },
);
