import { expect, test } from 'vitest';
import { readPage, referencePages } from '../scripts/reference.ts';

const pages = await referencePages();

test.each([...pages])('%s is what the declarations say (node scripts/reference.ts writes it)', (path, text) => {
  expect(readPage(path)).toBe(text);
});

test('the pages have each setting, error, route, command and language once', () => {
  const headings = (path: string): string[] => (pages.get(path) ?? '').match(/^##.*$/gm) ?? [];

  expect(headings('docs/errors.md')).toContain('## rate_limited');
  expect(pages.get('docs/settings.md')).toContain('| `SVC_PORT` | `4000` | a whole number from 0 to 65535 |');
  expect(pages.get('docs/rest.md')).toContain('| `POST /v1/plans` | plans:write |');
  expect(pages.get('docs/rest.md')).toContain('| `DELETE /v1/repositories/{id}` | owner |');
  expect(headings('docs/commands.md')).toContain('### svc key create');
  expect(pages.get('docs/languages.md')).toMatch(
    /^\| Kotlin \| `\.kt` `\.kts` \| tree-sitter \| yes \| private \| yes \|$/m,
  );
  for (const path of pages.keys()) expect(new Set(headings(path)).size).toBe(headings(path).length);
});
