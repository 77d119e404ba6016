import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/git.ts';
import type { Client } from './client.ts';
import { describeScip, uploadScipFile } from './commands-scip.ts';

const RECEIPT = {
  repository: 'shop',
  commit: 'f61172b8dd3f962d33f25c50b2f5405e90ceffa5',
  tool: 'scip-python 0.6.6',
  documents: 27,
  occurrences: 10_479,
  applies: true,
};

const unused = () => Promise.reject(new Error('Nothing else is asked.'));

/** A service with these repositories, and what was sent to it. */
function serviceWith(...names: string[]): { client: Client; sent: { path: string; body: unknown }[] } {
  const sent: { path: string; body: unknown }[] = [];
  const repositories = names.map((name) => ({ id: `id-${name}`, name }));
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const named = repositories.find(({ name }) => path === `/v1/repositories/${name}`);
    if (method === 'GET') return named ?? { repositories, next: null };
    sent.push({ path, body });
    return RECEIPT;
  };
  // The answers are those of the routes that this command uses.
  const unusedMethods = {
    text: unused,
    get: unused,
    download: unused,
    request: unused,
    close: () => Promise.resolve(),
  };
  return { sent, client: { where: 'here', isLogin: false, send: send as Client['send'], ...unusedMethods } };
}

function indexFile(): string {
  const path = join(testFolder(), 'index.scip');
  writeFileSync(path, Uint8Array.of(1, 2, 3));
  return path;
}

test('the bytes of the file go to the only repository, or to the one that is named', async () => {
  const single = serviceWith('shop');
  const two = serviceWith('shop', 'web');

  expect(await uploadScipFile(single.client, indexFile(), {})).toEqual(RECEIPT);
  await uploadScipFile(two.client, indexFile(), { repo: 'web', commit: 'v1', root: 'packages/app' });

  expect(single.sent).toEqual([{ path: '/v1/repositories/id-shop/scip', body: Uint8Array.of(1, 2, 3) }]);
  expect(two.sent[0]?.path).toBe('/v1/repositories/id-web/scip?commit=v1&root=packages%2Fapp');
});

test('a missing file and a choice that is not made are told', async () => {
  const two = serviceWith('shop', 'web');

  await expect(uploadScipFile(two.client, '/nowhere/index.scip', { repo: 'web' })).rejects.toThrow(
    'The file /nowhere/index.scip cannot be read.',
  );
  await expect(uploadScipFile(two.client, indexFile(), {})).rejects.toMatchObject({
    fix: expect.stringContaining('--repo'),
  });
  await expect(uploadScipFile(serviceWith().client, indexFile(), {})).rejects.toThrow('There are no repositories.');
});

test('the receipt says when it is applied', () => {
  expect(describeScip(RECEIPT)).toBe(
    'scip-python 0.6.6: 27 documents with 10,479 names, at f61172b of shop; it is being applied now.',
  );
  expect(describeScip({ ...RECEIPT, applies: false })).toContain('when that commit is indexed');
});
