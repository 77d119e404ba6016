import type { Handler } from 'hono';
import { ServiceError } from '../../src/kernel/errors.ts';
import { serviceRoutes } from '../../src/service-routes.ts';
import { anything } from './anything.ts';
import { code, page, table } from './markdown.ts';

const INTRODUCTION = `The routes below \`/v1\`, as \`/v1/openapi.json\` of a running service describes them in full. \`POST /v1/tools/{name}\` takes the arguments of
[tools.md](tools.md). The credential is \`X-API-Key: svc_live_…\` or \`Authorization: Bearer …\`; [api.md](api.md) says more. "key" is the scope
that an API key needs; \`owner\` means the token of the owner, as the \`svc\` command sends it. A field of the body
with \`?\` may be left out.`;

interface Schema {
  properties?: Record<string, unknown>;
  required?: string[];
  anyOf?: Schema[];
  $ref?: string;
}

interface Described {
  tags?: string[];
  summary?: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface Route {
  group: string;
  cells: string[];
}

/** Every route that API keys and the owner reach. */
export async function restPage(): Promise<string> {
  const routes: Route[] = [];
  for (const { routes: slice, v1 } of serviceRoutes(anything())) {
    if (v1 === undefined) continue;
    const { paths = {} } = slice.getOpenAPI31Document({ openapi: '3.1.0', info: { title: '', version: '' } });
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, described] of Object.entries(methods as Record<string, Described>)) {
        const own = slice.routes.filter((route) => route.method === method.toUpperCase() && samePath(route.path, path));
        routes.push(await describe({ method, path: `/v1${v1}${path}`, described, handler: own.at(-1)?.handler }));
      }
    }
  }
  const sections = Array.from(
    Map.groupBy(routes, ({ group }) => group),
    ([group, members]) => {
      const rows = members.map(({ cells }) => cells);
      return `## ${group}\n\n${table(['route', 'key', 'what it does', 'body'], rows)}`;
    },
  );
  return page('REST routes', INTRODUCTION, ...sections);
}

async function describe(route: { method: string; path: string; described: Described; handler: Handler | undefined }) {
  const { method, described, handler } = route;
  const path = route.path.replaceAll('//', '/').replace(/(?<=.)\/$/, '');
  const { tags = [], summary = '', parameters = [], requestBody } = described;
  const query = parameters.filter(({ in: location }) => location === 'query').map(({ name }) => name);
  const body = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => bodyFields(schema));
  const fields = body.length === 0 ? '' : code(body.join(' '));
  const address = query.length === 0 ? path : `${path}?${query.join('&')}`;
  const cells = [code(`${method.toUpperCase()} ${address}`), await scopeOf(handler), summary, fields];
  return { group: tags[0] ?? 'Other', cells };
}

function bodyFields(schema: Schema): string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(bodyFields);
  const required = new Set(schema.required);
  return Object.keys(schema.properties ?? {}).map((name) => (required.has(name) ? name : `${name}?`));
}

function samePath(hono: string, openApi: string): boolean {
  return hono.replaceAll(/:(\w+)(\{[^}]*\})?/g, '{$1}') === openApi;
}

/** The scope that a route demands: each refuses a key without scopes before anything else, and the refusal names it. */
async function scopeOf(handler: Handler | undefined): Promise<string> {
  const requester = { by: 'key', scopes: [], accountId: '', productId: '', keyId: '' };
  const read = { valid: anything, param: anything, query: anything, header: anything };
  const req = { ...read, raw: new Request('http://localhost') };
  try {
    await handler?.({ var: { requester }, req } as unknown as Parameters<Handler>[0], async () => {});
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'scope_denied') throw error;
    return /scope "([^"]+)"/.exec(error.message)?.[1] ?? 'owner';
  }
  throw new Error('This route answers a key without scopes.');
}
