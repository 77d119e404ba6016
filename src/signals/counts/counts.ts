/** Exact numbers of signals by their fields. */
export { type Condition, GROUP_FIELDS, type GroupField, readConditions } from './conditions.ts';
export { type Count, countBy, type Counts, type Selection, selectIds, selectValues } from './store.ts';
