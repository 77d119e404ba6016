import { z } from 'zod';
import { pageFields } from '../platform/operation/paged-tool.ts';
import type { Row } from '../kernel/answer.ts';
import { NODE_KINDS, type NodeKind, RELATIONS, type Relation } from './model/model.ts';
import type { ProductGraph, ShownNode } from './product-graph.ts';
import type { GraphSources } from './queries/queries.ts';
import { singularForms } from '../text/stem.ts';

/** Arguments of `entity-analysis-tool`: the contract with clients. */
export const EntityInput = z.object({
  action: z
    .enum(['find', 'neighbors', 'path', 'map'])
    .describe('find: by name. neighbors: one entity. path: how two connect. map: features x layers overview'),
  entity: z.string().optional().describe('id or kind:name, e.g. feature:checkout, layer:api, symbol:UserService'),
  to: z.string().optional().describe('path target'),
  kinds: z.array(z.string()).optional().describe('Keep these entity kinds'),
  relations: z.array(z.string()).optional().describe('Keep these relations'),
  direction: z.enum(['in', 'out', 'both']).default('both').describe('Edge direction'),
  depth: z.int().min(1).max(4).default(1).describe('Hops'),
  repo: z.string().optional().describe('Name or id; omit when there is one'),
  ...pageFields({ rows: 30, most: 100 }),
});

export type EntityArguments = z.output<typeof EntityInput>;

/** One call of the tool. */
export interface GraphCall {
  graph: ProductGraph;
  sources: GraphSources;
  args: EntityArguments;
  /** Kinds and relations that `kinds` and `relations` name; undefined for all. */
  kinds: readonly NodeKind[] | undefined;
  relations: readonly Relation[] | undefined;
  offset: number;
}

/** Note that says where to read whole graphs. */
export const BULK_NOTE = 'to read all of it, sync .svc/graph.json';

/** A node in a line: its id, its kind and its name where the id does not say them. */
export function nodeText({ id, kind, name, repo }: ShownNode, isOne: boolean): string {
  const says = id.toLowerCase().includes(name.toLowerCase());
  const where = isOne || repo === undefined ? '' : ` (${repo})`;
  const what = id.startsWith(`${kind}:`) ? '' : `${kind} `;
  return `${what}${id}${says ? '' : ` "${name}"`}${where}`;
}

/** A node in the JSON form of a row. */
export function nodeJson({ id, kind, name, repo }: ShownNode, isOne: boolean): Record<string, unknown> {
  return { id, kind, name, ...(!isOne && repo !== undefined && { repo }) };
}

/** A row without a group. */
export function plainRow(id: string, line: string, json: Record<string, unknown>): Row {
  return { group: '', id, line, json };
}

const KIND_WORDS: Readonly<Record<string, NodeKind>> = {
  package: 'component',
  folder: 'component',
  module: 'component',
  plans: 'plan',
  wi: 'work_item',
  workitem: 'work_item',
  task: 'work_item',
  dec: 'decision',
  doc: 'document',
  sym: 'symbol',
  function: 'symbol',
  class: 'symbol',
  method: 'symbol',
  endpoint: 'route',
  signal: 'theme',
};

/** A kind as clients write it, in the singular or plural; undefined for no kind. */
export function kindNamed(word: string): NodeKind | undefined {
  const plain = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  for (const spelling of singularForms(plain)) {
    const named = NODE_KINDS.find((kind) => kind === spelling) ?? KIND_WORDS[spelling];
    if (named !== undefined) return named;
  }
  return undefined;
}

/** A relation as clients write it: `call`, `called_by`; undefined for none. */
export function relationNamed(word: string): Relation | undefined {
  const plain = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const words: Readonly<Record<string, Relation>> = {
    extends: 'implements',
    inherits: 'implements',
    uses: 'references',
    test: 'tests',
  };
  return RELATIONS.find((relation) => relation === plain || relation === `${plain}s`) ?? words[plain];
}
