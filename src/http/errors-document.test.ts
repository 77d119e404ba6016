import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '../kernel/errors.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8');
const sections = new Map(
  document
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

test('docs/errors.md has a section for every code, in the order of the table, and no other', () => {
  expect([...sections.keys()]).toEqual(Object.keys(ERROR_CODES));
});

test.each(Object.entries(ERROR_CODES))('the section of %s gives its title, status and REST code', (code, entry) => {
  const section = sections.get(code);
  const rest = 'rest' in entry ? `, on REST \`${entry.rest}\`` : '';

  expect(section).toContain(`\n${entry.title}. Status ${entry.status}${rest}.\n`);
  expect(section).toMatch(/\*\*What happened\.\*\* \S/);
  expect(section).toMatch(/\*\*How to fix\.\*\* \S/);
});
