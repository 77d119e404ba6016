import { textParameters } from '../search-parameters.ts';

/** Parameters in the address of the graph page: `view` is the neighbours of `entity` without it. */
export const graphParameters = textParameters(['view', 'entity', 'to', 'hops', 'relation', 'repo', 'lacks']);

export type GraphParameters = ReturnType<typeof graphParameters>;

/** Changes some parameters; undefined and empty ones are left out. */
export type ChangeGraph = (change: { [Name in keyof GraphParameters]?: string | undefined }) => void;
