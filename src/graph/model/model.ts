/** Kinds of nodes of the graph, in the order in which answers prefer them when a name fits several. */
export const NODE_KINDS = [
  'feature',
  'layer',
  'component',
  'route',
  'table',
  'plan',
  'work_item',
  'decision',
  'theme',
  'competitor',
  'document',
  'symbol',
  'file',
  'test',
] as const;

export type NodeKind = (typeof NODE_KINDS)[number];

/**
 * Relations of one node to another, read from the first to the second: a feature contains files, a route is served by
 * (`routes`) its handler, a plan `plans` what it names, a theme `requests` what its signals are about. The first of several
 * between two nodes is shown.
 */
export const RELATIONS = [
  'contains',
  'tests',
  'routes',
  'implements',
  'calls',
  'writes',
  'reads',
  'imports',
  'references',
  'plans',
  'decides',
  'requests',
  'mentions',
  'competes',
] as const;

export type Relation = (typeof RELATIONS)[number];

/** Grades of certainty of an edge: those of code, and `stated` for what a person or a manifest says. */
export const EDGE_GRADES = ['exact', 'resolved', 'name', 'stated'] as const;

export type EdgeGrade = (typeof EDGE_GRADES)[number];

/** A node of the code of one repository as its number there: symbols, then files, then what the graph adds. */
export type NodeNumber = number;

/** A node as answers and files give it. Ids are handles: `sym:Class/method@path`, `file:path`, `feature:checkout`, `plan:slug`. */
export interface GraphNode {
  id: string;
  kind: NodeKind;
  name: string;
  /** Path in its repository; absent for what people wrote. */
  path?: string;
  line?: number;
}

/** An edge between two ids, as files hold it: what says so is answered by `entity-analysis-tool`. */
export interface GraphLink {
  from: string;
  to: string;
  relation: Relation;
  grade: EdgeGrade;
}

export function relationCode(relation: Relation): number {
  return RELATIONS.indexOf(relation);
}

export function gradeCode(grade: EdgeGrade): number {
  return EDGE_GRADES.indexOf(grade);
}
