/** True if the service answered the last request. */
let isReached = true;
const listeners = new Set<() => void>();

/** Says whether the service just answered. */
export function reportReached(reached: boolean): void {
  if (reached === isReached) return;
  isReached = reached;
  for (const listener of listeners) listener();
}

/** For `useSyncExternalStore`. */
export function subscribeToConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function isServiceReached(): boolean {
  return isReached;
}

/** Asks whether the service answers; what it says, anything that is shown for it notices. */
export async function probeService(): Promise<void> {
  try {
    reportReached((await fetch('/healthz', { cache: 'no-store' })).ok);
  } catch {
    reportReached(false);
  }
}
