import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeFacts } from '../../testing/describe-facts.ts';
import { extractMarkdown } from './markdown.ts';

const guide = readFileSync(new URL('../../../fixtures/markdown/guide.md', import.meta.url), 'utf8');

test('headings nest by level; code, comments and front matter have none', () => {
  expect(describeFacts(extractMarkdown(guide), ['definitions'])).toEqual([
    'heading The svc guide 6:2 exported+topLevel',
    'heading Install the tool 11:3 exported+topLevel in The svc guide',
    'heading Setup notes 18:0 exported+topLevel in The svc guide',
    'heading Deep_name and bold 24:4 exported+topLevel in Setup notes',
    'heading Other part 32:0 exported+topLevel',
  ]);
});

test('a heading spans all up to the next of its level, and is described by its first paragraph', () => {
  const { definitions } = extractMarkdown(guide);

  expect(guide.slice(definitions.end(0)).startsWith('Other part')).toBe(true);
  expect(guide.slice(definitions.end(1)).startsWith('Setup notes')).toBe(true);
  expect(guide.slice(definitions.docStart(0), definitions.docEnd(0))).toBe('How it is used.\nOn two lines.');
  expect(definitions.docStart(1)).toBe(-1);
});

test('nothing that is no prose breaks the reading', () => {
  for (const text of ['', '#', '# ', '```\n# a', '<!--\n# a', `${'#'.repeat(7)} a`, '\n===\n', '\0\0'])
    expect(describeFacts(extractMarkdown(text), ['definitions'])).toEqual([]);
  expect(extractMarkdown('# a\n'.repeat(50_000)).definitions.count).toBe(50_000);
});
