import { expect, test } from 'vitest';
import { describeFacts } from '../../testing/describe-facts.ts';
import { extractTypeScript } from './typescript.ts';

function metricsOf(source: string): string[] {
  return describeFacts(extractTypeScript('tsx', source), ['metrics']);
}

const MEASURES: readonly [name: string, source: string, cyclomatic: number, cognitive: number, nesting: number][] = [
  ['a plain function', 'function f() { return 1; }', 1, 0, 0],
  ['nested structures', 'function f() { for (;;) { if (a) { while (b) {} } } }', 4, 6, 3],
  ['else if and else', 'function f() { if (a) {} else if (b) {} else {} }', 3, 3, 1],
  ['a switch', 'function f() { switch (a) { case 1: case 2: break; default: } }', 3, 1, 1],
  ['runs of operators', 'function f() { return a && b && c || d && e; }', 5, 2, 0],
  ['a nullish default', 'function f() { return a ?? b; }', 2, 0, 0],
  ['try and catch', 'function f() { try { a(); } catch { if (b) {} } }', 2, 3, 2],
  ['a labelled jump', 'function f() { x: for (;;) { continue x; } }', 2, 2, 1],
  ['conditional expressions', 'function f() { return a ? b : c ? d : e; }', 3, 3, 2],
  ['a short-circuit in JSX', 'function f() { return <a>{b && <c />}</a>; }', 2, 0, 0],
  ['logical assignment', 'function f() { a ||= 1; }', 2, 0, 0],
];

test.each(MEASURES)('measures %s', (_name, source, ...measures) => {
  const [cyclomatic, cognitive, nesting] = measures;

  const [metric] = metricsOf(source);

  expect(metric).toBe(
    `metric f cyclomatic ${cyclomatic} cognitive ${cognitive} nesting ${nesting} parameters 0 codeLines 1`,
  );
});

test('measures nested functions on their own, and counts lines with code only', () => {
  const facts = metricsOf(
    `function outer(a, b) {
  // a comment

  const inner = () => {
    if (a) return b; /* trailing
    comment */
  };
  return inner;
}`,
  );

  expect(facts).toEqual([
    'metric inner cyclomatic 2 cognitive 1 nesting 1 parameters 0 codeLines 3',
    'metric outer cyclomatic 1 cognitive 0 nesting 0 parameters 2 codeLines 6',
  ]);
});
