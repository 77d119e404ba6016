/** Longest plan, in characters. */
export const LONGEST_PLAN = 1_000_000;
