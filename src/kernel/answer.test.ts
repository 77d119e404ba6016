import {
  array,
  assert as assertProperty,
  boolean,
  integer,
  property,
  record,
  string,
  stringMatching,
} from 'fast-check';
import { expect, test } from 'vitest';
import { answerJson, answerText, type Draft, type Row } from './answer.ts';
import { tokensOf } from './budget.ts';

const source = { repo: 'shop', ref: 'main', commit: '28a9c128912de19f', index: { state: 'fresh' } } as const;

function row(path: string, line: number, text: string, body?: string): Row {
  const json = { path, line, text, ...(body === undefined ? {} : { body }) };
  return { group: path, id: `${line}`, line: `${line} c ${text}`, ...(body === undefined ? {} : { body }), json };
}

function draft(rows: readonly Row[], changes: Partial<Draft> = {}): Draft {
  return {
    operation: 'code-tool',
    action: 'usages',
    subject: 'sendMail',
    sources: [source],
    total: rows.length,
    rows,
    detail: 'lines',
    maxTokens: 4000,
    notes: [],
    arguments: { action: 'usages', query: 'sendMail' },
    next: () => undefined,
    ...changes,
  };
}

test('a total that a limit cut off is told as at least, in text and JSON', () => {
  const cut = draft([row('a.ts', 1, 'x')], { total: 137, isCut: true, counts: { call: 137 } });

  expect(answerText(cut).split('\n')[0]).toMatch(/ · 1 of at least 137 \(call 137\)$/);
  expect(answerJson(cut)).toMatchObject({ total: 137, at_least: true, shown: 1 });
  expect(answerJson(draft([]))).not.toHaveProperty('at_least');
});

test('rows that would be the same line are one line with their number, and what the line above shows has none', () => {
  const rows = [
    row('a.ts', 1, 'x'),
    row('a.ts', 1, 'x'),
    { ...row('a.ts', 2, 'y'), isShownAbove: true },
    row('b.ts', 1, 'x'),
  ];

  expect(answerText(draft(rows))).toMatch(/ · 4 of 4\na\.ts\n 1 c x \(2 times\)\nb\.ts\n 1 c x$/);
  expect(answerJson(draft(rows))['rows']).toHaveLength(4);
});

test('a file that the header names is not named again above its rows, and every version of a changelog is', () => {
  const rows = [row('a.ts', 1, 'x'), row('b.ts', 2, 'y'), row('a.ts', 3, 'z')];
  const fixed = (heading: string, line: number): Row => ({ ...row('### Fixed', line, 'x'), heading });

  expect(
    answerText(draft(rows, { subject: 'a.ts' }))
      .split('\n')
      .slice(1),
  ).toEqual([' 1 c x', 'b.ts', ' 2 c y', 'a.ts', ' 3 c z']);
  expect(
    answerText(draft([fixed('## 2.0', 1), fixed('## 2.0', 2), fixed('## 1.0', 3)]))
      .split('\n')
      .slice(1),
  ).toEqual(['## 2.0', '### Fixed', ' 1 c x', ' 2 c x', '## 1.0', '### Fixed', ' 3 c x']);
});

test('the text is a header and rows grouped under their file', () => {
  const rows = [
    row('src/mail/send.ts', 3, 'a ='),
    row('src/mail/send.ts', 41, 'b ='),
    row('src/jobs/retry.ts', 18, 'c ='),
  ];

  const text = answerText(draft(rows, { counts: { call: 2, import: 1, read: 0 } }));

  expect(text).toBe(
    [
      'code-tool usages sendMail · shop@28a9c12 main fresh · 3 of 3 (call 2, import 1)',
      'src/mail/send.ts',
      ' 3 c a =',
      ' 41 c b =',
      'src/jobs/retry.ts',
      ' 18 c c =',
    ].join('\n'),
  );
});

test('a page that goes on names its cursor in the header', () => {
  const text = answerText(draft([row('a.ts', 1, 'x')], { total: 9, next: () => 'CURSOR' }));

  expect(text.split('\n')[0]).toBe('code-tool usages sendMail · shop@28a9c12 main fresh · 1 of 9 · next=CURSOR');
});

test('over budget, rows lose their text, then fold into counts per folder; the last line tells how to get them', () => {
  const rows = Array.from({ length: 40 }, (_, index) => row(`src/part${index % 4}/file.ts`, index + 1, 'x'.repeat(90)));

  const ids = answerText(draft(rows, { maxTokens: 600 }));
  const folders = answerText(draft(rows, { maxTokens: 200, total: 1234 }));

  expect(ids).toContain('\nsrc/part0/file.ts\n 1\n');
  expect(ids.split('\n').at(-1)).toMatch(
    /^cut by max_tokens=600: shown as ids \| all: code-tool usages query="sendMail" max_tokens=\d+$/,
  );
  expect(folders.split('\n').slice(0, 3)).toEqual([
    'code-tool usages sendMail · shop@28a9c12 main fresh · 21 of 1234',
    'src/part0/file.ts',
    ' 1',
  ]);
  expect(folders).toContain('\n 5 src/part1/\n 5 src/part2/\n 5 src/part3/\n 4 src/part0/\ncut by max_tokens=200: ');
});

