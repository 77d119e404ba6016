import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '../../kernel/errors.ts';
import { shardInput, shop, withShard } from '../../testing/code-shard.ts';
import { anchorsOf, matchAnchored, matchLiteral } from './store-grep.ts';
import { literalOf, type Need, needOf } from '../pattern/grep-literals.ts';
import { LineMatcher } from '../pattern/grep-matcher.ts';
import { InvalidPattern, parsePattern } from '../pattern/grep-pattern.ts';
import { grep } from '../queries/store.ts';

const PAGE = { limit: 20, offset: 0 };

/** The matching lines of a text as `line:column`. */
function matches(pattern: string, text: string, ignoreCase = false): string[] {
  const matcher = new LineMatcher(parsePattern(pattern, ignoreCase));
  const lines: string[] = [];
  matcher.matchLines(text, (line, start, end) => {
    lines.push(`${line}:${matcher.firstColumn(text.slice(start, end))}`);
  });
  return lines;
}

const need = (pattern: string): Need | undefined => needOf(parsePattern(pattern, false));

const literal = (text: string): Need => ({ type: 'text', text });

/** Returns what the work throws, or nothing. */
function thrown(work: () => unknown): unknown {
  try {
    return void work();
  } catch (error) {
    return error;
  }
}

function isTooLarge(pattern: string): boolean {
  const error = thrown(() => new LineMatcher(parsePattern(pattern, false)));
  return error instanceof Error && error.message.includes('too large');
}

/** The same by V8, line by line. */
function grepPlainly(pattern: string, text: string, flags = ''): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '' && lines.length > 1) lines.pop();
  return lines.flatMap((line, index) => {
    const at = new RegExp(pattern, flags).exec(line)?.index;
    return at === undefined ? [] : [`${index}:${at}`];
  });
}

const TEXT = `import { readFile } from 'node:fs';
export async function load(path: string): Promise<string> {
  const text = await readFile(path, 'utf8'); // TODO: limit 10 MB
\treturn text.trim() ?? '';

}
naïve café_1 x-y a.b [c] {d} $e ^f
aaa aab abab foo.bar foobar
`;

const PATTERNS = [
  'readFile',
  '^import',
  '^$',
  ';$',
  'a*',
  'a+b',
  '(ab)+',
  '(?:a|aa)*b',
  'x?y',
  'foo.bar',
  String.raw`foo\.bar`,
  String.raw`\bpath\b`,
  String.raw`\Bath\B`,
  String.raw`\w+\(`,
  String.raw`^\s+\S`,
  '[a-c]{2,3}',
  '[^a-z ]{3}',
  String.raw`[\]\[]`,
  '[$^]',
  'TODO|FIXME',
  'a{2}b',
  '(a|b)*abab',
  String.raw`\d+ MB`,
  String.raw`\x61\u0061`,
  '.*',
  'é',
  '()',
  '(?<name>foo)bar',
  'a??b',
  String.raw`^\tr`,
  'x{0}y',
];

test('patterns match the lines and columns that a backtracking engine finds', () => {
  for (const pattern of PATTERNS)
    expect([pattern, matches(pattern, TEXT)]).toEqual([pattern, grepPlainly(pattern, TEXT)]);
});

test('case is ignored when asked', () => {
  for (const pattern of ['READFILE', '[A-C]{3}', 'É_1', '[^A-Z ]+', 'todo']) {
    expect([pattern, matches(pattern, TEXT, true)]).toEqual([pattern, grepPlainly(pattern, TEXT, 'i')]);
    expect(matches(`(?i)${pattern}`, TEXT)).toEqual(grepPlainly(pattern, TEXT, 'i'));
  }
});

test('any pattern of a small grammar agrees with V8 on any text', () => {
  const atom = fc.constantFrom(
    'a',
    'b',
    'c',
    '.',
    '[ab]',
    '[^a]',
    String.raw`\b`,
    '^',
    '$',
    String.raw`\w`,
    String.raw`\W`,
  );
  const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 3 },
      fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
    ),
    part: fc.oneof(
      atom,
      fc
        .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}'))
        .map(([inner, count]) => `(?:${inner})${count}`),
    ),
  }));
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ' ', '\n', '-'), { maxLength: 14 })
    .map((chars) => chars.join(''));

  fc.assert(
    fc.property(pattern, text, (regex, body) => {
      // Counts within counts make a few patterns larger than is served; that is refused, as its own test says.
      fc.pre(!isTooLarge(regex));
      expect(matches(regex, body)).toEqual(grepPlainly(regex, body));
    }),
    { numRuns: 500 },
  );
});

