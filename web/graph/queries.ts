import { queryOptions } from '@tanstack/react-query';
import type { Entity, ENTITY_OUTPUTS } from '../../src/graph/entity-output.ts';
import { callTool } from '../api.ts';
import { type ToolAnswer, toolQuery } from '../queries.ts';

export const OPERATION = 'entity-analysis-tool';
/** Neighbours that are shown; the nearest come first. */
const MOST_NEIGHBOURS = 150;
const PAGE = 100;
/** The most that a call may ask for, so that no row of a page is left out. */
const ROOM = 20_000;
const OFFERED = 12;
const MOST_FEATURES = 1_000;

type Outputs = typeof ENTITY_OUTPUTS;
export type Neighbourhood = ToolAnswer<Outputs['neighbors']>;
export type FeatureMap = ToolAnswer<Outputs['map']>;
/** Number of requests from code of one repository to routes of another, and number of these routes. */
export type ServiceLink = NonNullable<FeatureMap['services']>[number];

/** The one way to name an entity in an address and in a call: with its repository, where there are several. */
export function entityAddress({ id, repo }: Pick<Entity, 'id' | 'repo'>): string {
  return repo === undefined ? id : `${repo}:${id}`;
}

/** The entity of a file, symbol or folder whose repository is known by name, in a product of any number of them. */
export function codeEntity(repo: string, id: string): string {
  return entityAddress({ id, repo });
}

/** Finds entities by a name or part of one; without a name the subjects of a product: features, layers, plans and the like. */
export function findQuery(product: string, name: string, limit = OFFERED) {
  const given = { action: 'find', ...(name !== '' && { entity: name }), repo: '*', limit };
  return toolQuery<ToolAnswer<Outputs['find']>>('graph', { product, name: OPERATION }, given, { keeps: true });
}

interface Around {
  entity: string;
  hops: 1 | 2;
  relation: string | undefined;
}

/** The call that an agent would make. */
export function neighbourCall({ entity, hops, relation }: Around): Record<string, unknown> {
  return {
    action: 'neighbors',
    entity,
    repo: '*',
    ...(hops === 2 && { depth: hops }),
    ...(relation !== undefined && { relations: [relation] }),
  };
}

/** Reads the surroundings of an entity: the nearest `MOST_NEIGHBOURS`. */
export function neighboursQuery(product: string, around: Around) {
  return queryOptions({
    queryKey: ['graph', product, 'neighbours', around],
    queryFn: async ({ signal }) => {
      const args = { ...neighbourCall(around), max_tokens: ROOM };
      const tool = { product, name: OPERATION, signal };
      const first = await callTool<Neighbourhood>(tool, { ...args, limit: PAGE });
      if (first.next === undefined) return first;
      const limit = MOST_NEIGHBOURS - first.rows.length;
      const more = await callTool<Neighbourhood>(tool, { ...args, limit, cursor: first.next });
      return { ...first, rows: [...first.rows, ...more.rows] };
    },
  });
}

export function pathCall(entity: string, to: string): Record<string, unknown> {
  return { action: 'path', entity, to, repo: '*' };
}

/** Up to three paths between two entities, the best first. */
export function pathQuery(product: string, entity: string, to: string) {
  const given = { ...pathCall(entity, to), max_tokens: ROOM };
  return toolQuery<ToolAnswer<Outputs['path']>>('graph', { product, name: OPERATION }, given);
}

/** The features of one repository by its layers, the largest first. */
export function featuresQuery(product: string, repo: string) {
  return queryOptions({
    queryKey: ['graph', product, 'features', repo],
    queryFn: async ({ signal }) => {
      const args = { action: 'map', repo, limit: PAGE, max_tokens: ROOM };
      const tool = { product, name: OPERATION, signal };
      const first = await callTool<FeatureMap>(tool, args);
      const rows = [...first.rows];
      for (let next = first.next; next !== undefined && rows.length < MOST_FEATURES;) {
        const page = await callTool<FeatureMap>(tool, { ...args, cursor: next });
        rows.push(...page.rows);
        next = page.next;
      }
      return { ...first, rows };
    },
  });
}

/** Reads which repositories make requests to which others. */
export function servicesQuery(product: string) {
  const given = { action: 'map', repo: '*', limit: 1 };
  return toolQuery<FeatureMap>('graph', { product, name: OPERATION }, given);
}
