/**
 * Ends what hangs: the limit of a test, a hook, a wait for something to become so, or a call.
 * Nothing is decided by it, so it is far beyond what the busiest machine needs.
 */
export const HANG_LIMIT_MS = 15 * 60_000;

/** Ends a step in the browser that hangs, long before the limit of its test: only then the failure says which one it was. */
export const PAGE_LIMIT_MS = 3 * 60_000;

/** For a timer whose effect must not be what a test sees. */
export const NEVER_MS = 24 * 60 * 60_000;
