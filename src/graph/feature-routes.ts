import { z } from '@hono/zod-openapi';
import { Time } from '../platform/body-fields.ts';
import type { Context } from 'hono';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type SliceRoutes, type WebEnv } from '../platform/web.ts';
import { editFeature, type FeatureEdit, pinFeature, selectFeatureEdits } from './edits/edits.ts';
import type { Graph } from './graph.ts';
import { graphSources } from './graph-sources.ts';
import { ProductGraph } from './product-graph.ts';
import { bodyOfRow } from '../platform/row-body.ts';

const route = describeRoutes('Features');
const Id = z.object({ id: z.string().min(1).max(200).describe('feature:checkout or checkout') });
const Paths = z.array(z.string().min(1).max(1_000)).max(500).describe('Files and folders: path, or repository:path');

const FeatureBody = z.object({
  id: z.string().describe('Handle: feature:checkout'),
  name: z.string(),
  repository: z.string().describe('Name of the repository'),
  files: z.int(),
  layers: z.record(z.string(), z.int()).describe('Files in each layer'),
  routes: z.int(),
  tests: z.int(),
  documents: z.int(),
  plans: z.int().describe('Plans that name its code'),
  decisions: z.int(),
  themes: z.int(),
  competitors: z.int().describe('Those whose pages name it'),
});

const EditBody = z.object({
  id: z.string(),
  name: z.string().nullable().describe('Null: as derived from code'),
  merged_into: z.string().nullable().describe('Handle of the feature that it is a part of'),
  pinned: z.boolean(),
  deleted: z.boolean(),
  paths: Paths,
  updated_at: Time,
  updated_by: z.string().describe('person:<id> or key:<id>'),
});

const ChangeBody = z.object({
  name: z.string().min(1).max(200).optional(),
  merged_into: z.string().max(200).nullable().optional().describe('Handle; null parts them again'),
  pinned: z.boolean().optional(),
  deleted: z.boolean().optional().describe('False brings it back'),
  paths: Paths.optional().describe('Code that belongs to it in any case'),
});

const NewBody = z.object({ name: z.string().min(1).max(200), paths: Paths.default([]) });

const descriptions = {
  list: route(
    'get',
    '/features',
    'The features of the product, largest first in each repository, and what people changed',
    {
      answers: {
        200: json(
          z.object({ features: z.array(FeatureBody), edits: z.array(EditBody), next: z.null() }),
          'All of them',
        ),
      },
    },
  ),
  pin: route('post', '/features', 'Add a feature with the files and folders that belong to it', {
    body: body(NewBody),
    answers: { 200: json(EditBody, 'The feature') },
  }),
  change: route(
    'patch',
    '/features/{id}',
    'Rename, merge, pin, delete or bring back a feature; the change stays when the code moves',
    { params: Id, body: body(ChangeBody), answers: { 200: json(EditBody, 'What people have set') } },
  ),
  remove: route('delete', '/features/{id}', 'Take a feature out of the graph, whatever code suggests', {
    params: Id,
    answers: { 200: json(EditBody, 'What people have set') },
  }),
};

/** Features are planned with, so who may change plans may change them. */
const WRITE: Right = { scope: 'plans:write', role: 'member' };

/** Features as code suggests them, and what people make of them. */
export function featureRoutes(graph: Graph): SliceRoutes {
  const routes = newRoutes();
  const { db, now } = graph.plans;
  routes.openapi(descriptions.list, async (c) => {
    const tenant = authorize(c, READ);
    const [features, edits] = await Promise.all([readFeatures(graph, c), selectFeatureEdits(db, tenant)]);
    return c.json({ features, edits: edits.map(editBody), next: null }, 200);
  });
  routes.openapi(descriptions.pin, async (c) => {
    const tenant = authorize(c, WRITE);
    return c.json(editBody(await pinFeature({ db, now }, tenant, c.req.valid('json'))), 200);
  });
  routes.openapi(descriptions.change, async (c) => {
    const tenant = authorize(c, WRITE);
    const { name, merged_into: mergedInto, pinned, deleted, paths } = c.req.valid('json');
    const change = {
      ...(name !== undefined && { name }),
      ...(mergedInto !== undefined && { mergedInto }),
      ...(pinned !== undefined && { isPinned: pinned }),
      ...(deleted !== undefined && { isDeleted: deleted }),
      ...(paths !== undefined && { paths }),
    };
    return c.json(
      editBody(await editFeature({ db, now }, tenant, { key: keyOf(c.req.valid('param').id), change })),
      200,
    );
  });
  routes.openapi(descriptions.remove, async (c) => {
    const tenant = authorize(c, WRITE);
    const edit = { key: keyOf(c.req.valid('param').id), change: { isDeleted: true } };
    return c.json(editBody(await editFeature({ db, now }, tenant, edit)), 200);
  });
  return { routes, v1: '/' };
}

async function readFeatures(graph: Graph, c: Context<WebEnv>): Promise<z.output<typeof FeatureBody>[]> {
  const { requester } = c.var;
  const repositories = await graph.indexes.repositories(requester, '*');
  const call = { caller: requester, signal: c.req.raw.signal, repositories };
  const product = await ProductGraph.open(graph, requester, await graphSources(graph, call));
  const maps = await product.maps();
  return maps.flatMap(({ repository, map }) =>
    map.features.map(({ layers, ...feature }) => ({
      ...feature,
      repository: repository.provenance.repo,
      layers: Object.fromEntries(map.layers.map(({ name }, at) => [name, layers[at] ?? 0])),
    })),
  );
}

function keyOf(handle: string): string {
  return handle.replace(/^feature:/, '');
}

function editBody(edit: FeatureEdit): z.output<typeof EditBody> {
  return bodyOfRow(EditBody, edit, {
    id: `feature:${edit.key}`,
    merged_into: edit.mergedInto === null ? null : `feature:${edit.mergedInto}`,
    pinned: edit.isPinned,
    deleted: edit.isDeleted,
  });
}
