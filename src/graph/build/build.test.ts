import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { featuresOf } from '../../testing/features.ts';
import { withIndexed } from '../../testing/indexed-code.ts';
import { describeNodes } from '../queries/store.ts';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { dense } from '../../code/reading/reading.ts';
import { openShard, type ShardDatabase } from '../../indexes/shards/shards.ts';
import { readRoutes } from '../routes/routes.ts';
import { readGraph, writeGraph } from './build.ts';
import { featureName, routeName, wholeName } from './feature-names.ts';
import { productFiles } from './product-files.ts';
import { readStatedLayers } from './stated-layers.ts';
import { TextFindings } from './text-findings.ts';

const FILES = {
  'package.json': '{ "name": "shop", "dependencies": { "express": "5.0.0" } }\n',
  'src/app.ts': `import express from 'express';
import orders from './orders/routes.ts';
import { health } from './health.ts';
export const app = express();
app.get('/health', health);
app.use('/api', orders);
app.post('/pause', (request, response) => response.end());
app.post('/resume', (request, response) => response.end());
app.post('/cloaked', (request, response) => response.end());
`,
  'src/health.ts': 'export function health(): string {\n  return "ok";\n}\n',
  'src/orders/routes.ts': `import { Router } from 'express';
import { orderController } from './controller.ts';
const router = Router();
router.get('/orders/:id', orderController.show);
router.post('/orders', (request, response) => response.send(request.body));
export default router;
`,
  'src/orders/controller.ts':
    'class OrderController {\n  show(): void {}\n}\nexport const orderController = new OrderController();\n',
  'src/client.ts': 'export function readOrder(id: string): unknown {\n  return fetch(`/api/orders/${id}`);\n}\n',
  'test/app.test.ts': "import { app } from '../src/app.ts';\napp.get('/only-in-tests', () => 1);\n",
};

test('routes have the paths that their routers are put below, their handlers, and the requests that fit them', () =>
  withIndexed(FILES, (db) => {
    const graph = readGraph(db);
    const base = (
      db.prepare('select (select count(*) from symbol) + (select count(*) from file) as n').get() as { n: number }
    ).n;
    const idOf = (node: number): string => {
      const derived = graph.nodes[node - base];
      return derived === undefined
        ? (describeNodes(db, { nodes: [node] })[0]?.id ?? '')
        : `${derived.kind}:${derived.key}`;
    };
    const edges = graph.edges
      .map(({ from, to, relation, grade, source }) => `${idOf(from)} ${relation} ${idOf(to)} ${grade} ${source}`)
      .filter((line) => line.includes('route:'));

    // A list of routes makes no feature of each step.
    expect(edges).toEqual([
      'file:src/app.ts contains route:GET /health stated src/app.ts:5',
      'route:GET /health routes sym:health@src/health.ts resolved src/app.ts:5',
      'file:src/app.ts contains route:POST /pause stated src/app.ts:7',
      'file:src/app.ts contains route:POST /resume stated src/app.ts:8',
      'file:src/app.ts contains route:POST /cloaked stated src/app.ts:9',
      'file:src/orders/routes.ts contains route:GET /api/orders/:id stated src/orders/routes.ts:4',
      'route:GET /api/orders/:id routes sym:OrderController/show@src/orders/controller.ts resolved src/orders/routes.ts:4',
      'file:src/orders/routes.ts contains route:POST /api/orders stated src/orders/routes.ts:5',
      'sym:readOrder@src/client.ts calls route:GET /api/orders/:id name src/client.ts:2',
      'feature:health contains route:GET /health resolved route',
      'feature:order contains route:GET /api/orders/:id resolved route',
      'feature:order contains route:POST /api/orders resolved route',
    ]);
  }));

