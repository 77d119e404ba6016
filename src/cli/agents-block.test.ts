import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tokensOf } from '../kernel/budget.ts';
import { testFolder } from '../testing/git.ts';
import { AGENTS_BLOCK, withBlock, writeAgentsBlock } from './agents-block.ts';

test('what an agent is told costs at most 300 tokens', () => {
  expect(tokensOf(AGENTS_BLOCK)).toBeLessThanOrEqual(300);
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

  expect(writeAgentsBlock(root).written).toEqual(['AGENTS.md']);
  expect(existsSync(join(root, 'CLAUDE.md'))).toBe(false);
  writeFileSync(join(root, 'CLAUDE.md'), '# Mine\n');
  expect(writeAgentsBlock(root).written).toEqual(['CLAUDE.md']);
  expect(readFileSync(join(root, 'CLAUDE.md'), 'utf8')).toBe(`# Mine\n\n${AGENTS_BLOCK}`);
  expect(writeAgentsBlock(root)).toEqual({ written: [], links: [] });
  mkdirSync(join(root, '.github'));
  expect(writeAgentsBlock(root).written).toEqual([]);
  writeFileSync(join(root, '.github', 'copilot-instructions.md'), '');
  expect(writeAgentsBlock(root).written).toEqual(['.github/copilot-instructions.md']);
});

test('a link is left alone, whether it leads out of the checkout or to the other file', () => {
  const [root, outside] = [testFolder(), testFolder()];
  onTestFinished(() => [root, outside].forEach((folder) => rmSync(folder, { recursive: true })));
  writeFileSync(join(outside, 'victim.md'), 'mine\n');
  symlinkSync(join(outside, 'victim.md'), join(root, 'AGENTS.md'));
  writeFileSync(join(root, 'CLAUDE.md'), '# Rules\n');
  chmodSync(join(root, 'CLAUDE.md'), 0o640);

  expect(writeAgentsBlock(root)).toEqual({ written: ['CLAUDE.md'], links: ['AGENTS.md'] });
  expect(readFileSync(join(outside, 'victim.md'), 'utf8')).toBe('mine\n');
  expect(statSync(join(root, 'CLAUDE.md')).mode & 0o777).toBe(0o640);
  rmSync(join(root, 'CLAUDE.md'));
  // A link to nothing would make the file that it names.
  symlinkSync(join(outside, 'new.md'), join(root, 'CLAUDE.md'));
  expect(writeAgentsBlock(root)).toEqual({ written: [], links: ['AGENTS.md', 'CLAUDE.md'] });
  expect(existsSync(join(outside, 'new.md'))).toBe(false);
});

test('clients that have a folder here get a skill or a rule, once, and a link is left alone', () => {
  const root = testFolder();
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, '.claude'));
  mkdirSync(join(root, '.cursor'));
  symlinkSync('/tmp', join(root, '.cursor', 'rules'));

  expect(writeAgentsBlock(root)).toEqual({
    written: ['AGENTS.md', '.claude/skills/svc/SKILL.md'],
    links: ['.cursor/rules'],
  });
  const skill = readFileSync(join(root, '.claude/skills/svc/SKILL.md'), 'utf8');
  // Claude Code reads a name of letters, digits and hyphens, and a description of at most 1,024 characters.
  expect(skill).toMatch(/^---\nname: svc\ndescription: .{1,1024}\n---\n\n<!-- svc:begin -->\n/);
  expect(skill.endsWith(AGENTS_BLOCK)).toBe(true);
  rmSync(join(root, '.cursor', 'rules'));
  expect(writeAgentsBlock(root)).toEqual({ written: ['.cursor/rules/svc.mdc'], links: [] });
  expect(readFileSync(join(root, '.cursor/rules/svc.mdc'), 'utf8')).toMatch(
    /^---\ndescription: .+\nglobs:\nalwaysApply: false\n---\n\n<!-- svc:begin -->\n/,
  );
  expect(writeAgentsBlock(root)).toEqual({ written: [], links: [] });
});
