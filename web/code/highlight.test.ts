import { expect, test } from 'vitest';
import { openHighlighter } from './highlight.ts';

test('a file is read part by part: a comment that is open goes on', async () => {
  const highlight = await openHighlighter('src/a.ts');

  const [first, second] = [highlight?.(['const a = 1; /* open']), highlight?.(['still open */ export class B {}'])];

  expect(first?.[0]?.at(0)).toEqual({ offset: 0, length: 5, color: 'var(--code-keyword)' });
  expect(first?.[0]?.at(-1)?.color).toBe('var(--code-comment)');
  expect(second?.[0]?.at(0)).toMatchObject({ offset: 0, color: 'var(--code-comment)' });
  expect(second?.[0]?.find(({ offset }) => offset === 14)?.color).toBe('var(--code-keyword)');
});

test('what no grammar knows stays plain', async () => {
  expect(await openHighlighter('LICENSE')).toBeUndefined();
});
