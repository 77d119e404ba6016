import type { NodeKind, Relation } from '../../src/graph/model/model.ts';
import type { Neighbour } from '../../src/graph/entity-output.ts';

const OUT: Readonly<Record<Relation, string>> = {
  contains: 'contains',
  tests: 'tests',
  routes: 'is served by',
  implements: 'implements',
  calls: 'calls',
  writes: 'writes',
  reads: 'reads',
  imports: 'imports',
  references: 'refers to',
  plans: 'plans',
  decides: 'decides on',
  requests: 'asks for',
  mentions: 'mentions',
  competes: 'competes with',
};

const IN: Readonly<Record<Relation, string>> = {
  contains: 'is part of',
  tests: 'is tested by',
  routes: 'serves',
  implements: 'is implemented by',
  calls: 'is called by',
  writes: 'is written by',
  reads: 'is read by',
  imports: 'is imported by',
  references: 'is referred to by',
  plans: 'is planned by',
  decides: 'is decided on by',
  requests: 'is asked for by',
  mentions: 'is mentioned by',
  competes: 'competes with',
};

/** Every relation as it reads from the first node to the second. */
export const RELATION_WORDS = OUT;

/** `calls`, or `is called by` against the direction of the edge. */
export function relationWords({ relation, direction }: Pick<Neighbour, 'relation' | 'direction'>): string {
  return direction === 'out' ? OUT[relation] : IN[relation];
}

export const GRADE_WORDS: Readonly<Record<Neighbour['grade'], string>> = {
  exact: 'exact',
  resolved: 'resolved',
  name: 'by name',
  stated: 'stated',
};

/** `work item`. */
export function kindWords(kind: NodeKind): string {
  return kind.replace('_', ' ');
}

/** Colour of each kind, one of five: code, tests, parts of the product, the team's texts, external things. */
const SERIES: Readonly<Record<NodeKind, 1 | 2 | 3 | 4 | 5>> = {
  symbol: 1,
  file: 1,
  component: 1,
  test: 2,
  feature: 3,
  layer: 3,
  route: 3,
  table: 3,
  plan: 4,
  work_item: 4,
  decision: 4,
  document: 4,
  theme: 5,
  competitor: 5,
};

/** In the order of their colours. */
export const SERIES_NAMES = [
  'code',
  'tests',
  'features, layers, routes, tables',
  'what the team writes',
  'customers and competitors',
];

export function seriesOf(kind: NodeKind): 1 | 2 | 3 | 4 | 5 {
  return SERIES[kind];
}
