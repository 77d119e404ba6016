import { textParameters } from '../search-parameters.ts';

/** What the address of the list of runs says. */
export const runFilter = textParameters(['kind', 'state']);
