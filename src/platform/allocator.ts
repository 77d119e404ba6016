/**
 * Environment of processes that work for a short time and take and leave large pieces of memory all the time: glibc uses
 * them again instead of giving them back. Saves a fifth of the time of a history with line counts and a twelfth of that of
 * an index; the highest memory stays the same. The service itself gives memory back early (`bin/svc.mjs`), because it
 * idles; that would be passed on.
 */
export const REUSED_MEMORY = { MALLOC_TRIM_THRESHOLD_: '134217728', MALLOC_MMAP_THRESHOLD_: '67108864' };

/**
 * Option of such processes: the optimising compiler takes less into a function from those that it calls. Its work is a quarter of an
 * index, and what it makes of a large function is rarely run for long enough to pay for that.
 */
export const SMALL_FUNCTIONS = '--max-inlined-bytecode-size-cumulative=200';
