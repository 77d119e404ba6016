import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../platform/log.ts';
import { readConfig } from '../platform/config.ts';
import { openService } from '../service.ts';
import { testFolder } from '../testing/git.ts';
import { type Client, inProcess } from './client.ts';
import { addSampleContent } from './sample-content.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const NOW = new Date('2026-11-21T10:00:00Z');

/** A service of its own, without index runs. */
async function openClient(): Promise<Client> {
  const dataDir = testFolder();
  const service = await openService(
    readConfig({ SVC_ENCODER: 'off' }, { dataDir }),
    { serve: false, work: false },
    { log: createLog('silent'), version: '0.0.0', now: () => NOW },
  );
  onTestFinished(async () => {
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return inProcess(service);
}

const total = async (client: Client, path: string): Promise<number> =>
  (await client.send<{ total: number }>('GET', path)).total;

test('feedback and decisions about this project come with its own checkout, and with no other source', async () => {
  const client = await openClient();

  expect(await addSampleContent(client, { root: ROOT, sources: ['/elsewhere'], now: NOW })).toBeUndefined();
  expect(await addSampleContent(client, { root: ROOT, sources: [ROOT, '/elsewhere'], now: NOW })).toBeUndefined();
  expect(await total(client, '/v1/signals')).toBe(0);

  const added = await addSampleContent(client, { root: ROOT, sources: [ROOT], now: NOW });

  expect(added?.signals).toBeGreaterThan(40);
  expect(await total(client, '/v1/signals')).toBe(added?.signals);
  // Themes are what the service gathers, as of a user's feedback; nobody works here, so there are none yet.
  expect((await client.send<{ themes: unknown[] }>('GET', '/v1/themes')).themes).toEqual([]);
  const { decisions } = await client.send<{ decisions: { tags: string[] }[] }>('GET', '/v1/decisions');
  expect(decisions).toHaveLength(added?.decisions ?? 0);
  expect(decisions.every(({ tags }) => tags.includes('sample'))).toBe(true);
});

test('what sample decisions link and the plans of this repository name is there', () => {
  const decisions = JSON.parse(readFileSync(join(ROOT, 'demo/decisions.json'), 'utf8')) as { links?: string[] }[];
  const linked = decisions.flatMap(({ links = [] }) => links);
  const plans = readdirSync(join(ROOT, 'docs/plans'));
  const texts = plans.map((file) => readFileSync(join(ROOT, 'docs/plans', file), 'utf8'));
  const named = texts.flatMap((text) => [...text.matchAll(/`(src\/[\w./-]+)`/g)].map(([, path = '']) => path));

  const paths = [...named, ...linked.filter((link) => !link.startsWith('plan:'))];
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const slugs = plans.map((file) => `plan:${file.replace(/\.md$/, '')}`);
  expect(linked.filter((link) => link.startsWith('plan:') && !slugs.includes(link))).toEqual([]);
});
