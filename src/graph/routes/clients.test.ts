import { expect, test } from 'vitest';
import { createdTables, fitsRoute, mayHoldRoutes, namedIn, readRoutes, tableUses } from './routes.ts';

/** `-> GET /users` for each request, after `GET /users show` for each route and `/api < users` for each mount. */
function describeClients(language: string, text: string): string[] {
  const { routes, mounts, clients } = readRoutes({ path: 'src/a', language, text }, namedIn(text));
  return [
    ...routes.map(({ method, path, handler }) =>
      `${method} ${path} ${handler !== undefined && 'name' in handler ? handler.name : ''}`.trim(),
    ),
    ...mounts.map(({ prefix, name }) => `${prefix} < ${name}`),
    ...clients.map(({ method, path }) => `-> ${method} ${path}`),
  ];
}

test('the base of an address may end with the slash, and be what a call gives', () => {
  const source = `
    axios.get(\`\${config.get('url')}user\`);
    axios.put(config.get('url') + 'client/' + id, { name });
    axios.get(\`\${config.get('url')}plugin/\${id}/config\`);
    axios.get(\`\${anything}\`);`;

  expect(describeClients('TypeScript', source)).toEqual([
    '-> GET /user',
    '-> PUT /client/:param',
    '-> GET /plugin/:param/config',
  ]);
});

test('who waits for an answer makes a request, also of what routers are called; who hands a function over defines a route', () => {
  const source = `
    import { api } from './api.ts';
    import express from 'express';
    export async function add(user) {
      await api.post('/users/add', user);
      const one = await api.get<User>('/users/one', { params });
      return api.put('/users/one', user);
    }
    api.get('/health', health);
    const routes = api.get('/users', (request, response) => response.end());`;

  expect(describeClients('TypeScript', source)).toEqual([
    'GET /health health',
    'GET /users',
    '-> POST /users/add',
    '-> GET /users/one',
    '-> PUT /users/one',
  ]);
});

test('tRPC: procedures by the keys around them, routers of other files below a key, and the calls of clients', () => {
  const server = `import { initTRPC } from '@trpc/server';
const t = initTRPC.create();
export const appRouter = t.router({
  user: t.router({
    list: publicProcedure.query(() => db.users.all()),
    create: publicProcedure.input(z.object({ name: z.string() })).mutation(createUser),
  }),
  post: postRouter,
  greeting: publicProcedure.query(({ input }) => ({ text: input })),
});
`;
  const client = `import { trpc } from '../trpc';
const users = trpc.user.list.useQuery();
const create = api.user.create.useMutation();
await client.post.byId.query(id);
trpc.useContext();
rows.query('select 1');
`;

  expect(describeClients('TypeScript', server)).toEqual([
    'QUERY /user/list',
    'MUTATION /user/create createUser',
    'QUERY /greeting',
    '/post < postRouter',
  ]);
  expect(describeClients('TypeScript', client)).toEqual([
    '-> QUERY /user/list',
    '-> MUTATION /user/create',
    '-> QUERY /post/byId',
  ]);
});

test('clients of an OpenAPI description: requests by path and method, written or generated', () => {
  const written = `import createClient from 'openapi-fetch';
const shop = createClient({ baseUrl });
const { data } = await shop.GET('/orders/{id}', { params: { path: { id } } });
await shop.DELETE('/orders/{id}', { params });
`;
  const generated = `export function getOrder(id) {
  return __request(OpenAPI, { method: 'GET', url: '/orders/{id}', path: { id } });
}
fastify.route({ method: 'GET', url: '/orders/:id', handler: show });
`;

  expect(describeClients('TypeScript', written)).toEqual(['-> GET /orders/{id}', '-> DELETE /orders/{id}']);
  expect(describeClients('TypeScript', generated)).toEqual(['-> GET /orders/{id}']);
  expect(fitsRoute('/orders/{id}', '/orders/:id')).toBe(1);
  // The base address of a client may hold what stands before all routes.
  expect(fitsRoute('/orders/:param', '/api/v1/orders/:id')).toBe(1);
  expect(fitsRoute('/orders', '/shop/orders')).toBe(0);
});

function tablesIn(language: string, text: string): string[] {
  return tableUses({ language, text }).map(({ table, isWritten, line }) => `${line} ${isWritten ? 'w' : 'r'} ${table}`);
}

test('tables stand behind the words of SQL in texts, and in calls of query builders; imports name none', () => {
  const text = `from orders import total
def pay(order):
    rows = db.execute("""select o.id
        from orders o join shop.customers c on c.id = o.customer""")
    db.execute("INSERT INTO payments (id) VALUES (?)")
    db.execute('update only stock set left = 0')
    print("we came from nowhere")
`;
  const built = `export const open = () => db.selectFrom('orders as o').innerJoin('customers', 'c', 'o').execute();
await db.deleteFrom('carts').execute();
`;
  expect(tablesIn('Python', text)).toEqual(['4 r orders', '4 r customers', '5 w payments', '6 w stock', '7 r nowhere']);
  expect(tablesIn('TypeScript', built)).toEqual(['1 r orders', '1 r customers', '2 w carts']);
});

test('Go: requests of the standard library, and of wrappers that take a context first', () => {
  const text = `func (c *Client) Me(ctx context.Context) {
	body, err := c.request.Get(ctx, "/v1/me")
	http.Post(base + "/v1/feeds", "application/json", nil)
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, fmt.Sprintf("%s/v1/users/%d", base, id), nil)
	cache.Get("/v1/none")
}
`;

  expect(describeClients('Go', text)).toEqual(['-> GET /v1/me', '-> POST /v1/feeds', '-> PUT /v1/users/:param']);
  expect(mayHoldRoutes({ language: 'Go', text }, new Set())).toBe(true);
});

test('a request may leave out what a constant gives in front of a route, and what generated clients name may be a path', () => {
  expect(mayHoldRoutes({ language: 'TypeScript', text: "api.post<User>('/users', user);" }, new Set())).toBe(true);
  const swr = "const { data } = useSWR('/api/status');\n";
  const generated = "this.request({ path: `/users/login`, method: 'POST', body });\n";

  expect(fitsRoute('/tags', '/{settings.api_prefix}/tags')).toBe(1);
  expect(fitsRoute('/api/tags/mine', '/{settings.api_prefix}/tags/mine')).toBe(2);
  expect(fitsRoute('/tags', '/{id}/tags')).toBe(0);
  expect(mayHoldRoutes({ language: 'TypeScript', text: swr }, new Set())).toBe(true);
  expect(describeClients('TypeScript', generated)).toEqual(['-> POST /users/login']);
});

test('tables are made by SQL in texts', () => {
  const text =
    'var steps = []string{`\n  CREATE TABLE if not exists feeds (id int);\n  create table "public"."users" (id int)`}\n// create table no (id int)\n';

  expect(createdTables({ language: 'Go', text })).toEqual([
    { table: 'feeds', line: 2 },
    { table: 'users', line: 3 },
  ]);
});
