import { expect, test } from 'vitest';
import { withIndexed } from '../../testing/indexed-code.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { describeNodes } from '../queries/store.ts';
import { readGraph } from './build.ts';
import { requestedRoutes } from './link-requests.ts';

const FILES = {
  'package.json': '{ "dependencies": { "@apollo/server": "5.0.0", "@apollo/client": "4.0.0" } }\n',
  'openapi.yml': `openapi: 3.0.1
paths:
  /owners:
    get:
      operationId: listOwners
  /v2/owners:
    get:
      operationId: name
  /owners/{id}:
    get:
      operationId: getOwner
    delete:
      operationId: deleteOwner
  /users/me:
    get:
      operationId: users-read_me
`,
  'java/OwnerController.java': `class OwnerController implements OwnersApi {
  Object listOwners() { return null; }
  Object getOwner(int id) { return null; }
}
class Pet { Object name() { return null; } }
`,
  'java/Pet.java': 'class Pet {\n  Object getOwner() { return null; }\n}\n',
  'web/owners.ts': `export class OwnerService {
  url = environment.API_URL + 'owners';
  owners() {
    return this.http
      .get<Owner[]>(this.url);
  }
  owner(id: number) { return this.http.get((this.url + '/' + id)); }
}
`,
  'api/app.py': `from fastapi import FastAPI
from api.main import router
app = FastAPI()
app.include_router(router, prefix=settings.API)
`,
  'api/main.py': `from fastapi import APIRouter
from api import users as people
router = APIRouter()
router.include_router(people.router)
`,
  'api/users.py': `from fastapi import APIRouter
router = APIRouter(prefix="/users")
@router.get("/me")
def read_me():
    return {}
`,
  'web/users.ts': "export const me = () => fetch('/api/v1/users/me');\n",
  'schema.graphql': 'type Query {\n  launches(after: String): [Launch]\n  me: User\n}\n',
  'graph/resolvers.ts': `import { ApolloServer } from '@apollo/server';
function findLaunches() { return []; }
export const resolvers = { Query: { launches: findLaunches, me: guarded(() => null) } };
export const policies = { Query: { fields: {} } };
`,
  'web/launches.ts': 'export const LIST = gql`query List { launches { id } }`;\n',
};

const NESTED = {
  'package.json': '{ "dependencies": { "@apollo/server": "5.0.0", "@apollo/client": "4.0.0" } }\n',
  'schema/launch.graphql': `type Launch implements Node { id: ID! site: String mission: Mission! }
type Mission { patch(size: Int): String name: String }
interface Node { id: ID! }
`,
  'schema/query.graphqls':
    'type Query { launches: Page! }\ntype Page { items: [Launch!]! first: Node kind: Kind }\nextend type Page { kind: Other }\n',
  'server/resolvers.js': `const { ApolloServer } = require('apollo-server');
function findSite() { return ''; }
module.exports = {
  Query: { launches: () => [] },
  Launch: { site: findSite, flown: () => true },
  Mission: { patch: (mission, { size }) => mission[size] },
  User: { site: findSite },
};
`,
  'web/list.ts':
    'export const LIST = gql`query List { launches { items { site id } first { site } kind { site } } }`;\n',
  'web/tile.ts': 'export const TILE = gql`fragment Tile on Launch { id mission { name patch } }`;\n',
};

/** The edges at routes: `from relation to grade source`. */
function routeEdges(db: ShardDatabase): string[] {
  const graph = readGraph(db);
  const count = db.prepare('select (select count(*) from symbol) + (select count(*) from file) as n').get();
  const base = (count as { n: number }).n;
  const idOf = (node: number): string => {
    const derived = graph.nodes[node - base];
    return derived === undefined
      ? (describeNodes(db, { nodes: [node] })[0]?.id ?? '')
      : `${derived.kind}:${derived.key}`;
  };
  return graph.edges
    .map(({ from, to, relation, grade, source }) => `${idOf(from)} ${relation} ${idOf(to)} ${grade} ${source}`)
    .filter((line) => line.includes('route:') && !line.startsWith('feature:'));
}

