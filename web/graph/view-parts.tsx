import type { ChangeGraph, GraphParameters } from './parameters.ts';

/** What every view of the graph is given. */
export interface GraphViewProps {
  parameters: GraphParameters;
  onChange: ChangeGraph;
  /** Name of the first repository: of what names none, because the product has one alone. */
  repo: string;
}