test('time grows with the text, not with the pattern: nested and overlapping repetitions', () => {
  const text = 'a'.repeat(100_000);
  const before = process.cpuUsage();

  for (const pattern of ['(a+)+$b', '(a|a)*b', '(a*)*b', 'a*a*a*a*a*b', '(.*)(.*)(.*)(.*)[^a]x', '(a?){200}a{200}b'])
    expect(matches(pattern, text)).toEqual([]);

  // A backtracking engine would not end; this takes about 0.1 s of processor time.
  expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
});

test('a pattern with more states than the table holds still answers', () => {
  // The automaton has a state for each of the last 16 letters' 65,536 mixtures; a made-up sequence meets most of them.
  let seed = 1;
  const letters = Array.from({ length: 60_000 }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed > 2 ** 30 ? 'a' : 'b';
  });
  const text = `${letters.join('')}a${'b'.repeat(15)}c\n`;

  expect(matches('a(a|b){15}c', text)).toEqual(['0:60000']);
});

test('what cannot be matched in linear time or in one line is refused with a way out', () => {
  for (const pattern of [
    String.raw`(a)\1`,
    'a(?=b)',
    'a(?!b)',
    '(?<=a)b',
    '(?<!a)b',
    '(?>a)',
    'a++',
    String.raw`a\nb`,
    'a{2000}',
    '((a{50}){50}){50}',
    '(?:){1000}{1000}{1000}',
  ])
    expect([pattern, thrown(() => matches(pattern, 'a')) instanceof ServiceError]).toEqual([pattern, true]);
});

test('what is no pattern is told apart from what is refused', () => {
  for (const pattern of ['foo(', 'a)', '*a', '[a', 'a{3,1}', '(?x)', String.raw`\q`, String.raw`\p{Nope}`, 'a\\'])
    expect([pattern, thrown(() => need(pattern)) instanceof InvalidPattern]).toEqual([pattern, true]);
});

test('a line must hold all literals of three characters and more', () => {
  expect(need('abcd')).toEqual({ type: 'text', text: 'abcd' });
  expect(need('abc.*xyz')).toEqual({ type: 'all', needs: [literal('abc'), literal('xyz')] });
  expect(need('(abc|xyz)+')).toEqual({ type: 'any', needs: [literal('abc'), literal('xyz')] });
  expect(need('(abc|xy)')).toBeUndefined();
  expect(need('(abc)?d')).toBeUndefined();
  expect(need(String.raw`ab\bcd`)).toEqual(literal('abcd'));
  expect(need('(?i)aBc')).toEqual(literal('abc'));
  expect(need('.')).toBeUndefined();
});

const anchors = (pattern: string): readonly string[] | undefined => anchorsOf(need(pattern) ?? literal('none'));

test('of the texts that a line must hold the fewest are looked for first', () => {
  expect(anchors('(?i)(?:Abc.*vwxyz|vwxyz.*abc)')).toEqual(['vwxyz']);
  expect(anchors('abcd|xyz')).toEqual(['abcd', 'xyz']);
  expect(anchors('(abcd|xy1).*wxyz')).toEqual(['wxyz']);
  expect(anchors('Grüße')).toBeUndefined();
  expect(anchors('Grüße.*from')).toEqual(['from']);
  expect(anchors('Grüße|from')).toBeUndefined();
});

test('lines with such a text are those that match, whatever stands around them', () => {
  const line = fc
    .array(fc.constantFrom('max', 'Wait', 'wait', ' = ', 'x', 'é', '\u0130', '\u212A', '\n', '\n\n'), { maxLength: 14 })
    .map((parts) => parts.join(''));
  const patterns = ['wait', '(?i)WAIT', '(?i)(max.{0,4}wait|wait.{0,4}max)', '^wait|max$', '(?i)wait\\w* = (x|max)'];

  fc.assert(
    fc.property(fc.constantFrom(...patterns), line, (pattern, text) => {
      const parsed = parsePattern(pattern, false);
      const looked = anchors(pattern) ?? [];
      const lines: string[] = [];
      const matcher = new LineMatcher(parsed);
      matchAnchored(matcher, { text, anchors: looked }, (at, start, end) =>
        lines.push(`${at}:${matcher.firstColumn(text.slice(start, end))}`),
      );
      expect(looked).not.toEqual([]);
      expect(lines).toEqual(matches(pattern, text));
    }),
    { numRuns: 500 },
  );
});

