/** What other slices ask about types and what implements them. */
export { methodSets } from './store-method-sets.ts';
