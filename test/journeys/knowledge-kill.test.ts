import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../src/testing/git.ts';
import {
  eventually,
  killService,
  serverFile,
  type ServiceProcess,
  startSvc,
  temporaryFolder,
} from './service-process.ts';

/** Number of kills; `SVC_KILLS=20 npx vitest run test/journeys/knowledge-kill.test.ts` is the long run. */
const KILLS = Number(process.env['SVC_KILLS'] ?? 2);
/** An undisturbed import takes about this long. */
const IMPORT_MS = 500;

const BATCHES = 16;
const BATCH = 25;
const DOCUMENTS = 16;

/** One request of the import, and whether its answer came. */
interface Step {
  path: string;
  body: string;
  isAcknowledged: boolean;
}

test('kill -9 in the middle of an import and of research loses nothing that was acknowledged, and does nothing twice', async () => {
  const repository = testRepository([{ files: { 'a.ts': 'export const first = 1;\n' } }]);
  onTestFinished(() => repository.remove());
  const dataDir = join(temporaryFolder(), 'data');
  const start = (): Promise<ServiceProcess> => startSvc(['up', '--data-dir', dataDir], { cwd: repository.path });
  const steps = importSteps();
  const killed: string[] = [];
  const begun: Run[] = [];

  for (let round = 0; round < KILLS; round += 1) {
    const service = await start();
    await eventually(() => isIndexed(dataDir));
    const importing = runSteps(dataDir, steps);
    const researching = research(dataDir);
    await new Promise((resolve) => setTimeout(resolve, randomInt(50, IMPORT_MS)));
    begun.push(...(await runs(dataDir)));
    await killService(service);
    await Promise.all([importing, researching]);
    killed.push(`${steps.filter((step) => step.isAcknowledged).length} of ${steps.length}`);
  }

  const service = await start();
  const stored = await signalIds(dataDir);
  const lost = steps
    .filter((step) => step.isAcknowledged && step.path === '/v1/signals')
    .flatMap((step) => idsOf(step))
    .filter((id) => !stored.includes(id));
  process.stderr.write(`killed after ${killed.join(', ')} requests; ${stored.length} signals were kept\n`);
  expect(lost).toEqual([]);
  const listed = new Set((await documents(dataDir)).documents.map(({ name }) => `/v1/documents?name=${name}`));
  expect(steps.filter((step) => step.isAcknowledged && step.path !== '/v1/signals' && !listed.has(step.path))).toEqual(
    [],
  );
  // Whoever imports cannot know what the last request did, and sends everything again.
  for (const step of steps) step.isAcknowledged = false;
  await runSteps(dataDir, steps);
  expect(steps.every((step) => step.isAcknowledged)).toBe(true);
  await eventually(async () => (await documents(dataDir)).counts.waiting === 0);
  const ids = await signalIds(dataDir);
  expect(ids).toHaveLength(BATCHES * BATCH);
  expect(new Set(ids).size).toBe(BATCHES * BATCH);
  const { documents: pages, counts } = await documents(dataDir);
  expect(pages.map(({ name }) => name).toSorted()).toEqual(names().toSorted());
  expect([counts.ready, pages.every(({ version }) => version === 1)]).toEqual([DOCUMENTS, true]);
  const search = () =>
    ask<{ rows: unknown[]; counts: Record<string, number> }>(
      dataDir,
      '/v1/tools/search-tool',
      JSON.stringify({ query: 'walrus' }),
    );
  // While the index takes in what was imported, a busy machine may answer that it was not searched in time.
  await eventually(async () => (await search()).rows.length > 0);
  const { counts: hits } = await search();
  expect([hits['signals'], hits['documents']]).toEqual([BATCHES * BATCH, DOCUMENTS]);
  // Research whose process was killed goes on by itself, with what it had found.
  await eventually(async () => (await runs(dataDir)).every(({ state }) => state === 'done'));
  const ended = new Map((await runs(dataDir)).map((run) => [run.id, run]));
  process.stderr.write(`research was cut off ${begun.filter(({ state }) => state === 'running').length} times\n`);
  for (const { id, steps: before } of begun)
    expect(ended.get(id)?.steps).toEqual(
      expect.arrayContaining(before.filter(({ ended_at: at }) => at !== null)) as unknown,
    );
  await service.end();
});

function names(): string[] {
  return Array.from({ length: DOCUMENTS }, (_, at) => `page-${at}.md`);
}

/** Batches of signals with a document after each. */
function importSteps(): Step[] {
  return Array.from({ length: BATCHES }, (_step, at): Step[] => {
    const signals = Array.from({ length: BATCH }, (_signal, number) => {
      const id = `s-${at}-${number}`;
      return {
        external_id: id,
        source: 'test',
        customer: `Company ${number % 7}`,
        text: `The walrus of ${id} is slow`,
      };
    });
    const page = `# Page ${at}\n\nA walrus on page ${at}.\n`;
    const name = names()[at];
    const document =
      name === undefined ? [] : [{ path: `/v1/documents?name=${name}`, body: page, isAcknowledged: false }];
    return [{ path: '/v1/signals', body: JSON.stringify({ signals }), isAcknowledged: false }, ...document];
  }).flat();
}

function idsOf({ body }: Step): string[] {
  return (JSON.parse(body) as { signals: { external_id: string }[] }).signals.map((signal) => signal.external_id);
}

/** Sends what was not acknowledged yet, in order, until all is or the service is gone. */
async function runSteps(dataDir: string, steps: readonly Step[]): Promise<void> {
  for (const step of steps.filter((candidate) => !candidate.isAcknowledged)) {
    try {
      await ask(dataDir, step.path, step.body);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
    step.isAcknowledged = true;
  }
}

async function signalIds(dataDir: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  do {
    const path = `/v1/signals?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await ask<{ signals: { external_id: string }[]; next: string | null }>(dataDir, path);
    ids.push(...page.signals.map((signal) => signal.external_id));
    cursor = page.next ?? '';
  } while (cursor !== '');
  return ids;
}

interface Run {
  id: string;
  state: string;
  steps: { name: string; ended_at: string | null }[];
}

/** Begins research, and waits for it unless the service goes away. */
async function research(dataDir: string): Promise<void> {
  const question = JSON.stringify({ question: 'Why is the walrus slow, and what do customers say about it?' });
  await ask(dataDir, '/v1/tools/run_deepResearchWorkflow', question).catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error;
  });
}

async function isIndexed(dataDir: string): Promise<boolean> {
  const { repositories } = await ask<{ repositories: { status: string }[] }>(dataDir, '/v1/repositories');
  return repositories.every(({ status }) => status === 'ready');
}

/** All runs with their steps. */
async function runs(dataDir: string): Promise<Run[]> {
  const { runs: listed } = await ask<{ runs: { id: string }[] }>(dataDir, '/v1/runs');
  return Promise.all(listed.map(({ id }) => ask<Run>(dataDir, `/v1/runs/${id}`)));
}

interface DocumentPage {
  documents: { name: string; version: number }[];
  counts: { waiting: number; ready: number };
}

function documents(dataDir: string): Promise<DocumentPage> {
  return ask(dataDir, '/v1/documents?limit=200&kind=upload');
}

/** The answer to a request with the owner's token; a `TypeError` of `fetch` when the service is not there. */
async function ask<Body>(dataDir: string, path: string, body?: string): Promise<Body> {
  const { url, token } = serverFile(dataDir);
  const type = path.startsWith('/v1/documents') ? 'text/markdown' : 'application/json';
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  // The caller says what the route gives.
  return JSON.parse(text) as Body;
}
