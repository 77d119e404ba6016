import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../src/testing/git.ts';
import { eventually, serverFile, startSvc, svc, svcJson, temporaryFolder } from './service-process.ts';

const DAY_MS = 86_400_000;
const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** A year of reviews in three languages, two on each day that has some. */
const SUBJECTS = [
  ['The parcel arrived late', 'Das Paket kam zu spät', 'Le colis est arrivé en retard'],
  ['Search finds nothing', 'Die Suche findet nichts', 'La recherche ne trouve rien'],
  ['I like the new look', 'Mir gefällt das neue Aussehen', 'La nouvelle apparence me plaît'],
];
const QUIET = Array.from({ length: 48 }, (_, at) => ({
  day: dayBefore(40 + at * 6),
  stars: 2 + (at % 4),
  author: `Reader ${at % 16}`,
  text: `${SUBJECTS[at % 3]?.[Math.floor(at / 3) % 3] ?? ''}, no. ${at}`,
}));
const PLANTED = [
  'My card was charged twice for one order',
  'Charged twice for the same order, please pay one back',
  'One order, two payments: my card was charged twice',
  'Why was I charged twice for a single order?',
  'The order was charged twice to my card',
  'Meine Karte wurde für eine Bestellung doppelt belastet',
  'Eine Bestellung wurde von der Karte doppelt belastet',
  'Die Karte wurde doppelt belastet, bitte zurückzahlen',
].map((text, at) => ({ day: dayBefore(1 + (at % 5)), stars: 1, author: `Buyer ${at}`, text }));

const CHARGE = 'export function chargeCard(order: string): string {\n  return `charged ${order}`;\n}\n';

test('a new problem is noticed, counted, planned, found stale after a commit, and its customers are listed when it is done', async () => {
  const repository = testRepository([{ files: { 'src/billing.ts': CHARGE } }]);
  onTestFinished(() => repository.remove());
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const lines = [...QUIET, ...PLANTED].map(({ day, stars, author, text }) => `${day},${stars},${author},"${text}"`);
  writeFileSync(join(folder, 'reviews.csv'), ['Published on,Stars,Author,What they say', ...lines].join('\n'));
  const dataDir = join(folder, 'data');
  const options = { cwd: repository.path };
  await startSvc(['up', '--data-dir', dataDir], options);
  const run = <Document>(...args: string[]): Promise<Document> =>
    svcJson<Document>([...args, '--data-dir', dataDir], options);
  await eventually(async () => {
    const { repositories } = await get<{ repositories: { status: string }[] }>(dataDir, '/v1/repositories');
    return repositories.some(({ status }) => status === 'ready');
  });

  const imported = await run('signal', 'import', join(folder, 'reviews.csv'));
  expect(imported).toMatchObject({ read: 56, added: 56, skipped: [], refused: [] });
  interface Theme {
    id: string;
    label: string;
    signals: number;
    trend: { direction: string };
  }
  let subject: Theme | undefined;
  await eventually(async () => {
    const { themes } = await get<{ themes: Theme[] }>(dataDir, '/v1/themes?least=1&limit=100');
    subject = themes.find(({ trend }) => trend.direction === 'new');
    return subject !== undefined;
  });
  expect(subject?.signals).toBeGreaterThanOrEqual(5);

  const { answer } = await run<{ answer: string }>('ask', 'How many one-star reviews are there?', '--about', 'product');
  expect(answer).toMatch(/^8 of 56 signals have rating=1/);

  const { plan } = await run<{ plan: { slug: string; text: string } }>('plan', 'from-theme', subject?.id ?? '');
  const { slug, text } = plan;
  expect(text).toContain(subject?.label);
  const task = '- [ ] T1 Charge once in `chargeCard` of `src/billing.ts`';
  await send(dataDir, 'PUT', `/v1/plans/${slug}`, { text: `${text}\n\n${task}\n` });
  repository.commit({ files: { 'src/billing.ts': CHARGE.replace('charged', 'paid') } });
  await svc(['index', '--data-dir', dataDir], options);
  interface Plan {
    work_items: { id: string; status: string; stale: { state: string } | null }[];
    asked_by: { total_customers: number; customers: { customer: string }[] };
  }
  await eventually(async () => {
    const { work_items: items } = await get<Plan>(dataDir, `/v1/plans/${slug}`);
    return items[0]?.stale?.state === 'stale';
  });
  const { work_items: items } = await get<Plan>(dataDir, `/v1/plans/${slug}`);
  await run('work-item', 'set', items[0]?.id ?? '', '--status', 'done');

  const { asked_by: askers, work_items: finished } = await get<Plan>(dataDir, `/v1/plans/${slug}`);
  expect(finished.map(({ status }) => status)).toEqual(['done']);
  expect(askers.customers.filter(({ customer }) => !customer.startsWith('Buyer '))).toEqual([]);
  // Later messages join a subject once it is a theme.
  expect(askers.total_customers).toBeGreaterThanOrEqual(subject?.signals ?? PLANTED.length);
  expect(askers.total_customers).toBeLessThanOrEqual(PLANTED.length);
});

/** What a route answers to the owner. */
function get<Body>(dataDir: string, path: string): Promise<Body> {
  return send<Body>(dataDir, 'GET', path);
}

async function send<Body>(dataDir: string, method: string, path: string, body?: unknown): Promise<Body> {
  const { url, token } = serverFile(dataDir);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(new URL(path, url), {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as Body;
}
