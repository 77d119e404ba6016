import { expect } from 'vitest';
import { type CommandOptions, svc, svcJson } from './service-process.ts';

/** What the key `ci` and its product may use. */
export async function limitJourney(dataDir: string, options: CommandOptions): Promise<void> {
  const limited = await svcJson(['key', 'limit', 'ci', '--requests', '5', '--data-dir', dataDir], options);
  const requests = { quota: 'requests', limit: 5 };
  expect(limited).toMatchObject({ name: 'ci', limits: expect.arrayContaining([expect.objectContaining(requests)]) });
  const shown = await svc(['key', 'limit', 'ci', '--data-dir', dataDir], options);
  expect(shown.out).toMatch(/requests a minute +0 +5/);
  const unset = await svc(['key', 'limit', 'ci', '--requests', 'default', '--data-dir', dataDir], options);
  expect(unset.out).toMatch(/requests a minute +0 +600/);
  const quotas = await svcJson(['quotas', '--storage', '20GB', '--data-dir', dataDir], options);
  const storage = { quota: 'storage', limit: 20 * 1024 ** 3 };
  expect(quotas).toMatchObject({ quotas: expect.arrayContaining([expect.objectContaining(storage)]) });
  const wrong = await svc(['quotas', '--runs', 'many', '--data-dir', dataDir], options);
  expect(wrong).toMatchObject({ code: 1, out: '' });
  expect(wrong.err).toContain('--runs "many" is not a limit. Give a number such as 100, or default.');
}