const CHAINED = {
  'package.json': '{ "dependencies": { "express": "5.0.0", "@nestjs/common": "11.0.0" } }\n',
  'shop/routes.ts': `import { Router } from 'express';
import plugins from './plugins.ts';
const api = Router().use(plugins);
export default Router().use('/api', api);
`,
  'shop/plugins.ts': `import { Router } from 'express';
const router = Router();
router.get('/plugins', (_, response) => response.end());
router.post('/plugins/:id', (_, response) => response.end());
router.delete('/plugins/:id', (_, response) => response.end());
export default router;
`,
  'shop/plugin.ts': 'export const plugin = 1;\n',
  'cats/main.ts': `import { VersioningType } from '@nestjs/common';
export function start(app: { setGlobalPrefix: (p: string) => void; enableVersioning: (o: object) => void }): void {
  app.enableVersioning({ defaultVersion: '1', type: VersioningType.URI });
  app.setGlobalPrefix('service');
}
`,
  'cats/cats.ts': `import { Controller, Get, Version } from '@nestjs/common';
@Controller('cats')
export class Cats {
  @Get()
  all(): void {}

  @Version('2')
  @Get(':id')
  one(): void {}
}
`,
};

test('routes stand below the paths of chained routers, and those of controllers below what their program says', () =>
  withIndexed(CHAINED, (db) => {
    const { nodes } = readGraph(db);

    expect(nodes.filter(({ kind }) => kind === 'route').map(({ key }) => key)).toEqual([
      'GET /service/v1/cats',
      'GET /service/v2/cats/:id',
      'GET /api/plugins',
      'POST /api/plugins/:id',
      'DELETE /api/plugins/:id',
    ]);
    // A word for a kind of code is a feature where the routes are about it.
    expect(nodes.filter(({ kind }) => kind === 'feature').map(({ key }) => key)).toContain('plugin');
  }));

test('routes in test modules of Rust, however deep, are none of the product', () =>
  withIndexed(
    {
      'Cargo.toml': '[package]\nname = "shop"\n[dependencies]\naxum = "0.8"\n',
      'src/orders.rs': `use axum::{routing::get, Router};
pub fn app() -> Router { Router::new().route("/orders", get(list)) }
async fn list() {}
mod http {
    mod tests {
        fn app() -> Router { Router::new().route("/only-in-tests", get(list)) }
    }
}
`,
    },
    (db) => {
      const routes = readGraph(db).nodes.filter(({ kind }) => kind === 'route');

      expect(routes.map(({ key }) => key)).toEqual(['GET /orders']);
    },
  ));

test('a graph that is stored in a shard is read as it was built', () =>
  withIndexed(FILES, (db, file) => {
    writeGraph(file);
    const stored = openShard(file, CODE_FORMAT);
    const held = dense(stored, 'graph').length;
    const graph = readGraph(stored);
    stored.close();

    expect(held).toBeGreaterThan(0);
    expect(graph).toEqual(readGraph(db));
  }));

test('a shard that no graph can be made of stays as it was, and who asks for the graph is told', () =>
  withIndexed(FILES, (_, file) => {
    const broken = new DatabaseSync(file);
    broken.exec('alter table symbol rename to symbol_away');
    broken.close();

    expect(writeGraph(file)).toContain('symbol');

    const stored = openShard(file, CODE_FORMAT);
    expect(dense(stored, 'graph')).toHaveLength(0);
    expect(() => readGraph(stored)).toThrow('symbol');
    stored.close();
  }));

const LAYERED = {
  'svc.json':
    '{ "layers": [{ "name": "Core", "paths": ["./lib/"] }, { "name": "Doors", "paths": ["app", "lib/http.ts"] }] }\n',
  'lib/http.ts': "import { find } from './orders.ts';\nexport const serve = (): string => find('1');\n",
  'lib/orders.ts': `import { db } from '../app/db.ts';
export function find(id: string): string {
  return db(\`select id from orders where id = \${id}\`);
}
export function add(): string {
  return db('insert into Orders (id) values (1)');
}
`,
  'lib/rate-limit.ts': 'export const limit = 1;\n',
  'app/db.ts': 'export const db = (text: string): string => text;\n',
  'tools/run.ts': 'export const run = 1;\n',
  'migrations/1.sql': 'create table orders (id text);\n',
  'README.md': '# Shop\n\n## Rate limits\n\nOne a second.\n',
};

