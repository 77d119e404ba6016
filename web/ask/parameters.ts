import { textParameters } from '../search-parameters.ts';

/** Parameters in the address of the page: the question, the agent, the repository; `edit`: it is not asked yet. */
export const askParameters = textParameters(['q', 'about', 'repo', 'edit']);
