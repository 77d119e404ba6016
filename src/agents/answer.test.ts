import { expect, test } from 'vitest';
import { renderAnswer, type Report } from './answer.ts';

const PROVENANCE = { ref: 'main', commit: 'a'.repeat(40), index: { state: 'fresh' as const } };

function reportOf(repos: readonly string[]): Report {
  const lines = { start: 3, end: 3 };
  const source = {
    number: 1,
    cited: 1,
    hash: '',
    id: 'src/a.ts:3',
    kind: 'code' as const,
    repo: 'shop',
    lines,
    text: 'x',
  };
  return {
    operation: 'ask',
    provenances: repos.map((repo) => ({ ...PROVENANCE, repo })),
    paragraphs: [{ text: 'It waits [1].', isList: false }],
    sources: [source],
    dropped: [],
    lead: '',
    confidence: 0.9,
    level: 'high',
    gaps: [],
    engine: 'deterministic',
    lookedAt: { calls: 1, files: 1 },
    calls: [],
    next: [],
  };
}

test('a source names its repository where several were read', () => {
  expect(renderAnswer(reportOf(['shop']), 500).text).toContain('\n[1] src/a.ts:3\n');
  expect(renderAnswer(reportOf(['shop', 'depot']), 500).text).toContain('\n[1] shop: src/a.ts:3\n');
});

test('a source is not quoted where the line that cites it has all of its words', () => {
  const report = reportOf(['shop']);
  const [source] = report.sources;
  if (source === undefined) throw new Error('There is one source.');
  const textOf = (quote: string): string =>
    renderAnswer({ ...report, sources: [{ ...source, text: quote }] }, 500).text;

  expect(textOf('// waits: It')).not.toContain('| //');
  expect(textOf('// waits long')).toContain('| // waits long');
  expect(renderAnswer({ ...report, paragraphs: [{ text: 'x waits.\nIt [1].', isList: true }] }, 500).text).toContain(
    '| x',
  );
});

/** Paragraphs that cite a source each, with a quote that stands in no other. */
function longReport(paragraphs: number, sources: number): Report {
  const report = reportOf(['shop']);
  const [source] = report.sources;
  if (source === undefined) throw new Error('There is one source.');
  return {
    ...report,
    paragraphs: Array.from({ length: paragraphs }, (_, at) => ({
      text: `Said${at} ${'word '.repeat(30)}[${at + 1}].`,
      isList: false,
    })),
    sources: Array.from({ length: sources }, (_, at) => ({
      ...source,
      number: at + 1,
      cited: at + 1,
      id: `src/a.ts:${at}`,
      text: `quote${at} ${'code '.repeat(40)}`,
    })),
  };
}

test('of a long answer the last paragraphs go before the first five quotes, but for the first three', () => {
  const shown = renderAnswer(longReport(8, 8), 630).text;
  const short = renderAnswer(longReport(3, 8), 400).text;

  expect(shown.match(/quote\d/g)).toEqual(['quote0', 'quote1', 'quote2', 'quote3', 'quote4']);
  expect(shown.match(/Said\d/g)?.length).toBeLessThan(8);
  expect(short.match(/Said\d/g)).toEqual(['Said0', 'Said1', 'Said2']);
  expect(short).not.toContain('quote4');
});

function sourceAt(cited: number, path: string, start: number, text: string): Report['sources'][number] {
  const lines = { start, end: start + 2 };
  const id = `${path}:${start}-${start + 2}`;
  return { number: cited, cited, hash: '', id, kind: 'code', repo: 'shop', path, title: 'send', lines, text };
}

test('sources of one file behind each other share a line where none has a quote', () => {
  const report = reportOf(['shop']);
  const sources = [
    sourceAt(1, 'a.ts', 3, ''),
    sourceAt(2, 'a.ts', 9, ''),
    sourceAt(3, 'a.ts', 20, '    go();\n      if (x)\n'),
    sourceAt(4, 'b.ts', 1, ''),
  ];

  expect(
    renderAnswer({ ...report, sources }, 500)
      .text.split('\n')
      .slice(3),
  ).toEqual([
    '[1] a.ts:3-5 (send), [2] :9-11',
    '[3] a.ts:20-22 (send)',
    '| go();',
    '|   if (x)',
    '|',
    '[4] b.ts:1-3 (send)',
  ]);
});

test('what else to ask goes before the first quote', () => {
  const next = ['read', 'used', 'impact'].map((name) => `${name} ${'word '.repeat(20)}`);
  const shown = renderAnswer({ ...longReport(3, 3), next }, 440).text;

  expect(shown.match(/^next: \w+/gm)).toEqual(['next: read']);
  expect(shown).toContain('quote2');
});

test('of a list at the end of an answer the last lines go first, and its lead not before them', () => {
  const { paragraphs, ...rest } = longReport(8, 8);
  const [first = { text: '', isList: false }, ...others] = paragraphs;
  const list = { text: ['Others:', ...others.map(({ text }) => `- ${text}`)].join('\n'), isList: true };
  const shownIn = (tokens: number): string[] =>
    renderAnswer({ ...rest, paragraphs: [first, list] }, tokens).text.match(/Said\d|Others/g) ?? [];

  expect(shownIn(420)).toEqual(['Said0', 'Others', 'Said1', 'Said2', 'Said3', 'Said4', 'Said5']);
  const budgets = Array.from({ length: 32 }, (_, at) => 100 + 10 * at);
  expect(new Set(budgets.map((tokens) => shownIn(tokens).length))).toEqual(new Set([1, 3, 4, 5, 6, 7]));
  expect(budgets.filter((tokens) => shownIn(tokens).at(-1) === 'Others')).toEqual([]);
});
