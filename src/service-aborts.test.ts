import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenService } from './cli/command.ts';
import { readConfig } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { openService } from './service.ts';
import { abortCall, type CallTarget, DOORS, makeCall, SAMPLE_CALLS } from './testing/aborted-calls.ts';
import { testFolder, testRepository } from './testing/git.ts';
import { HANG_LIMIT_MS } from './testing/limits.ts';

/** Of each call, over all doors in turn, at random within the time that it takes. SVC_ABORTS=200 looks further. */
const MOMENTS = Number(process.env['SVC_ABORTS'] ?? 6);

const dataDir = testFolder();
const shop = testRepository([
  {
    files: {
      'README.md': '# Shop\n\nSends mails about orders.\n',
      'docs/mails.md':
        '# Mails\n\n## How sendMail retries\n\nsendMail tries three times, because servers refuse mails.\n',
      'src/mail.ts':
        '/** Sends one mail; tries three times. */\nexport function sendMail(to: string) {\n  return deliver(to, 3);\n}\n\nfunction deliver(to: string, tries: number) {\n  return tries > 0 && to !== "";\n}\n',
      'src/orders.ts':
        "import { sendMail } from './mail.ts';\n\nexport function confirm(to: string) {\n  return sendMail(to);\n}\n",
    },
    message: 'fix(mail): retry because servers refuse',
  },
]);
const faults: string[] = [];
let service: OpenService;
let target: CallTarget;

const onFault = (error: unknown): void => void faults.push(String(error));

beforeAll(async () => {
  process.on('unhandledRejection', onFault);
  const settings = {
    SVC_DATA_DIR: dataDir,
    SVC_PORT: '0',
    SVC_EXTRACT_PROCESSES: '1',
    SVC_EXACT_PASS: 'off',
    SVC_ENCODER: 'off',
    SVC_RATE_LIMIT_PER_MINUTE: '1000000',
  };
  const log = createLog('warn', (line) => void faults.push(line));
  const context = { log, version: '0.0.0', now: () => new Date() };
  service = await openService(readConfig(settings), { serve: true, work: true }, context);
  await send('/v1/repositories', { url: shop.path, name: 'shop' });
  await send('/v1/signals', {
    signals: [{ external_id: '1', text: 'sendMail sent my mail twice.', date: '2026-01-01' }],
  });
  const { key } = (await (await send('/v1/api-keys', { name: 'aborts' })).json()) as { key: string };
  target = { url: service.url ?? '', key };
});
afterAll(async () => {
  process.off('unhandledRejection', onFault);
  await service.close();
  shop.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

function send(path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return service.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

test('a client that leaves at any moment ends its own call and nothing else, whatever it called and however', async () => {
  await expect
    .poll(async () => {
      const listed = (await (await service.request('/v1/repositories')).json()) as {
        repositories: { status: string }[];
      };
      return listed.repositories[0]?.status;
    })
    .toBe('ready');
  const operations = new Set(SAMPLE_CALLS.map(({ operation }) => operation));
  const document = (await (await service.request('/v1/openapi.json')).json()) as { paths: Record<string, unknown> };
  const offered = Object.keys(document.paths).filter((path) => path.startsWith('/v1/tools/'));
  expect(offered.map((path) => path.replace('/v1/tools/', '')).filter((name) => !operations.has(name))).toEqual([]);

  for (const call of SAMPLE_CALLS) {
    const startedMs = performance.now();
    await makeCall(target, 'rest', { call, signal: AbortSignal.timeout(HANG_LIMIT_MS) });
    const usualMs = performance.now() - startedMs;
    const moments = Array.from({ length: MOMENTS }, (_, at) => ({
      door: DOORS[at % DOORS.length] ?? 'rest',
      afterMs: Math.ceil(Math.random() * usualMs),
    }));
    await Promise.all(moments.map(({ door, afterMs }) => abortCall(target, door, { call, afterMs })));
    for (const door of DOORS) await makeCall(target, door, { call, signal: AbortSignal.timeout(HANG_LIMIT_MS) });
  }

  expect(faults).toEqual([]);
});
