import { expect, test } from 'vitest';
import type { FileFacts } from '../facts/facts.ts';
import { GO } from '../go/go.ts';
import { JAVA } from '../java/java.ts';
import { PYTHON } from '../python/python.ts';
import { RUST } from '../rust/rust.ts';
import { ParserHost } from './trees.ts';

const host = await ParserHost.open();
await host.load('python', PYTHON.kinds);
await host.load('go', GO.kinds);
await host.load('java', JAVA.kinds);
await host.load('rust', RUST.kinds);

interface Measured {
  cyclomatic: number;
  cognitive: number;
  nesting: number;
}

const measured = ({ metrics }: FileFacts, row = 0): Measured => ({
  cyclomatic: metrics.cyclomatic(row),
  cognitive: metrics.cognitive(row),
  nesting: metrics.nesting(row),
});

const go = (body: string): FileFacts => GO.extract(host, `package p\nfunc f() {\n${body}\n}\n`);
const java = (body: string): FileFacts => JAVA.extract(host, `class C { void f() {\n${body}\n} }\n`);
const rust = (body: string): FileFacts => RUST.extract(host, `fn f() {\n${body}\n}\n`);
const python = (body: string): FileFacts => PYTHON.extract(host, `def f():\n${body.replaceAll(/^/gm, '    ')}\n`);

/** The same constructs in four languages score the same: counted by hand after the definition of cognitive complexity. */
test.each([
  {
    what: 'a straight line',
    expected: { cyclomatic: 1, cognitive: 0, nesting: 0 },
    in: [python('return 1'), go('return'), java('return;'), rust('1')],
  },
  {
    what: 'if, else if, else',
    expected: { cyclomatic: 3, cognitive: 3, nesting: 1 },
    in: [
      python('if a:\n  x()\nelif b:\n  y()\nelse:\n  z()'),
      go('if a { x() } else if b { y() } else { z() }'),
      java('if (a) { x(); } else if (b) { y(); } else { z(); }'),
      rust('if a { x() } else if b { y() } else { z() }'),
    ],
  },
  {
    what: 'a condition in a loop in a condition',
    expected: { cyclomatic: 4, cognitive: 6, nesting: 3 },
    in: [
      python('if a:\n  for b in c:\n    if d:\n      x()'),
      go('if a { for _, b := range c { if d { x() } } }'),
      java('if (a) { for (B b : c) { if (d) { x(); } } }'),
      rust('if a { for b in c { if d { x() } } }'),
    ],
  },
  {
    what: 'runs of logical operators',
    expected: { cyclomatic: 5, cognitive: 3, nesting: 1 },
    in: [
      python('if a and b and c or d:\n  x()'),
      go('if a && b && c || d { x() }'),
      java('if (a && b && c || d) { x(); }'),
      rust('if a && b && c || d { x() }'),
    ],
  },
  {
    what: 'a switch of two cases with a condition in one',
    expected: { cyclomatic: 4, cognitive: 3, nesting: 2 },
    in: [
      python('match a:\n  case 1:\n    if b:\n      x()\n  case 2:\n    y()'),
      go('switch a { case 1: if b { x() }; case 2: y(); default: z() }'),
      java('switch (a) { case 1: if (b) { x(); } break; case 2: y(); default: z(); }'),
    ],
  },
  {
    what: 'a condition in a function without a name',
    expected: { cyclomatic: 2, cognitive: 2, nesting: 2 },
    in: [go('g(func() { if a { x() } })'), java('g(() -> { if (a) { x(); } });'), rust('g(|| { if a { x() } })')],
  },
  {
    what: 'a jump to a label',
    expected: { cyclomatic: 2, cognitive: 2, nesting: 1 },
    in: [go('out: for { break out }'), java('out: while (a) { break out; }'), rust("'out: loop { break 'out; }")],
  },
])('$what scores the same in every language', ({ in: samples, expected }) => {
  expect(samples.map((facts) => measured(facts))).toEqual(samples.map(() => expected));
});

test('what only one language has', () => {
  expect(measured(python('for a in b:\n  x()\nelse:\n  y()'))).toEqual({ cyclomatic: 2, cognitive: 1, nesting: 1 });
  expect(measured(python('return [a for a in b if c]'))).toEqual({ cyclomatic: 3, cognitive: 0, nesting: 0 });
  expect(measured(python('try:\n  x()\nexcept A:\n  y()\nfinally:\n  z()'))).toEqual({
    cyclomatic: 2,
    cognitive: 1,
    nesting: 1,
  });
  expect(measured(java('int x = a ? b : c ? d : e;'))).toEqual({ cyclomatic: 3, cognitive: 3, nesting: 2 });
  expect(measured(rust('match a { 1 => x(), _ if b => y(), _ => z() }'))).toEqual({
    cyclomatic: 4,
    cognitive: 1,
    nesting: 1,
  });
});

test('a function inside another is measured by itself', () => {
  const facts = python('if a:\n  def g():\n    if b:\n      x()');

  expect([measured(facts, 0), measured(facts, 1)]).toEqual([
    { cyclomatic: 2, cognitive: 1, nesting: 1 },
    { cyclomatic: 2, cognitive: 1, nesting: 1 },
  ]);
});

test('lines of code leave out blanks and comments', () => {
  const { metrics } = java('// first\n\n  x(); // tail\n  /* a\n     b */\n  /* c */ y();\n');

  expect(metrics.codeLines(0)).toBe(4);
});