test('of bodies as many are shown as fit, cut at a line', () => {
  const body = Array.from({ length: 200 }, (_, index) => `  line ${index}`).join('\n');
  const text = answerText(
    draft([row('a.ts', 1, 'f', body), row('b.ts', 1, 'g', body)], { detail: 'body', maxTokens: 400 }),
  );

  expect(text).toContain('  line 40\n');
  expect(text).toContain(' 1 c g');
  expect(text).toMatch(/cut by max_tokens=400: bodies cut \| all: .* max_tokens=\d+$/);
});

test('text and JSON never cost more than the budget, and JSON pages on from what it shows', () => {
  const anyRow = record({
    path: stringMatching(/^[a-z]{1,8}\/[a-z]{1,20}\.ts$/),
    text: string({ maxLength: 300 }),
  });
  assertProperty(
    property(array(anyRow, { maxLength: 60 }), integer({ min: 200, max: 3000 }), (parts, maxTokens) => {
      const rows = parts.map(({ path, text }, index) => row(path, index, text.replaceAll('\n', ' ')));
      const wholeDraft = draft(rows, {
        maxTokens,
        next: (shown) => (shown < rows.length ? `after-${shown}` : undefined),
      });

      expect(tokensOf(answerText(wholeDraft))).toBeLessThanOrEqual(maxTokens);
      const json = answerJson(wholeDraft);
      expect(tokensOf(JSON.stringify(json))).toBeLessThanOrEqual(maxTokens);
      const shown = Number(json['shown']);
      expect(json['next']).toBe(shown < rows.length ? `after-${shown}` : undefined);
      expect(json['total']).toBe(rows.length);
    }),
  );
});

test('whatever the budget, pages put together are the whole: what was not shown is not passed over', () => {
  const anyRow = record({ path: stringMatching(/^[a-z]{1,8}\/[a-z]{1,60}\.ts$/), text: string({ maxLength: 900 }) });
  const run = { paths: array(anyRow, { minLength: 1, maxLength: 40 }), limit: integer({ min: 1, max: 50 }) };
  const anyRun = record({ ...run, maxTokens: integer({ min: 50, max: 8000 }), hasBodies: boolean() });
  assertProperty(
    property(anyRun, ({ paths, limit, maxTokens, hasBodies }) => {
      const rows = paths.map(({ path, text }, at) => {
        const line = text.replaceAll('\n', ' ');
        return { ...row(path, at, line, hasBodies ? text : undefined), id: `row-${at}` };
      });
      const page = (from: number): Draft =>
        draft(rows.slice(from, from + limit), {
          total: rows.length,
          detail: hasBodies ? 'body' : 'lines',
          maxTokens,
          next: (shown) => (from + shown < rows.length ? `after-${from + shown}.` : undefined),
        });
      const all = rows.map((_, at) => at);
      expect(follow((from) => shownInText(answerText(page(from))))).toEqual(all);
      expect(follow((from) => shownInJson(answerJson(page(from))))).toEqual(all);
    }),
  );
});

interface Shown {
  count: number;
  next: number | undefined;
}

/** The numbers of the rows that pages show, from the first on. */
function follow(read: (from: number) => Shown): number[] {
  const shownRows: number[] = [];
  for (let from: number | undefined = 0; from !== undefined;) {
    const { count, next } = read(from);
    if (next !== undefined && next <= from) throw new Error(`The page at ${from} goes on at ${next}.`);
    for (let at = 0; at < count; at += 1) shownRows.push(from + at);
    from = next;
  }
  return shownRows;
}

function shownInText(text: string): Shown {
  const [head = '', ...lines] = text.split('\n');
  const [, count] = / · (\d+) of /.exec(head) ?? [];
  const [, next] = /next=after-(\d+)/.exec(head) ?? [];
  const hasRows = lines.length > 0 && lines[0]?.startsWith('cut by') !== true;
  return { count: hasRows ? Number(count) : 0, next: next === undefined ? undefined : Number(next) };
}

function shownInJson({ shown, next, rows }: Record<string, unknown>): Shown {
  expect(rows).toHaveLength(Number(shown));
  return { count: Number(shown), next: typeof next === 'string' ? Number(/\d+/.exec(next)) : undefined };
}

test('over several repositories the JSON lists an index for each', () => {
  const json = answerJson(
    draft([], { sources: [source, { ...source, repo: 'web', index: { state: 'behind', behind: 3 } }] }),
  );

  expect(json).toMatchObject({
    repo: '*',
    index: [
      { repo: 'shop', state: 'fresh' },
      { repo: 'web', state: 'behind', behind: 3 },
    ],
  });
});
