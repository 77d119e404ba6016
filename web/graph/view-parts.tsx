import type { ChangeGraph, GraphParameters } from './parameters.ts';

/** Props of every view of the graph. */
export interface GraphViewProps {
  parameters: GraphParameters;
  onChange: ChangeGraph;
  /** Name of the first repository: of what names none, because the product has one alone. */
  repo: string;
}
