import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { ServiceError } from '../../src/kernel/errors.ts';
import type { ProductResources } from '../../src/mcp/server.ts';
import { type AnyOperation, defineOperation } from '../../src/platform/operation/operation.ts';
import { testFolder } from '../../src/testing/git.ts';
import { startService, TestKeys, type TestService } from '../../src/testing/http.ts';

/** What the official suite asks for and this server does not offer. Every other scenario of the suite must pass. */
const NOT_OFFERED: readonly RegExp[] = [
  /^(tools-call|resources-read|prompts-get)-.*(image|audio|binary|embedded-resource|mixed-content)$/, // only text
  /^prompts-get-(simple|with-args)$/, // those of a reference server
  /^(tools-call-)?(sampling|elicitation)|^input-required-result-/, // questions to the client while a call runs
  /logging/, // log messages to the client
  /^completion-complete$/,
  /^resources-(templates-read|subscribe|unsubscribe)$/,
  /^json-schema-2020-12$|^http-custom-header-/, // a reference server's schema, arguments in headers
  /^(sep-2640-skills|tasks)-/, // extensions
];
/** What the suite says when a server lacks the tool that a check needs. */
const NOT_TESTABLE = /^Not testable: /;
/** More than the shortest time between two notices of progress. */
const STEP_MS = 120;

const SUITE = join(import.meta.dirname, '../../node_modules/.bin/conformance');

/** The resource that the suite reads. */
const SUITE_RESOURCES: ProductResources = {
  list: async () => ({ resources: [{ uri: 'test://static-text', name: 'text', mimeType: 'text/plain' }] }),
  async read(_caller, uri) {
    if (uri === 'test://static-text') return { mimeType: 'text/plain', text: 'A text.' };
    throw new ServiceError('not_found', `There is no ${uri}.`, { fix: 'resources/list' });
  },
};

interface Check {
  scenario: string;
  id: string;
  status: string;
  message: string;
}

/** A check as the suite saves it. */
interface SavedCheck {
  id: string;
  status: string;
  errorMessage?: string;
}

const keys = new TestKeys(100_000);
const secret = keys.add('one');
let service: TestService;
let door: Server;

beforeAll(async () => {
  service = await startService({ operations: suiteOperations(), gate: keys, serving: { resources: SUITE_RESOURCES } });
  door = await openWithKey(new URL('/v1/mcp', service.url));
});
afterAll(async () => {
  door.close();
  await service.close();
});

test.for([
  // A plain request is answered with JSON, so the suite has one check of streams less to make.
  ['2025-11-25', 24],
  ['2026-07-28', 68],
] as const)('every check of the official suite for %s that applies passes', async ([revision, count]) => {
  const checks = (await runSuite(revision)).filter(({ scenario }) => !NOT_OFFERED.some((name) => name.test(scenario)));
  const failed = checks.filter(({ status, message }) => status === 'FAILURE' && !NOT_TESTABLE.test(message));

  expect(failed).toEqual([]);
  expect(checks.filter(({ status }) => status === 'SUCCESS')).toHaveLength(count);
});

/** Runs all scenarios for a revision of the protocol, as the command of the suite does. */
async function runSuite(revision: string): Promise<Check[]> {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { port } = door.address() as AddressInfo;
  const target = ['--url', `http://localhost:${port}/mcp`, '--suite', 'all', '--spec-version', revision];
  const args = [SUITE, 'server', ...target, '--output-dir', folder];
  // The command ends with code 1 when a scenario that does not apply has failed.
  await new Promise<void>((resolve) => execFile(process.execPath, args, { cwd: folder }, () => resolve()));
  return readdirSync(folder).flatMap((name) => {
    const scenario = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name;
    const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as SavedCheck[];
    return checks.map(({ id, status, errorMessage: message = '' }) => ({ scenario, id, status, message }));
  });
}

/** Passes each request on with the API key, which the suite cannot send. */
async function openWithKey({ hostname, port, pathname: path }: URL): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${secret}` };
    const passed = request({ hostname, port, path, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** The tools that the suite calls. */
function suiteOperations(): AnyOperation[] {
  const shape = {
    description: 'As the conformance suite describes it.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read' as const,
    input: z.object({}),
    aliases: {},
  };
  return [
    defineOperation({ ...shape, name: 'test_simple_text', run: async () => ({ text: 'A simple text.', json: {} }) }),
    defineOperation({
      ...shape,
      name: 'test_error_handling',
      run: () => Promise.reject(new ServiceError('not_found', 'It always fails.', { fix: 'test_simple_text' })),
    }),
    defineOperation({
      ...shape,
      name: 'test_tool_with_progress',
      async run(context) {
        for (const done of [0, 50, 100]) {
          context.progress(done, 100, 'working');
          await setTimeout(STEP_MS);
        }
        return { text: 'done', json: {} };
      },
    }),
  ];
}