test('the trigram index leaves out no line that matches', () => {
  const filling = 'filling of a line\n'.repeat(300);
  const marks = ['Grüße aus Köln', 'naïve_ID', 'a"b\'c\\d', 'x\ty', '名前を検索', 'ABCdef', '\u212Aelvin scale'];
  const file = { path: 'a.txt', text: marks.map((mark) => `${filling}${mark}\n`).join('') };

  return withShard(shardInput([file]), (db) => {
    const countMatches = (pattern: string): number => grep(db, { pattern, ignoreCase: true, ...PAGE }).total;
    for (const mark of marks) expect([mark, countMatches(mark.replaceAll('\\', '\\\\'))]).toEqual([mark, 1]);
    for (const part of ['üße aus', 'ïve_', 'を検', 'abcDEF', '(Grüße|xyz)', 'cdEF', 'lvin scale'])
      expect([part, countMatches(part)]).toEqual([part, 1]);
    expect(countMatches('filling.*Köln')).toBe(0);
  });
});

test('grep gives whole lines by path and line, with exact totals', () =>
  withShard(shop(), (db) => {
    expect(grep(db, { pattern: String.raw`sendMail\(`, ...PAGE })).toEqual({
      total: 3,
      files: 3,
      literal: false,
      rows: [
        { path: 'src/mail/client.ts', line: 10, column: 16, text: 'export function sendMail(to: string): void {' },
        { path: 'src/orders/notify.ts', line: 3, column: 2, text: '  sendMail(order.email);' },
        { path: 'test/mail.test.ts', line: 2, column: 20, text: "test('sends', () => sendMail('a@b.c'));" },
      ],
    });
    expect(grep(db, { pattern: 'sendMail', path: 'src', limit: 1, offset: 1 })).toMatchObject({
      total: 3,
      rows: [{ path: 'src/orders/notify.ts', line: 1 }],
    });
    expect(grep(db, { pattern: 'sendMail', tests: 'only', ...PAGE }).total).toBe(2);
    expect(grep(db, { pattern: 'SENDMAIL', ignoreCase: true, ...PAGE }).total).toBe(5);
    expect(grep(db, { pattern: 'weekly.$', ...PAGE }).rows).toMatchObject([{ path: 'README.md', line: 2, column: 19 }]);
  }));

test('a text that is no pattern is looked for as it stands', () =>
  withShard(shop(), (db) => {
    expect(grep(db, { pattern: 'send(', ...PAGE })).toMatchObject({ total: 5, literal: true });
    expect(grep(db, { pattern: 'def (:', ...PAGE })).toMatchObject({ total: 1, literal: true });
  }));

test('lines are found whatever chunk they fall into, and long ones are shown around the match', () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `line ${index + 1} ${'.'.repeat(20)}`);
  lines[2499] = `${'x'.repeat(50_000)}needle${'y'.repeat(50_000)}`;

  return withShard(shardInput([{ path: 'long.txt', text: lines.join('\n') }]), (db) => {
    expect(grep(db, { pattern: '^line', limit: 1, offset: 2998 })).toMatchObject({
      total: 2999,
      rows: [{ line: 3000, column: 0 }],
    });
    const [row] = grep(db, { pattern: 'needle', ...PAGE }).rows;
    expect([row?.line, row?.column, row?.text.length]).toEqual([2500, 50_000, 1000]);
    expect(row?.text).toContain('needle');
  });
});

test('a text as it stands finds the lines that it matches as a pattern', () => {
  const character = fc.constantFrom('a', 'b', '.', '\u00e9', '\ud83d', '\n');
  fc.assert(
    fc.property(
      fc.string({ unit: character, maxLength: 60 }),
      fc.stringMatching(/^[ab\u00e9]{3,4}$/),
      (text, pattern) => {
        const only = literalOf(parsePattern(pattern, false));
        const [lines, others]: [string[], string[]] = [[], []];
        matchLiteral(text, only ?? '', (line, start, end) => lines.push(`${line} ${start} ${end}`));
        new LineMatcher(parsePattern(pattern, false)).matchLines(text, (line, start, end) =>
          others.push(`${line} ${start} ${end}`),
        );

        expect(only).toBe(pattern);
        expect(lines).toEqual(others);
      },
    ),
  );
});

test.each(['ab', 'a.b', 'abc?', 'abc|abd', '^abc', '[ab]bc', '(?i)abc'])(
  '%s is more than a text of three characters',
  (pattern) => {
    expect(literalOf(parsePattern(pattern, false))).toBeUndefined();
  },
);
