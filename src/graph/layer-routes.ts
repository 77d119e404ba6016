import { z } from '@hono/zod-openapi';
import { Time } from '../platform/body-fields.ts';
import type { Context } from 'hono';
import type { IndexedRepository } from '../indexes/indexes.ts';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type SliceRoutes, type WebEnv } from '../platform/web.ts';
import { type LayerSetting, selectLayerSettings, setLayers } from './edits/edits.ts';
import type { Graph } from './graph.ts';
import { graphSources } from './graph-sources.ts';
import { ProductGraph } from './product-graph.ts';

const route = describeRoutes('Layers');
const MOST_LAYERS = 40;
const MOST_PATHS = 100;

const Query = z.object({
  repo: z.string().max(200).optional().describe('Id or name; default: the only repository of the product'),
});

const StatedBody = z.object({
  name: z.string().trim().min(1).max(80),
  paths: z.array(z.string().trim().min(1).max(1_000)).min(1).max(MOST_PATHS).describe('Folders and files; "." is all'),
});
const SettingBody = z.object({
  layers: z
    .array(StatedBody)
    .min(1)
    .max(MOST_LAYERS)
    .refine(
      (layers) => new Set(layers.map(({ name }) => name.toLowerCase())).size === layers.length,
      'two have one name',
    )
    .describe('From the top (uses others) down'),
});

const LayersBody = z.object({
  repo: z.string(),
  stated_by: z
    .enum(['setting', 'svc.json', 'imports'])
    .describe('Who says the layers: people in the service, the repository itself, or what its code imports'),
  layers: z
    .array(z.object({ id: z.string().describe('Handle: layer:http'), name: z.string(), files: z.int() }))
    .describe('From the top down'),
  faults: z
    .array(
      z.object({
        kind: z.enum(['violation', 'cycle']),
        from: z.string(),
        to: z.string(),
        files: z.int().describe('Pairs of files that make it'),
        from_path: z.string(),
        to_path: z.string(),
      }),
    )
    .describe('Imports that go up, most files first'),
  problem: z.string().nullable().describe('What is wrong with the layers as they are stated'),
  setting: SettingBody.extend({ updated_at: Time, updated_by: z.string() })
    .nullable()
    .describe('What people set; null: nothing'),
});

const descriptions = {
  read: route(
    'get',
    '/layers',
    'The layers of a repository from the top down, who states them, and imports that go up',
    {
      query: Query,
      answers: { 200: json(LayersBody, 'The layers') },
    },
  ),
  set: route('put', '/layers', 'Set the layers of a repository; they win over svc.json and over the imports', {
    query: Query,
    body: body(SettingBody),
    answers: { 200: json(LayersBody, 'The layers as they are now') },
  }),
  reset: route('delete', '/layers', 'Take back the layers that were set', {
    query: Query,
    answers: { 200: json(LayersBody, 'The layers as they are now') },
  }),
};

/** Layers are planned with, as features are. */
const WRITE: Right = { scope: 'plans:write', role: 'member' };

/** Layers as code has them, and what people make of them. */
export function layerRoutes(graph: Graph): SliceRoutes {
  const routes = newRoutes();
  const change = async (c: Context<WebEnv>, repo: string | undefined, layers: LayerSetting['layers'] | null) => {
    const tenant = authorize(c, WRITE);
    const { id } = await oneRepository(graph, c, repo);
    await setLayers(graph.plans, tenant, { repositoryId: id, layers });
    return readLayers(graph, c, repo);
  };
  routes.openapi(descriptions.read, async (c) => {
    authorize(c, READ);
    return c.json(await readLayers(graph, c, c.req.valid('query').repo), 200);
  });
  routes.openapi(descriptions.set, async (c) =>
    c.json(await change(c, c.req.valid('query').repo, c.req.valid('json').layers), 200),
  );
  routes.openapi(descriptions.reset, async (c) => c.json(await change(c, c.req.valid('query').repo, null), 200));
  return { routes, v1: '/' };
}

async function readLayers(
  graph: Graph,
  c: Context<WebEnv>,
  repo: string | undefined,
): Promise<z.output<typeof LayersBody>> {
  const { requester } = c.var;
  const repository = await oneRepository(graph, c, repo);
  const call = { caller: requester, signal: c.req.raw.signal, repositories: [repository] };
  const [product, settings] = await Promise.all([
    graphSources(graph, call).then((sources) => ProductGraph.open(graph, requester, sources)),
    selectLayerSettings(graph.plans.db, requester),
  ]);
  const [{ map } = { map: undefined }] = await product.maps();
  const setting = settings.find(({ repositoryId }) => repositoryId === repository.id);
  return {
    repo: repository.provenance.repo,
    stated_by: setting === undefined ? (map?.statedBy === 'svc.json' ? 'svc.json' : 'imports') : 'setting',
    layers: (map?.layers ?? []).map(({ id, name, files }) => ({ id, name, files })),
    faults: (map?.faults ?? []).map(({ fromPath, toPath, ...fault }) => ({
      ...fault,
      from_path: fromPath,
      to_path: toPath,
    })),
    problem: (map?.statedFault ?? '') === '' ? null : (map?.statedFault ?? null),
    setting:
      setting === undefined
        ? null
        : { layers: setting.layers, updated_at: setting.updatedAt.toISOString(), updated_by: setting.updatedBy },
  };
}

async function oneRepository(graph: Graph, c: Context<WebEnv>, repo: string | undefined): Promise<IndexedRepository> {
  const [repository] = await graph.indexes.repositories(c.var.requester, repo === '*' ? undefined : repo);
  if (repository === undefined) throw new Error('A repository of the call is missing.');
  return repository;
}
