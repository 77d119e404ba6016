import { expect, test } from 'vitest';
import { readSymbol } from '../gather/code.ts';
import { citerOf, placeAt } from '../../testing/prose.ts';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import type { Surroundings } from '../gather/around.ts';
import { alsoInvolved, callLine, compare, flow, tellFurther } from './code.ts';

const DOC = 'Sets the size of the buffer. Zero means that the buffer of the server is used. Never call it twice.';
const ABOVE = ['/**', ' * Sets the size of the buffer. Zero means', ' * that the buffer of the server is used.', ' */'];

test('of the documentation the sentence that says most about the question is told beside the first, with its lines', () => {
  const place = placeAt('src/a.ts', 'Server/resize', 'resize() {}', {
    start: 14,
    doc: DOC,
    docAt: { line: 11, lines: ABOVE.slice(1) },
  });
  const [told] = tellFurther(citerOf({ zero: 1, buffer: 1 }), place);

  expect(told?.text).toBe('Its documentation also says: “Zero means that the buffer of the server is used”.');
  expect(told?.sources.map(({ lines, text }) => [lines, text])).toEqual([
    [{ start: 11, end: 12 }, ' * Sets the size of the buffer. Zero means\n * that the buffer of the server is used.'],
  ]);
});

test('documentation that is one sentence, or is not found where it should stand, adds nothing', () => {
  const first = { doc: 'Sets the size of the buffer.', docAt: { line: 11, lines: ABOVE } };
  const gone = { doc: DOC, docAt: { line: 11, lines: ['/** Something else. */'] } };

  for (const more of [first, gone])
    expect(tellFurther(citerOf({ zero: 1 }), placeAt('src/a.ts', 'Server/resize', 'resize() {}', more))).toEqual([]);
});

const LOOP = ['flush() {', 'const a = 1;', 'const b = 2;', 'if (busy)', 'panic(1);', ...Array(20).fill('go();'), '}'];

test('a function without documentation is told by the two lines inside that say most about the question', () => {
  const place = placeAt('src/a.ts', 'Conn/flush', LOOP.join('\n'), { start: 20, signature: 'flush()' });
  const row = (weights: Record<string, number>): string | undefined =>
    alsoInvolved(citerOf(weights), [place])[0]?.sentences[1]?.text;

  expect(row({ panic: 1, busi: 1 })).toBe('`Conn.flush` (src/a.ts:20): `if (busy) panic(1);`.');
  expect(row({ elsewhere: 1 })).toBe('`Conn.flush` (src/a.ts:20): `flush()`.');
});

test('of functions of one name the one on the line that was asked for is read', async () => {
  const rows = [3, 9, 20].map((start) => ({ path: 'A.java', start, end: start + 1, qualified: 'A/run', body: 'x' }));
  const { tools } = scriptedTools(() => rows);
  const at = async (start?: number): Promise<number | undefined> =>
    (await readSymbol(tools, { repo: 'shop', symbol: 'A/run', path: 'A.java', ...(start !== undefined && { start }) }))
      ?.start;

  expect([await at(9), await at(20), await at(4), await at()]).toEqual([9, 20, 3, 3]);
});

test('of places that may be meant as well fourteen lines are cited, of others their head', () => {
  const body = ['f() {', ...Array.from({ length: 30 }, (_, at) => (at > 8 && at < 24 ? '  mail();' : '  go();')), '}'];
  const place = { ...placeAt('src/a.ts', 'f', body.join('\n')), doc: 'Sends all mail.' };
  const linesOf = (shown: number) =>
    alsoInvolved(citerOf({ mail: 5 }), [place], { shown })[0]?.sentences[1]?.sources.map(({ lines }) => lines);

  expect(linesOf(0)?.[0]).toEqual({ start: place.start, end: place.start });
  const [near] = linesOf(1) ?? [];
  expect((near?.end ?? 0) - (near?.start ?? 0)).toBe(13);
});

