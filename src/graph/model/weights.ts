import { EDGE_GRADES, RELATIONS, type Relation } from './model.ts';

/**
 * Weights of relations: those that say little about why two things belong together cost more; least says that one test uses
 * both.
 */
const RELATION_WEIGHTS: Partial<Record<Relation, number>> = {
  contains: 2,
  imports: 2,
  references: 2,
  mentions: 2,
  tests: 3,
};
const NAME_WEIGHT = 3;

/** A node with this many edges costs nothing more; each doubling costs one. */
const FREE_DEGREE = 8;

/** By index in RELATIONS, then in EDGE_GRADES. */
const WEIGHTS = RELATIONS.map((relation) =>
  EDGE_GRADES.map((grade) => (RELATION_WEIGHTS[relation] ?? 1) + (grade === 'name' ? NAME_WEIGHT : 0)),
);

/** Returns the cost of passing an edge, from 1, wherever it leads: by index in RELATIONS and in EDGE_GRADES. */
export function edgeWeight(relation: number, grade: number): number {
  return WEIGHTS[relation]?.[grade] ?? 1;
}

/** Returns the cost of reaching a node that many other edges reach. */
export function degreeWeight(degree: number): number {
  return degree <= FREE_DEGREE ? 0 : Math.ceil(Math.log2(degree / FREE_DEGREE));
}
