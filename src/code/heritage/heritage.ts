/** Types and their implementations, for other slices. */
export { methodSets } from './store-method-sets.ts';
