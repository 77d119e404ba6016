import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tokensOf } from '../kernel/budget.ts';
import { testFolder } from '../testing/git.ts';
import { AGENTS_BLOCK, withBlock, writeAgentsBlock } from './agents-block.ts';

test('what an agent is told costs at most 200 tokens', () => {
  expect(tokensOf(AGENTS_BLOCK)).toBeLessThanOrEqual(200);
});

test.each([
  ['', AGENTS_BLOCK],
  ['# Rules\n', `# Rules\n\n${AGENTS_BLOCK}`],
  ['# Rules', `# Rules\n\n${AGENTS_BLOCK}`],
  ['# Rules\n\n', `# Rules\n\n${AGENTS_BLOCK}`],
  ['# Rules\r\n', `# Rules\r\n\r\n${AGENTS_BLOCK.replaceAll('\n', '\r\n')}`],
  ['a\n<!-- svc:begin -->\nold\n<!-- svc:end -->\nb\n', `a\n${AGENTS_BLOCK}b\n`],
  ['<!-- svc:begin -->\nold\n<!-- svc:end -->', AGENTS_BLOCK],
  ['<!-- svc:begin -->\nno end\n', `<!-- svc:begin -->\nno end\n\n${AGENTS_BLOCK}`],
])('the block stands in its former place or at the end, once: %j', (before, after) => {
  expect(withBlock(before)).toBe(after);
  expect(withBlock(after)).toBe(after);
});

test('AGENTS.md is made, CLAUDE.md only changed, and neither is written again when it is equal', () => {
  const root = testFolder();
  onTestFinished(() => rmSync(root, { recursive: true }));

  expect(writeAgentsBlock(root)).toEqual(['AGENTS.md']);
  expect(existsSync(join(root, 'CLAUDE.md'))).toBe(false);
  writeFileSync(join(root, 'CLAUDE.md'), '# Mine\n');
  expect(writeAgentsBlock(root)).toEqual(['CLAUDE.md']);
  expect(readFileSync(join(root, 'CLAUDE.md'), 'utf8')).toBe(`# Mine\n\n${AGENTS_BLOCK}`);
  expect(writeAgentsBlock(root)).toEqual([]);
});
