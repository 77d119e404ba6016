import { expect, test } from 'vitest';
import { sketchLikeness } from '../compare-anchors.ts';
import { isTextSyntax, textPlaces } from './text-places.ts';

function places(text: string, name: string, path = 'a.ts'): [string, number][] {
  return textPlaces(text.split('\n'), name, path).map(({ scope, line }) => [scope.join('.'), line]);
}

function syntax(text: string, path = 'a.ts'): string | undefined {
  return textPlaces(text.split('\n'), 'run', path)[0]?.syntax;
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

test('definitions that are no symbols are found by how their line is written, uses are not', () => {
  const text = [
    'export const socket = create({',
    '  close(code) {',
    '    end(code);',
    '  },',
    '  message(',
    '    event,',
    '  ) {',
    '    call(',
    '      event,',
    '    );',
    '  },',
    '  open: async (event) => {',
    '    this.close(1);',
    '    return open(event);',
    '  },',
    '});',
    'Reply.prototype.code = function (code) {',
    '  const inner = () => code;',
    '  return inner();',
    '};',
  ].join('\n');

  expect(places(text, 'close')).toEqual([['socket', 2]]);
  expect(places(text, 'message')).toEqual([['socket', 5]]);
  expect(places(text, 'call')).toEqual([]);
  expect(places(text, 'open')).toEqual([['socket', 12]]);
  expect(places(text, 'code')).toEqual([['', 17]]);
  expect(places(text, 'inner')).toEqual([['Reply', 18]]);
  expect(places(text, 'end')).toEqual([]);
  expect(places('def run(self):\n    def done(x):\n        return x\n    done(1)\n', 'done', 'a.py')).toEqual([
    ['run', 2],
  ]);
});

test('white space, comments, quotes and trailing commas do not count; a word does', () => {
  const first = syntax("run(a) {\n  call('x', [1, 2]);\n}\nlater();");

  expect(isTextSyntax(first ?? null)).toBe(true);
  expect(syntax('run( a ) {\n  // why\n  call("x", [\n    1,\n    2,\n  ])\n}\nother();')).toBe(first);
  expect(syntax("run(a) {\n  call('y', [1, 2]);\n}")).not.toBe(first);
  expect(syntax('def run(a):\n    # why\n    return a\n', 'a.py')).toBe(syntax('def run(a):\n    return a\n', 'a.py'));
});

/** A body with so many words, the first two of which are `run (`. */
function words(count: number): string {
  return `function run(${numbers(0, count - 3)
    .map((at) => `w${at}`)
    .join(' ')}`;
}

function sketch(text: string): readonly number[] | undefined {
  return textPlaces(text.split('\n'), 'run', 'a.ts')[0]?.sketch;
}

test('a sketch is the 24 smallest runs of five words; bodies of fewer than 16 words have none', () => {
  expect(sketch(words(15))).toEqual([]);
  expect(sketch(words(16))).toHaveLength(12);
  expect(sketch(words(27))).toHaveLength(23);
  expect(sketch(words(28))).toHaveLength(24);
  expect(sketch(words(60))).toHaveLength(24);
});

function memberOf(parameters: number): string {
  return [
    'const a = {',
    '  run(',
    ...numbers(0, parameters).map((at) => `    p${at},`),
    '  ) {',
    '    x();',
    '  },',
    '};',
  ].join('\n');
}

function bodyOf(lines: number): string {
  return ['function run() {', ...numbers(0, lines).map((at) => `  x${at}();`)].join('\n');
}

test('parameters may take 39 lines, and a body 2,000', () => {
  expect(places(memberOf(38), 'run')).toEqual([['a', 2]]);
  expect(places(memberOf(39), 'run')).toEqual([]);
  expect(syntax(bodyOf(2_000))).toBe(syntax(bodyOf(1_999)));
  expect(syntax(bodyOf(1_999))).not.toBe(syntax(bodyOf(1_998)));
});

test('sketches tell how alike two bodies are', () => {
  expect(sketchLikeness(numbers(0, 24), numbers(0, 24))).toBe(1);
  expect(sketchLikeness(numbers(0, 24), numbers(100, 124))).toBe(0);
  expect(sketchLikeness(numbers(0, 24), numbers(12, 36))).toBe(0.5);
  expect(sketchLikeness([], numbers(0, 24))).toBe(0);
  expect(sketchLikeness(null, null)).toBe(0);
});