test('layers that a repository says it has stand as it says; imports against them are violations', () =>
  withIndexed(LAYERED, (db) => {
    const { layers, faults, statedFault, nodes, edges } = readGraph(db);
    const core = nodeOf(
      db,
      nodes.findIndex(({ key, kind }) => kind === 'layer' && key === 'core'),
    );
    const [first] = nodes.filter(({ kind }) => kind === 'layer');

    expect(layers.map(({ key }) => key)).toEqual(['core', 'doors']);
    expect(first).toMatchObject({ name: 'Core', path: 'lib' });
    expect(faults).toEqual([
      { kind: 'violation', from: 'Doors', to: 'Core', files: 1, fromPath: 'lib/http.ts', toPath: 'lib/orders.ts' },
    ]);
    expect(statedFault).toBe('');
    const inCore = edges.filter(({ from, relation }) => from === core && relation === 'contains');
    expect(inCore.map(({ grade, source }) => `${grade} ${source}`)).toEqual(['stated svc.json', 'stated svc.json']);
  }));

test('layers that people set win over those that the repository says it has', () =>
  withIndexed(LAYERED, (db, file) => {
    const set = [{ name: 'All', paths: ['.'] }];
    writeGraph(file);
    const stored = openShard(file, CODE_FORMAT);
    const read = vi.spyOn(TextFindings.prototype, 'text');
    const graph = readGraph(stored, set);

    expect(graph.layers).toEqual([{ key: 'all', rank: 0 }]);
    // What was found in texts stands in the shard.
    expect(read.mock.calls).toEqual([]);
    expect(graph).toEqual(readGraph(db, set));
    expect(readGraph(stored).layers.map(({ key }) => key)).toEqual(['core', 'doors']);
    read.mockRestore();
    stored.close();
  }));

test('tables of SQL are nodes with what reads and writes them, and a heading makes a feature of the file that it names', () =>
  withIndexed(LAYERED, (db) => {
    const { nodes, edges } = readGraph(db);
    const base = nodeOf(db, 0);
    const table = nodes.findIndex(({ kind }) => kind === 'table');
    const limits = nodes.findIndex(({ kind, key }) => kind === 'feature' && key === 'rate-limit');
    const lines = edges.flatMap(({ from, to, relation, grade, source }) =>
      to === base + table
        ? [`${describeNodes(db, { nodes: [from] })[0]?.id ?? ''} ${relation} ${grade} ${source}`]
        : [],
    );

    expect(nodes[table]).toMatchObject({ key: 'orders', path: 'migrations/1.sql', line: 1 });
    expect(lines).toEqual([
      'sym:orders@migrations/1.sql implements stated migrations/1.sql:1',
      'sym:find@lib/orders.ts reads name lib/orders.ts:3',
      'sym:add@lib/orders.ts writes name lib/orders.ts:6',
    ]);
    const [file] = edges.filter(({ from, relation }) => from === base + limits && relation === 'contains');
    expect(describeNodes(db, { nodes: [file?.to ?? -1] })[0]?.id).toBe('file:lib/rate-limit.ts');
    expect(file?.source).toContain('heading');
  }));

/** The number of a derived node. */
function nodeOf(db: ShardDatabase, index: number): number {
  const count = 'select (select count(*) from symbol) + (select count(*) from file) as n';
  return (db.prepare(count).get() as { n: number }).n + index;
}

