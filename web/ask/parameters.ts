import { textParameters } from '../search-parameters.ts';

/** What the address of the page says: the question, which agent, which repository; `edit`: it is not asked yet. */
export const askParameters = textParameters(['q', 'about', 'repo', 'edit']);
