import type { EdgeGrade, NodeKind, NodeNumber, Relation } from '../model/model.ts';

/** A node that the code alone does not have: a component, layer, feature, route or table. */
interface DerivedNode {
  kind: NodeKind;
  /** The part of the id behind the kind: `GET /users/:id`, `src/http`. */
  key: string;
  name: string;
  /** A folder or file; '' when it has no one place. */
  path: string;
  line: number;
}

export interface DerivedEdge {
  from: NodeNumber;
  to: NodeNumber;
  relation: Relation;
  grade: EdgeGrade;
  /** Source of the edge: `path:line`, a manifest. '' when the ends imply it. */
  source: string;
}

/** An import that goes up the layers, or round in a circle. */
export interface LayerFault {
  kind: 'violation' | 'cycle';
  /** Names of layers. */
  from: string;
  to: string;
  /** Pairs of files that make it, and one of them. */
  files: number;
  fromPath: string;
  toPath: string;
}

/** Nodes and edges that the graph of a repository adds to its code. The same shard gives the same. */
export interface RepositoryGraph {
  nodes: DerivedNode[];
  edges: DerivedEdge[];
  /** From the top down. */
  layers: { key: string; rank: number }[];
  faults: LayerFault[];
  /** Fault in the layers that the repository states; '' for none. */
  statedFault: string;
  /** Requests by path that its code makes, wherever they go. */
  requests: RepositoryRequest[];
  types: FieldTypes;
}

/** The types that fields of GraphQL give, by `/Query/launch`. */
export type FieldTypes = Readonly<Record<string, string>>;

/** A request that code makes to a service. */
export interface RepositoryRequest {
  /** `ANY` when the code states none. */
  method: string;
  /** With `:param` for what is inserted. */
  path: string;
  /** The symbol or file that makes it. */
  from: NodeNumber;
  source: string;
}

/** A file of the shard, as building needs it. */
export interface BuildFile {
  id: number;
  path: string;
  language: string;
  /** True if a parser reads it as code; tests are code. */
  isCode: boolean;
  isTest: boolean;
  isGenerated: boolean;
}

/** Input of builders: the files, and how the derived nodes are numbered. */
export interface GraphInput {
  files: readonly BuildFile[];
  /** Those of the product itself: no tests, examples or tools. */
  product: readonly BuildFile[];
  /** Pairs of files of which one depends on the other, tests among them. */
  depends: readonly (readonly number[])[];
  symbols: number;
  /** The id of the file that defines a symbol. */
  fileOfSymbol: (symbol: number) => number;
}

/** The number of a file's node. */
export function fileNode(input: Pick<GraphInput, 'symbols'>, file: number): NodeNumber {
  return input.symbols + file;
}

/** A graph that is being made: gives derived nodes their numbers. */
export class GraphDraft {
  readonly input: GraphInput;
  readonly nodes: DerivedNode[] = [];
  readonly edges: DerivedEdge[] = [];

  constructor(input: GraphInput) {
    this.input = input;
  }

  /** Adds a node and gives its number. */
  add(node: DerivedNode): NodeNumber {
    this.nodes.push(node);
    return this.input.symbols + this.input.files.length + this.nodes.length - 1;
  }

  link(edge: DerivedEdge): void {
    this.edges.push(edge);
  }
}