test('a route is named from the first word that is no prefix on, a file without the words of its role', () => {
  expect(['plugins', 'edit_profile', 'sign-in', 'reset-passwords'].map((part) => routeName(part)?.key)).toEqual([
    'plugin',
    'profile',
    'sign-in',
    'reset-password',
  ]);
  expect(['create', 'api', 'v1', ':id', 'robots.txt', 'index'].map(routeName)).toEqual(Array(6).fill(undefined));
  expect(featureName('bug-analysis-controller')?.key).toBe('bug-analysis');
  expect(wholeName('config')?.key).toBe('config');
});

const WORKSPACE = {
  'apps/shop/src/main.ts':
    "import { button } from '../../../libs/ui/src/lib/button.ts';\nexport const page = button + '';\n",
  'apps/shop/src/cart.ts':
    "import { cents } from '../../../libs/common/src/lib/cents.ts';\nexport const cart = cents;\n",
  'apps/shop/src/orders.ts': 'export const orders = 1;\n',
  'apps/office/src/stock.ts': 'export const stock = 1;\n',
  'apps/office/src/ledger.ts': 'export const ledger = 1;\n',
  'apps/office/src/payroll.ts': 'export const payroll = 1;\n',
  'libs/ui/src/lib/button.ts':
    "import { cents } from '../../../common/src/lib/cents.ts';\nexport const button = cents;\n",
  'libs/common/src/lib/cents.ts': 'export const cents = 1;\n',
};

test('each package of a workspace is a layer, programs above the packages that they use', () =>
  withIndexed(WORKSPACE, (db) => {
    expect(readGraph(db).layers.map(({ key }) => key)).toEqual(['shop', 'office', 'ui', 'common']);
  }));

/** A library of two layers, and a package that uses it by its name; `large` files more of the library. */
const library = (large: number): Record<string, string> => ({
  'packages/store/package.json': '{ "name": "store", "source": "src/index.ts" }',
  'packages/store/src/index.ts': "export { cell } from './cells/cell.ts';\n",
  'packages/store/src/cells/cell.ts': "import { clock } from '../clocks/clock.ts';\nexport const cell = clock;\n",
  'packages/store/src/clocks/clock.ts': 'export const clock = 1;\n',
  ...Object.fromEntries(
    Array.from({ length: large }, (_, index) => [`packages/store/src/cells/c${index}.ts`, 'export const a = 1;\n']),
  ),
  'packages/view/package.json': '{ "name": "view", "source": "src/index.ts" }',
  'packages/view/src/index.ts': "import { cell } from 'store';\nexport const view = cell;\n",
  'packages/view/src/list.ts': "import { cell } from 'store';\nexport const list = cell;\n",
});

/** Paths of the layers from the top down. */
const layersOf = (files: Record<string, string>): Promise<(string | undefined)[]> =>
  withIndexed(files, (db) => {
    const nodes = readGraph(db).nodes.flatMap(({ kind }, index) => (kind === 'layer' ? [nodeOf(db, index)] : []));
    return describeNodes(db, { nodes }).map(({ path }) => path);
  });

test('a package beside others is one layer with all of its folders, until it is more than three quarters of the code', async () => {
  // Six of eight files.
  expect(await layersOf(library(3))).toEqual(['packages/view', 'packages/store']);
  // Seven of nine: the folders of the package stand together.
  expect(await layersOf(library(4))).toEqual([
    'packages/view',
    'packages/store/src',
    'packages/store/src/cells',
    'packages/store/src/clocks',
  ]);
});

