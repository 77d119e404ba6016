import { expect } from 'vitest';
import { svc, svcJson } from './service-process.ts';

/** Questions are about the checkout that they are typed in, and answered with the text that clients get or its JSON form. */
export async function questionJourney(dataDir: string, cwd: string): Promise<void> {
  const text = await svc(['definition', 'c.ts:1:14', '--data-dir', dataDir], { cwd });
  expect(text.out).toMatch(
    /^code-tool definition c\.ts:1:13 · shop@[0-9a-f]{7} main fresh · 1 of 1\nc\.ts\n 1 .*third/,
  );
  const json = await svcJson<Record<string, unknown>>(['search-symbols', 'second', '--data-dir', dataDir], { cwd });
  expect(json).toMatchObject({ total: 1 });
  const missing = await svc(['usages', 'thrid', '--data-dir', dataDir], { cwd });
  expect(missing).toMatchObject({ code: 1, out: '' });
  expect(missing.err).toContain('svc: No symbol is named "thrid"');
  expect(missing.err).toMatch(/svc\S* (?:-- )?(?:semantic-search|search-symbols) "?th/);
}