test('operations of a description, fields of a schema and routers of Python are routes with what serves and requests them', () =>
  withIndexed(FILES, (db) => {
    expect(routeEdges(db).toSorted()).toEqual([
      'file:api/users.py contains route:GET /{settings.API}/users/me stated api/users.py:3',
      'file:graph/resolvers.ts contains route:GRAPHQL /Query/launches stated graph/resolvers.ts:3',
      'file:graph/resolvers.ts contains route:GRAPHQL /Query/me stated graph/resolvers.ts:3',
      'file:openapi.yml contains route:GET /owners stated openapi.yml:4',
      'file:openapi.yml contains route:GET /owners/{id} stated openapi.yml:10',
      'file:openapi.yml contains route:GET /v2/owners stated openapi.yml:7',
      'file:openapi.yml contains route:GET /{settings.API}/users/me stated openapi.yml:15',
      'file:schema.graphql contains route:GRAPHQL /Query/launches stated schema.graphql:2',
      'file:schema.graphql contains route:GRAPHQL /Query/me stated schema.graphql:3',
      'route:GET /owners routes sym:OwnerController/listOwners@java/OwnerController.java name openapi.yml:4',
      'route:GET /owners/{id} routes sym:OwnerController/getOwner@java/OwnerController.java name openapi.yml:10',
      'route:GET /v2/owners routes sym:Pet/name@java/OwnerController.java name openapi.yml:7',
      'route:GET /{settings.API}/users/me routes sym:read_me@api/users.py resolved api/users.py:3',
      'route:GRAPHQL /Query/launches routes sym:findLaunches@graph/resolvers.ts resolved graph/resolvers.ts:3',
      'sym:LIST@web/launches.ts calls route:GRAPHQL /Query/launches name web/launches.ts:1',
      'sym:OwnerService/owner@web/owners.ts calls route:GET /owners/{id} name web/owners.ts:7',
      'sym:OwnerService/owners@web/owners.ts calls route:GET /owners name web/owners.ts:5',
      'sym:me@web/users.ts calls route:GET /{settings.API}/users/me name web/users.ts:1',
    ]);
  }));

test('names that services share are requests to the one that serves most of them', () => {
  const requests = ['/Query/me', '/Query/orders', '/Query/carts'].map((path) => ({ method: 'GRAPHQL', path }));
  const address = { method: 'GET', path: '/users/me' };
  const linked = (...names: string[]): string[] => {
    const routes = [address, ...names.map((name) => ({ method: 'GRAPHQL', path: `/Query/${name}` }))];
    return requestedRoutes([...requests, address], routes).map(({ route }) => route.path);
  };

  expect(linked('me', 'orders')).toEqual(['/Query/me', '/Query/orders', '/users/me']);
  expect(linked('me', 'people')).toEqual(['/users/me']);
});

test('fields below the root types are requested through the types that schemas say, in the repository and from another one', () =>
  withIndexed(NESTED, (db) => {
    expect(routeEdges(db).filter((line) => /Launch|Mission|User/.test(line))).toEqual([
      'file:server/resolvers.js contains route:GRAPHQL /Launch/site stated server/resolvers.js:5',
      'route:GRAPHQL /Launch/site routes sym:findSite@server/resolvers.js resolved server/resolvers.js:5',
      'file:server/resolvers.js contains route:GRAPHQL /Mission/patch stated server/resolvers.js:6',
      'sym:LIST@web/list.ts calls route:GRAPHQL /Launch/site name web/list.ts:1',
      'sym:TILE@web/tile.ts calls route:GRAPHQL /Mission/patch name web/tile.ts:1',
    ]);
    const { types, requests } = readGraph(db);
    expect(types).toEqual({
      '/Query/launches': 'Page',
      '/Page/items': 'Launch',
      '/Page/first': 'Node',
      '/Launch/mission': 'Mission',
    });
    const routes = ['/Query/launches', '/Launch/site'].map((path) => ({ method: 'GRAPHQL', path }));
    const linked = (served: typeof routes, ...said: (typeof types)[]): string[] =>
      requestedRoutes(requests, served, said).map(({ request, route }) => `${request.source} ${route.path}`);
    expect(linked(routes, types)).toEqual(['web/list.ts:1 /Query/launches', 'web/list.ts:1 /Launch/site']);
    expect(linked(routes, {}, types)).toHaveLength(2);
    expect(linked(routes)).toEqual(['web/list.ts:1 /Query/launches']);
    // A service that has a type of the same name, and no field that requests begin with.
    expect(linked(routes.slice(1), types)).toEqual([]);
  }));