const PYTHON = {
  'pyproject.toml': '[project]\nname = "grammar"\n',
  'manage.py': 'from grammar.tree import Tree\nif __name__ == "__main__":\n    Tree()\n',
  'grammar/__init__.py': '',
  'grammar/tree.py': 'from .bench.timer import Timer\nfrom .photos.album import Album\nclass Tree:\n    pass\n',
  'grammar/bench/timer.py': 'class Timer:\n    pass\n',
  'grammar/tools/__init__.py': '',
  'grammar/tools/nearley.py': 'def main():\n    pass\nif __name__ == "__main__":\n    main()\n',
  'grammar/photos/album.py': 'from .resize.scale import scale\nclass Album:\n    pass\n',
  'grammar/photos/print.py': 'from .album import Album\n',
  'grammar/photos/resize/scale.py': 'def scale():\n    pass\n',
  'grammar/photos/resize/crop.py': 'def crop():\n    pass\n',
  'grammar/printing/press.py': 'from ..photos.faces.find import find\n',
  'grammar/printing/ink.py': 'from .press import find\n',
  'grammar/photos/faces/find.py': 'def find():\n    pass\n',
  'grammar/photos/faces/mark.py': 'def mark():\n    pass\n',
  'grammar/core/parse/walk.py': 'A = 1\n',
  'grammar/tools/walk.py': 'A = 1\n',
  ...Object.fromEntries(
    ['lexer', 'rules', 'terms', 'visit', 'cache'].map((name) => [`grammar/core/${name}.py`, 'A = 1\n']),
  ),
  'benchmarks/speed.py': 'import grammar\n',
};

test('modules that python -m runs are features; folders and words of files are none', () =>
  withIndexed(PYTHON, (db) => {
    expect(featuresOf(db)).toEqual({ nearley: ['grammar/tools/nearley.py'] });
  }));

test('what the product uses is a part of it, whatever its folder is called', () =>
  withIndexed(PYTHON, (db) => {
    const base = nodeOf(db, 0);
    const { nodes, edges } = readGraph(db);
    const layered = edges.flatMap(({ from, to, relation }) =>
      relation === 'contains' && nodes[from - base]?.kind === 'layer'
        ? [describeNodes(db, { nodes: [to] })[0]?.path]
        : [],
    );
    expect(layered).toEqual(expect.arrayContaining(['grammar/bench/timer.py', 'grammar/tools/nearley.py']));
    expect(layered).not.toContain('benchmarks/speed.py');
  }));

test('what ships or drives the product from outside is no part of it', () => {
  const texts = ['lang/de_DE/auth.php', 'web/locales/fr.ts', 'resources/lang/es/auth.php'];
  const paths = [
    ...texts,
    'src/a.ts',
    '.husky/a.sh',
    'cypress/support/a.ts',
    'packaging/debian/a.sh',
    'server/docker/a.sh',
  ];
  const files = paths.map((path, id) => {
    return { id, path, language: 'TypeScript', isCode: true, isTest: false, isGenerated: false };
  });

  expect(productFiles({ files, depends: [] }).map(({ path }) => path)).toEqual(['src/a.ts']);
});

test.each([
  ['{ "layers": [', 'svc.json is no JSON'],
  ['{ "layers": [{ "name": "http" }] }', 'svc.json: layers.0.paths'],
  ['{ "layers": [{ "name": "http", "paths": ["nowhere"] }] }', 'svc.json: no file matches the paths of "http"'],
  ['{}', ''],
])('what is wrong with stated layers is told: %s', (text, fault) => {
  const file = { id: 0, path: 'svc.json', language: 'JSON', isCode: false, isTest: false, isGenerated: false };
  const stated = readStatedLayers([file], () => text).fault;
  expect(stated.startsWith(fault)).toBe(true);
  expect(stated === '').toBe(fault === '');
});

test('source that nests and chains without end is read in linear time', () => {
  const deep = `import express from 'express';\nconst app = express();\napp${'.get("/x", a)'.repeat(20_000)};\n${'f('.repeat(10_000)}`;
  const php = `<?php\nuse Illuminate\\Support\\Facades\\Route;\nRoute${'::get("/x", [A::class, "b"])->prefix("y")'.repeat(3_000)};`;

  const named = new Set(['express', 'laravel']);
  expect(readRoutes({ path: 'a.ts', language: 'TypeScript', text: deep }, named).routes.length).toBeGreaterThan(10_000);
  expect(readRoutes({ path: 'a.php', language: 'PHP', text: php }, named).routes.length).toBeGreaterThan(0);
});
