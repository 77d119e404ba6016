import { z } from 'zod';
import { PAGE_OUTPUT } from '../platform/operation/page-output.ts';
import { EDGE_GRADES, NODE_KINDS, RELATIONS } from './model/model.ts';

const NODE = { id: z.string(), kind: z.enum(NODE_KINDS), name: z.string(), repo: z.string().optional() };
const EDGE = { relation: z.enum(RELATIONS), direction: z.enum(['in', 'out']), grade: z.enum(EDGE_GRADES) };

export const Feature = z.object({
  id: z.string(),
  kind: z.literal('feature'),
  name: z.string(),
  repo: z.string().optional(),
  files: z.int(),
  layers: z.record(z.string(), z.int()),
  routes: z.int(),
  tests: z.int(),
  documents: z.int(),
  plans: z.int(),
  decisions: z.int(),
  themes: z.int(),
  competitors: z.int(),
  /** Kinds that it has none of. */
  uncovered: z.array(z.string()),
});
export type Feature = z.output<typeof Feature>;

const Entity = z.object(NODE);
/** A node of the product graph. */
export type Entity = z.output<typeof Entity>;

const EntityMatch = Entity.extend({ degree: z.int() });
export type EntityMatch = z.output<typeof EntityMatch>;

const Neighbour = z.object({
  ...NODE,
  ...EDGE,
  hop: z.int(),
  /** The neighbor of the hop before over which it was reached; absent in the first hop. */
  via: z.string().optional(),
  /** Location of the edge: `path:line`, a plan, a manifest; '' where there is none. */
  source: z.string(),
});
export type Neighbour = z.output<typeof Neighbour>;

/** A node on a path; what follows it is reached by its relation. */
const PathNode = z.object({ ...NODE, ...z.object(EDGE).partial().shape });
export type PathNode = z.output<typeof PathNode>;

const LayerFault = z.object({
  kind: z.enum(['violation', 'cycle']),
  from: z.string(),
  to: z.string(),
  files: z.int(),
  fromPath: z.string(),
  toPath: z.string(),
  repo: z.string().optional(),
});

/** The JSON answers of each action of `entity-analysis-tool`. */
export const ENTITY_OUTPUTS = {
  find: z.object({ ...PAGE_OUTPUT, action: z.literal('find'), rows: z.array(EntityMatch) }),
  neighbors: z.object({
    ...PAGE_OUTPUT,
    action: z.literal('neighbors'),
    entity: Entity,
    rows: z.array(Neighbour),
  }),
  path: z.object({
    ...PAGE_OUTPUT,
    action: z.literal('path'),
    rows: z.array(z.object({ hops: z.int(), path: z.array(PathNode) })),
  }),
  map: z.object({
    ...PAGE_OUTPUT,
    action: z.literal('map'),
    rows: z.array(Feature),
    /** From the top down. */
    layers: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        path: z.string(),
        files: z.int(),
        unowned: z.int(),
        rank: z.int(),
        /** Source of the layers; absent where imports show them. */
        stated_by: z.string().optional(),
        repo: z.string().optional(),
      }),
    ),
    /** Imports that go up, by pairs of layers, each with one of its `files` imports. */
    faults: z.array(LayerFault),
    /** Requests from one repository to routes of another, where several were asked. */
    services: z.array(z.object({ from: z.string(), to: z.string(), requests: z.int(), routes: z.int() })).optional(),
  }),
} as const;
