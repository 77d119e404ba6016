import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import type { Evidence } from '../ledger/ledger.ts';
import { withLines } from './document-lines.ts';

const QUOTE = 'Mails are **sent** at night.\nNobody reads them.';

const quoted = (more: Partial<Evidence> = {}): Evidence => ({
  id: 'doc:1',
  kind: 'document',
  repo: 'shop',
  path: 'docs/mail.md',
  text: QUOTE,
  ...more,
});

/** The lines of a quote in a file that has its first line on the given ones and a body there. */
async function linesOf(evidence: Evidence, at: readonly number[], body = QUOTE) {
  const { tools, asked } = scriptedTools((_, { action, path, query }) => {
    if (action === 'grep') return at.map((line) => ({ path, line }));
    return query === `docs/mail.md:${at[0]}-${(at[0] ?? 0) + 1}` ? [{ path: 'docs/mail.md', body }] : [];
  });
  const [found] = await withLines(tools, [evidence]);
  return { lines: found?.lines, query: asked[0]?.args['query'] };
}

test('what is quoted of a document that is a file is told with its lines', async () => {
  expect(await linesOf(quoted(), [7])).toEqual({
    lines: { start: 7, end: 8 },
    query: String.raw`Mails are \*\*sent\*\* at night\.`,
  });
});

test('lines are told only where the quote stands there, and nowhere else', async () => {
  expect((await linesOf(quoted(), [7], 'Mails are **sent** at night.')).lines).toBeUndefined();
  expect((await linesOf(quoted(), [7, 90])).lines).toBeUndefined();
  expect((await linesOf(quoted(), [])).lines).toBeUndefined();
  expect((await linesOf(quoted({ path: undefined }), [7])).lines).toBeUndefined();
});

test('of several lines with no more than a few letters the first tells none', async () => {
  expect((await linesOf(quoted({ text: 'Mails:\nat night' }), [7], 'Mails:\nat night')).lines).toBeUndefined();
  expect((await linesOf(quoted({ text: 'Letters:\nat night' }), [7], 'Letters:\nat night')).lines).toBeDefined();
});
