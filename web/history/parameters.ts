import { textParameters } from '../search-parameters.ts';

/** Parameters in the address of the history page: `view` is hotspots without it, `repo` the first repository. */
export const historyParameters = textParameters([
  'repo',
  'view',
  'since',
  'until',
  'base',
  'path',
  'query',
  'author',
  'types',
]);

export type HistoryParameters = ReturnType<typeof historyParameters>;

/** Changes some parameters; undefined and empty ones are left out. */
export type ChangeHistory = (
  change: { [Name in keyof HistoryParameters]?: string | undefined },
  options?: { replace: boolean },
) => void;
