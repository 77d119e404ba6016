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
