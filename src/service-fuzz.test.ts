import { rmSync } from 'node:fs';
import {
  type Arbitrary,
  array,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  record,
  sample,
  string,
  subarray,
  tuple,
} from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenService } from './cli/command.ts';
import { readConfig } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { openService } from './service.ts';
import { testFolder, testRepository } from './testing/git.ts';
import { HANG_LIMIT_MS } from './testing/limits.ts';

/** Calls of one run; SVC_FUZZ_CALLS=20000 looks further. The same number gives the same calls. */
const CALLS = Number(process.env['SVC_FUZZ_CALLS'] ?? 500);
const SEED = 20_261_122;

/** End the session that the calls are made with, or take it away from the account. */
const ENDING = ['/app/api/sign-out', '/app/api/sign-out-everywhere', '/app/api/account', '/app/api/sessions/{id}'];

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  anyOf?: Schema[];
}

interface Route {
  method: string;
  path: string;
  query: string[];
  body: Schema | undefined;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
}

/** Launcher with which the service was started. */
const LAUNCHER = '/srv/elsewhere/bin/svc.mjs';

interface Described {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const dataDir = testFolder();
const shop = testRepository([{ files: { 'mail.ts': 'export function sendMail(to: string) {\n  return to;\n}\n' } }]);
let service: OpenService;
let cookie = '';
let routes: Route[] = [];

beforeAll(async () => {
  process.env['SVC_CALLED_AS'] = `node ${LAUNCHER}`;
  const settings = {
    SVC_DATA_DIR: dataDir,
    SVC_LOG_LEVEL: 'silent',
    SVC_EXTRACT_PROCESSES: '1',
    SVC_EXACT_PASS: 'off',
    SVC_ENCODER: 'off',
  };
  const context = { log: createLog('silent'), version: '0.0.0', now: () => new Date() };
  service = await openService(readConfig(settings), { serve: false, work: true }, context);
  const { url } = (await (await service.request('/v1/login-link', { method: 'POST' })).json()) as { url: string };
  const signedIn = await send('POST', '/app/api/sign-in/link', { token: url.split('#token=')[1] });
  cookie = (signedIn.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  await send('POST', '/v1/repositories', { url: shop.path, name: 'shop' });
  const [programs, pages] = await Promise.all(
    ['/v1/openapi.json', '/app/api/openapi.json'].map(async (path) => (await send('GET', path)).json() as unknown),
  );
  // The document of the pages names its paths below its own address.
  routes = [...routesOf(programs as Document, ''), ...routesOf(pages as Document, '/app/api')];
});
afterAll(async () => {
  delete process.env['SVC_CALLED_AS'];
  await service.close();
  shop.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

function send(method: string, path: string, body?: unknown): Promise<Response> {
  return service.request(path, {
    method,
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

function routesOf({ paths }: Document, base: string): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(() => !ENDING.includes(base + path))
      .map(([method, { parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path: base + path,
        query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
        body: requestBody?.content['application/json']?.schema,
      })),
  );
}

/** Texts that programs send by mistake and attackers on purpose. */
const ODD_TEXT = constantFrom(
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\uD800',
  'x\uDFFFy',
  '\u001B[2J',
  '\u202E',
  '%00',
  '%',
  '..',
  '../../etc/passwd',
  "'; drop table api_key; --",
  '$1',
  '\\',
  '"',
  '*',
  '(',
  '(a+)+$',
  '[',
  'NaN',
  '-1',
  '1e309',
  '9'.repeat(400),
  'é'.normalize('NFD'),
  '👩‍💻',
  'x'.repeat(5_000),
  '2026-02-30',
  '0d',
  '99999999999d',
  'HEAD~99999',
  'dec:99999999999999',
  'wi:2147483648',
  'doc:',
  'plan:',
  'sym:@',
  'mail.ts:0-0',
  'mail.ts:9-1',
  '__proto__',
  'constructor',
  'shop',
  'mail.ts',
);
const ODD_VALUE: Arbitrary<unknown> = oneof(
  ODD_TEXT,
  constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, 2 ** 31, 2 ** 53, [], {}, [[]], [null], { a: { b: [] } }),
  string({ unit: 'binary', maxLength: 30 }),
  array(ODD_TEXT, { maxLength: 3 }),
);

/** A value of a schema, more often than not; where it is not, anything. */
function valueOf(schema: Schema, depth = 0): Arbitrary<unknown> {
  const [type] = [schema.type ?? schema.anyOf?.[0]?.type].flat();
  const fitting: Arbitrary<unknown> =
    schema.enum !== undefined
      ? constantFrom(...schema.enum)
      : type === 'object' && depth < 4
        ? objectOf(schema, depth)
        : type === 'array'
          ? array(valueOf(schema.items ?? {}, depth + 1), { maxLength: 3 })
          : type === 'integer' || type === 'number'
            ? integer({ min: -2, max: 300 })
            : type === 'boolean'
              ? boolean()
              : oneof(ODD_TEXT, constantFrom('mail', 'sendMail', '# A title\n\ntext', '30d', 'shop'));
  return oneof({ weight: 5, arbitrary: fitting }, { weight: 1, arbitrary: ODD_VALUE });
}

function objectOf({ properties = {}, required = [] }: Schema, depth: number): Arbitrary<unknown> {
  const values = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, depth + 1)]),
  );
  return oneof(
    { weight: 6, arbitrary: record(values, { requiredKeys: required.filter((name) => name in values) }) },
    { weight: 1, arbitrary: record(values, { requiredKeys: [] }) },
  );
}

interface Call {
  method: string;
  path: string;
  body: unknown;
}

/** A call of a route: its path and query filled in, its body made and sometimes broken. */
function callOf({ method, path, query, body }: Route): Arbitrary<Call> {
  const written = oneof(ODD_TEXT, constantFrom('shop', '1', '01890000-0000-7000-8000-000000000000', 'mail.ts'));
  const names = path.match(/\{\w+\}/g) ?? [];
  const made = body === undefined ? constant(undefined) : valueOf(body);
  const broken = made.map((value) => JSON.stringify(value)?.slice(0, -1) ?? '{');
  return record({
    parts: array(written, { minLength: names.length, maxLength: names.length }),
    asked: subarray(query).chain((some) => tuple(...some.map((name) => tuple(constant(name), written)))),
    body: body === undefined ? made : oneof({ weight: 12, arbitrary: made }, { weight: 1, arbitrary: broken }),
  }).map(({ parts, asked: parameters, body: sent }) => {
    const filled = names.reduce((so, name, at) => so.replace(name, () => inAddress(parts[at] ?? '')), path);
    const search = parameters.map(([name, value]) => `${name}=${inAddress(value)}`).join('&');
    return { method, path: search === '' ? filled : `${filled}?${search}`, body: sent };
  });
}

/** As clients write it; halves of characters cannot be written, so they stay what a URL makes of them. */
function inAddress(text: string): string {
  return encodeURIComponent(text.toWellFormed().slice(0, 1_000));
}

/** Paths that no error may reveal to a client: of the service, its data and its launcher. */
const PATHS_OF_SERVER = (): string[] => [dataDir, process.cwd(), LAUNCHER];

/** Returns what is wrong with an answer; undefined when the contract allows it. */
async function faultOf(call: Call): Promise<string | undefined> {
  const response = await send(call.method, call.path, call.body);
  const text = await response.text();
  const shown = `${call.method} ${call.path.slice(0, 300)} ${JSON.stringify(call.body)?.slice(0, 300) ?? ''}`;
  if (response.status < 400) return undefined;
  const leaked = PATHS_OF_SERVER().find((path) => text.includes(path));
  if (leaked !== undefined) return `${leaked} is told for ${shown}: ${text.slice(0, 300)}`;
  // Somebody else who was to be asked, such as a tracker, did not answer, and the error says who.
  const isElsewhere = response.status === 502;
  if (response.status >= 500 && !isElsewhere) return `${response.status} for ${shown}: ${text.slice(0, 300)}`;
  const { error } = readJson(text);
  const parts = ['code', 'message', 'fix', 'request_id'].map((name) => error?.[name]);
  return parts.every((part) => typeof part === 'string' && part !== '') ? undefined : `${text} for ${shown}`;
}

function readJson(text: string): { error?: Record<string, unknown> } {
  try {
    return JSON.parse(text) as { error?: Record<string, unknown> };
  } catch {
    return {};
  }
}

test(
  `${CALLS} mutated calls of all routes and operations get an answer or an error of the contract`,
  { timeout: HANG_LIMIT_MS + CALLS * 60 },
  async () => {
    expect(routes.length).toBeGreaterThan(100);
    const each = Math.ceil(CALLS / routes.length);
    const faults: string[] = [];
    for (const [at, route] of routes.entries()) {
      for (const call of sample(callOf(route), { numRuns: each, seed: SEED + at })) {
        const fault = await faultOf(call);
        if (fault !== undefined) faults.push(fault);
      }
    }

    expect(faults).toEqual([]);
  },
);
