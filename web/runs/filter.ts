import { textParameters } from '../search-parameters.ts';

/** Filters in the address of the list of runs. */
export const runFilter = textParameters(['kind', 'state']);