const documented = (symbol: string, doc: string) => placeAt('src/a.ts', symbol, `${symbol}() {\n  go();\n}`, { doc });

test('places of which less than a third of the question can be told are named together, with the lines of each', () => {
  const places = [documented('one', 'Sends all mail.'), documented('two', 'Opens.'), documented('three', 'Closes.')];
  const told = (weight: number, of = places) =>
    alsoInvolved(citerOf({ mail: weight, rest: 100 - weight }), of)[0]?.sentences.slice(1);

  expect(told(34)?.map(({ text }) => text)).toEqual([
    '`one` (src/a.ts:1) sends all mail.',
    '`two` (src/a.ts:1) and `three` (src/a.ts:1).',
  ]);
  expect(told(32)?.map(({ text }) => text)).toEqual([
    '`one` (src/a.ts:1), `two` (src/a.ts:1) and `three` (src/a.ts:1).',
  ]);
  // Research weighs what is only named behind what is told.
  expect(told(32)?.[0]?.introduces).toMatchObject({ symbol: 'one', isNameOnly: true });
  expect(told(32, places.slice(1, 2))?.map(({ text }) => text)).toEqual(['`two` (src/a.ts:1) opens.']);
});

const around = (...callees: readonly string[]): Surroundings => ({
  uses: [],
  totals: { uses: 0, tests: 0 },
  callees: callees.map((symbol) => ({ symbol, path: 'src/b.ts', line: 1 })),
  parents: [],
  heirs: [],
});
const nest = (...calls: readonly string[]): string =>
  ['run() {', ...calls.map((call) => `  ${call}();`), '}'].join('\n');

test('of two only what the other never names is told as called by one alone, and nothing where the other extends something', () => {
  const [a, b] = [placeAt('src/a.ts', 'A', nest('load', 'keep')), placeAt('src/b.ts', 'B', nest('load', 'drop'))];
  const tell = (right: Partial<Surroundings>): string =>
    compare(citerOf({}), [a, around('X/load', 'X/keep')], [b, { ...around('X/drop'), ...right }])
      .map(({ text }) => text)
      .join(' ');

  expect(tell({})).toBe('Of the two only `A` calls `X.keep` and only `B` calls `X.drop`.');
  expect(tell({ parents: [{ symbol: 'Base', path: 'src/b.ts', line: 1 }] })).toBe(
    'Of the two only `B` calls `X.drop`.',
  );
});

test('a function is not told to call itself, nor what stands in the body of another of its name', () => {
  const place = placeAt('src/a.ts', 'A/run', ['run() {', '  build().run();', '  send();', '}'].join('\n'));
  const use = {
    path: 'src/a.ts',
    line: 2,
    use: 'call',
    enclosing: 'A/run',
    text: 'run()',
    grade: 'resolved',
    test: false,
  };
  const named = ['A/run', 'A/send', 'A/wait'].map((symbol) => placeAt('src/a.ts', symbol, nest()));
  const callees = named.map(({ symbol, path, start }) => ({ symbol, path, line: start }));
  const told = flow(citerOf({}), place, { uses: [use], callees }, named).flatMap(({ sentences }) => sentences);

  expect(told.map(({ text }) => text)).toEqual(['`run` calls `A.send` (src/a.ts:1).']);
});

test('a call is cited where it stands, not where documentation or a comment names it', () => {
  const body = [
    'def start(self):',
    '    """Sets all up, so that the',
    '    ``run()`` loop can begin.',
    '    """',
    '    # then run() it',
    ...Array.from({ length: 60 }, () => '    prepare(runner)'),
    '    self.run()',
  ].join('\n');
  const place = placeAt('src/a.py', 'Worker/start', body, {
    doc: 'Sets all up, so that the\n``run()`` loop can begin.',
  });

  expect(callLine(citerOf({}), place, { symbol: 'Worker/run' })[0]).toMatchObject({ text: '    self.run()' });
});
